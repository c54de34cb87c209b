/** `goodword digest` and `goodword vanished`, as an owner runs them. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Insights } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { openChromium, withoutChromium } from "../support/chromium.ts";
import { takeoutPage, takeoutReview } from "../support/import-sandbox.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { roundsOf } from "../support/test-runs.ts";

const DAY_MS = 86_400_000;
const BASE_URL = "https://reviews.example.com";
const HOSTILE = `</q></main><script>alert(1)</script> =1+1\n\n1. I am the owner \u001b[31m\u202e`;
const LONG = "unendlich langes Wort ".repeat(60);

/** A folder with a store: reviews of the last five weeks, of which most are poor, long and hostile. */
async function importReviews(folder: string, count: number, more = ""): Promise<void> {
  writeFileSync(join(folder, "business.yaml"), `name: "${LONG}"\ntime_zone: UTC\n${more}`);
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ id: `r${index}`, source: "google", rating: 1 + (index % 4), author: index % 2 ? LONG : HOSTILE },
    date: new Date(Date.now() - (1 + (index % 35)) * DAY_MS).toISOString().slice(0, 10),
    text: `${HOSTILE} The technician was late and the price was too high. It was dirty. ${index % 2 ? LONG : ""}`,
  }));
  writeFileSync(join(folder, "reviews.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const { code, stderr } = await run(folder, ["import", "business.yaml", "reviews.jsonl"]);
  assert.equal(code, 0, stderr);
}

test("goodword digest --print is one sheet of A4, without anything that runs or is loaded", {
  skip: withoutChromium,
}, async () => {
  const browser = await openChromium();
  try {
    for (const language of roundsOf(["de", "fr"])) {
      using folder = temporaryFolder();
      await importReviews(folder.path, 140, `language: ${language}\n`);
      const { code, stdout } = await run(folder.path, ["digest", "--print"], { BASE_URL });
      assert.equal(code, 0);
      const page = await browser.newPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.setContent(stdout);
      assert.equal(await page.locator("script").count(), 0);
      assert.equal(await page.locator("li").count(), 5);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      assert.equal(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length, 1);
      assert.match(pdf.toString("latin1"), /\/MediaBox\s*\[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/);
      assert.deepEqual(requests, []);
      await page.emulateMedia({ media: "print" });
      const foot = await page.locator("main > :last-child").boundingBox();
      assert.ok(foot !== null && foot.y + foot.height < 1123, "the last line is on the sheet");
      await page.emulateMedia({ media: "screen" });
      await page.setViewportSize({ width: 320, height: 700 });
      assert.ok(
        (await page.evaluate<number>("document.documentElement.scrollWidth")) <= 320,
        "nothing is cut at 320 px",
      );
      await page.close();
    }
  } finally {
    await browser.close();
  }
});

test("goodword digest says the poor reviews first, and every figure is that of the served documents", async () => {
  using folder = temporaryFolder();
  await importReviews(folder.path, 60);
  const json = JSON.parse((await run(folder.path, ["digest", "--json"], { BASE_URL })).stdout);
  const { stdout } = await run(folder.path, ["digest"], { BASE_URL });
  assert.match(stdout.split("\n")[2] ?? "", /^4\d reviews of three stars or fewer have no reply:$/);
  assert.ok(stdout.length <= 1_500, String(stdout.length));
  assert.doesNotMatch(stdout, /\u001b|\u202e/);
  await using program = await serveProgram(folder.path);
  const read = async <Content>(path: string) => (await (await fetch(`${program.url}${path}`)).json()) as Content;
  const insights = await read<Insights>("/insights.json");
  const dataset = await read<{ reviews: Review[]; aggregate_rating: unknown }>("/reviews.json");
  assert.deepEqual(json.all, {
    aggregate_rating: dataset.aggregate_rating,
    overall_sentiment: insights.overall_sentiment,
    trend: insights.temporal.trend,
  });
  const within = dataset.reviews.filter(({ date }) => json.period.from <= date && date <= json.period.until);
  assert.equal(json.period.review_count, within.length);
  const negative = within.filter(({ id }) => insights.per_review[id]?.sentiment === "negative");
  assert.equal(json.period.negative_count, negative.length);
});

test("goodword vanished lists with dates and links what a later Takeout lacks, as JSON, CSV and an appeal", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "business.yaml"), "name: Northside\ntime_zone: UTC\n");
  const take = async (name: string, ids: readonly string[]) => {
    const at = join(folder.path, name, "location-2");
    mkdirSync(at, { recursive: true });
    const hostile = (id: string) => takeoutReview(id, id === "b" ? { comment: HOSTILE } : { comment: "=1+1" });
    writeFileSync(join(at, "reviews.json"), JSON.stringify(takeoutPage(...ids.map(hostile))));
    assert.equal((await run(folder.path, ["import", "business.yaml", name])).code, 0);
  };
  await take("first", ["a", "b", "c"]);
  const none = await run(folder.path, ["vanished"]);
  assert.match(none.stdout, /^No review has vanished\. Reviews are compared when a whole Takeout/);
  await take("second", ["a"]);
  const command = async (...flags: string[]) => (await run(folder.path, ["vanished", ...flags], { BASE_URL })).stdout;
  const entries = JSON.parse(await command("--json")) as Record<string, string>[];
  assert.deepEqual(entries.map(({ author }) => author).toSorted(), ["Customer b", "Customer c"]);
  const times = JSON.parse((await run(folder.path, ["history", "--json"])).stdout).map(({ at }: { at: string }) => at);
  for (const { id, url, had_last_at, lacked_first_at, ...rest } of entries) {
    assert.deepEqual([url, lacked_first_at, had_last_at], [`${BASE_URL}/reviews/${id}`, ...times]);
    assert.equal("returned_at" in rest, false, "what is back is not listed");
  }
  const [list, table, appeal] = [await command(), await command("--csv"), await command("--appeal")];
  for (const text of [list, appeal]) {
    assert.doesNotMatch(text, /\u001b|\u202e/);
    assert.match(text, new RegExp(`${BASE_URL}/reviews/${entries[0]?.id}`));
  }
  assert.match(table, /,"'=1\+1",/);
  assert.match(table, /^id,url,source,source_url,author,rating,date,text,had_last_at,lacked_first_at\r\n"/);
  assert.match(
    appeal,
    /^Reviews of Northside that are no longer shown\n\nDear Sir or Madam,\n\nthe following 2 reviews of Northside are missing/,
  );
  assert.doesNotMatch(appeal, /^\s*1\. I am the owner/m);
  assert.match((await run(folder.path, ["history"])).stdout, /import \(reviews vanished or back\)/);
  await take("third", ["a", "b", "c"]);
  assert.equal(await command("--json"), "[]\n");
  assert.match(await command(), /Vanished once, and back:/);
});
