import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { chooseSite } from "./chosen-site.ts";

const POSTGRES = "postgres://u@h/d";
const ONE = { takesFolder: false, makesSite: false };

test("chooseSite() refuses a command in a site's folder that would use another store than the site's on PostgreSQL", () => {
  using folder = temporaryFolder();
  const sites = join(folder.path, "sites");
  const site = join(sites, "a");
  mkdirSync(site, { recursive: true });
  const choose = (environment: NodeJS.Dict<string>, use = ONE, at = site) =>
    chooseSite({}, use, { ...environment }, at).folder;
  const refusal = new RegExp(`is a folder of sites .* add --site a --sites ${sites}$`);
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
    [`SITES_BASE_URL=http://{site}.test\nDATABASE_URL=${POSTGRES}`, {}, true],
    [`DATABASE_URL=${POSTGRES}`, {}, true],
    ["SITES_BASE_URL=http://{site}.test", { DATABASE_URL: POSTGRES }, true],
    ["SITES=.", { DATABASE_URL: POSTGRES }, true],
    ["", { DATABASE_URL: POSTGRES, SITES_BASE_URL: "http://{site}.test" }, true],
    ["SITES_BASE_URL=http://{site}.test", {}, false], // SQLite: the store in this folder is the site's
    ["", { DATABASE_URL: POSTGRES }, false],
    [`DATABASE_URL=${POSTGRES}`, { DATABASE_URL: "sqlite:own.db" }, false],
    ["SITES=elsewhere", { DATABASE_URL: POSTGRES }, false],
    ["nonsense", { DATABASE_URL: POSTGRES }, false],
  ];
  for (const [text, environment, isRefused] of cases) {
    writeFileSync(join(sites, "goodword.env"), `${text}\n`);
    const what = `${text} ${JSON.stringify(environment)}`;
    if (isRefused) assert.throws(() => choose(environment), refusal, what);
    else assert.equal(choose(environment), undefined, what);
  }
  rmSync(join(sites, "goodword.env"));
  writeFileSync(join(sites, "chain.yaml"), "name: Chain\n");
  assert.throws(() => choose({ DATABASE_URL: POSTGRES }), refusal);
  const serve = { takesFolder: true, makesSite: false };
  assert.throws(() => choose({ DATABASE_URL: POSTGRES }, serve), new RegExp(`add --sites ${sites}$`));
  assert.equal(choose({ DATABASE_URL: POSTGRES }, ONE, join(sites, "No_site")), undefined);
  assert.equal(choose({ DATABASE_URL: POSTGRES, SITES: sites }), site, "SITES says that it is one");
});
