import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { siteAddress, siteEnvironment, siteFolder } from "./site-folder.ts";

test("siteEnvironment() has the site's own settings and keys, and neither the keys nor the address of the process", () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a-b");
  mkdirSync(site.folder);
  writeFileSync(
    join(site.folder, "goodword.env"),
    "KEY_OWN=own\nCACHE_CONTROL=max-age=9\nPORT=1\nDATABASE_URL=sqlite:x\n",
  );
  const process = { KEY_OTHER: "other", BASE_URL: "https://process.example", PORT: "2", CACHE_CONTROL: "no-store" };
  const { KEY_OTHER, ...environment } = siteEnvironment(site, { ...process, SITES_BASE_URL: "https://{site}.example" });
  assert.equal(KEY_OTHER, undefined);
  assert.deepEqual(environment, {
    ...{ PORT: "2", KEY_OWN: "own", CACHE_CONTROL: "max-age=9", BASE_URL: "https://a-b.example" },
    ...{
      DATABASE_URL: `sqlite:${join(site.folder, "data", "goodword.db")}`,
      SITES: undefined,
      SITES_BASE_URL: undefined,
    },
  });
  const url = siteEnvironment(site, { DATABASE_URL: "postgres://u@h/d?sslmode=disable" }).DATABASE_URL;
  assert.equal(url, "postgres://u@h/d?sslmode=disable&options=-c%20search_path%3Dsite_a_b");
});

test("siteAddress() says why a site has none", () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a");
  assert.match(siteAddress(site, {}).problem ?? "", /gives it an address/);
  mkdirSync(site.folder);
  const cases = [
    ["BASE_URL=https://a.example/path", /must be an http or https address/],
    ["nonsense", /sets nothing/],
  ] as const;
  for (const [text, problem] of cases) {
    writeFileSync(join(site.folder, "goodword.env"), `${text}\n`);
    const address = siteAddress(site, { SITES_BASE_URL: "https://{site}.example" });
    assert.equal(address.baseUrl, undefined);
    assert.match(address.problem ?? "", problem);
  }
});
