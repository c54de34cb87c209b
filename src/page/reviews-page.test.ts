import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runInNewContext } from "node:vm";
import { editionOf } from "../../test/support/real-edition.ts";
import { parseListQuery } from "./list-query.ts";
import { pageNumbers } from "./part/pager.ts";
import { renderReviewsPage } from "./reviews-page.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

test("the list of a business without reviews says that there are none yet, and of a search that nothing matches", async () => {
  const business = join(folder, "business.yaml");
  writeFileSync(business, "name: <Ada>\ntime_zone: UTC\n");
  const { edition } = await editionOf(business);
  const page = (query: string) => Buffer.from(renderReviewsPage(edition, new URLSearchParams(query)).body).toString();
  assert.match(page(""), /As soon as reviews of <bdi>&lt;Ada&gt;<\/bdi> are published, they appear here\./);
  assert.match(page("offset=20"), /they appear here/);
  assert.match(page("rating=5"), /No review matches/);
  assert.doesNotMatch(page("rating=5"), /they appear here/);
});

/** A function of the script that searches in the browser. */
function inBrowser(name: string): unknown {
  const script = readFileSync(join(import.meta.dirname, "asset/file-search.js"), "utf8");
  const [source = ""] = new RegExp(`^function ${name}\\(.*?^}$`, "ms").exec(script) ?? [];
  return runInNewContext(`(${source})`);
}

test("the search in the browser chooses the pages to link as the server does", () => {
  const choose = inBrowser("pageNumbers") as typeof pageNumbers;
  for (let last = 1; last <= 30; last++) {
    for (let current = 1; current < last + 1; current += 0.25)
      assert.equal(choose(current, last).join(), pageNumbers(current, last).join(), `${current} of ${last}`);
  }
});

test("the search in the browser reads the numbers of a page as the server does", () => {
  const read = inBrowser("givenNumber") as (text: string | null, fallback: number) => number;
  for (const query of [
    "",
    "offset=&limit=",
    "offset=40&limit=5",
    "offset=40.0&limit=5.0",
    "offset=00000040&limit=05",
  ]) {
    const parameters = new URLSearchParams(query);
    const { filter, offset } = parseListQuery(parameters);
    assert.deepEqual([read(parameters.get("offset"), 0), read(parameters.get("limit"), 20)], [offset, filter.limit]);
  }
});
