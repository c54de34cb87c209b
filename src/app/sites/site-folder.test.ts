import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { temporaryFolder } from "../../../test/support/program.ts";
import { schemaOf, siteSchemaOf, siteStoreUrl } from "../../store/engine/store-url.ts";
import { namesOfSites, requireOwnFiles, siteAddress, siteEnvironment, siteFolder } from "./site-folder.ts";

test("siteEnvironment() has the site's own settings and keys, and neither the keys nor the address of the process", () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a-b");
  mkdirSync(site.folder);
  writeFileSync(
    join(site.folder, "goodword.env"),
    "KEY_OWN=own\nCACHE_CONTROL=max-age=9\nPORT=1\nDATABASE_URL=sqlite:x\nALLOWED_HOSTS=h\nHUB_LEASE_SECONDS=60,61,62\nSOURCES_ALLOW=10.0.0.0/8\n",
  );
  const process = { KEY_OTHER: "other", BASE_URL: "https://process.example", PORT: "2", CACHE_CONTROL: "no-store" };
  const { KEY_OTHER, ...environment } = siteEnvironment(site, { ...process, SITES_BASE_URL: "https://{site}.example" });
  assert.equal(KEY_OTHER, undefined);
  assert.deepEqual(environment, {
    ...{ PORT: "2", KEY_OWN: "own", CACHE_CONTROL: "max-age=9", BASE_URL: "https://a-b.example" },
    ...{ ALLOWED_HOSTS: "h", HUB_LEASE_SECONDS: "60,61,62", SOURCES_ALLOW: "10.0.0.0/8" },
    ...{
      DATABASE_URL: `sqlite:${join(site.folder, "data", "goodword.db")}`,
      SITES: undefined,
      SITES_BASE_URL: undefined,
    },
  });
  const url = siteEnvironment(site, { DATABASE_URL: "postgres://u@h/d?sslmode=disable" }).DATABASE_URL;
  assert.equal(url, "postgres://u@h/d?sslmode=disable&options=-c%20search_path%3Dsite_a_b");
});

test("namesOfSites() has each link that may lead to a folder, wherever it leads, and says which are one folder", () => {
  using sites = temporaryFolder();
  const at = (name: string) => join(sites.path, name);
  mkdirSync(at("north"));
  writeFileSync(at("file"), "");
  for (const [name, target] of [
    ["south", "north"],
    ["circle", "circle"],
    ["nowhere", "gone"],
    ["file-link", "file"],
  ] as const)
    symlinkSync(target, at(name));
  symlinkSync(`${"x".repeat(300)}/y`, at("too-long"));
  symlinkSync("gone", at("No_name"));
  assert.deepEqual(namesOfSites(sites.path), {
    ...{ names: ["circle", "north", "nowhere", "south", "too-long"], others: [] },
    doubles: new Map([["south", "north"]]),
  });
});

test("namesOfSites() takes 1 to 63 characters of a–z, 0–9 and - for a name, and tells other folders", () => {
  using sites = temporaryFolder();
  const names = ["-", "0-a", "a".repeat(63)];
  const others = [".hidden", "A", "a".repeat(64), "a.b", "a_b", "ä"];
  for (const name of [...names, ...others]) mkdirSync(join(sites.path, name));
  assert.deepEqual(namesOfSites(sites.path), { names, others: others.toSorted(), doubles: new Map() });
  for (const name of names) assert.equal(siteFolder(sites.path, name).name, name);
  for (const name of [...others, ""]) assert.throws(() => siteFolder(sites.path, name), /is no name of a site/, name);
});

test("siteAddress() says why a site has none", () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a");
  assert.match(siteAddress(site, {}).problems?.[0] ?? "", /gives it an address/);
  mkdirSync(site.folder);
  const cases = [
    ["BASE_URL=https://a.example/path", /must be an http or https address/],
    ["nonsense", /sets nothing/],
  ] as const;
  for (const [text, problem] of cases) {
    writeFileSync(join(site.folder, "goodword.env"), `${text}\n`);
    const address = siteAddress(site, { SITES_BASE_URL: "https://{site}.example" });
    assert.equal(address.baseUrl, undefined);
    assert.match(address.problems?.[0] ?? "", problem);
  }
});

test("siteAddress() keeps words of a site's settings out of what the log says", () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a");
  mkdirSync(site.folder);
  const secret = "hunter2";
  for (const text of [`plain ${secret}`, `KEY_FEED: ${secret}`, `BASE_URL=https://user:${secret}@a.example`]) {
    writeFileSync(join(site.folder, "goodword.env"), `${text}\n`);
    const { baseUrl, plainProblem = secret } = siteAddress(site, {});
    assert.equal(baseUrl, undefined);
    assert.ok(!plainProblem.includes(secret), plainProblem);
  }
});

/** How often settings are read from when a link has come. */
const READS = 10_000;

test("siteEnvironment() never reads another site's keys through a link that comes and goes", {
  skip: process.platform === "win32",
}, async () => {
  using folder = temporaryFolder();
  const [own, other] = [siteFolder(folder.path, "own"), siteFolder(folder.path, "other")];
  for (const { folder: path } of [own, other]) mkdirSync(path);
  writeFileSync(join(other.folder, "goodword.env"), "KEY_OTHER=secret\n");
  const swap = `const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
    process.chdir(process.argv[1]);
    for (;;) {
      writeFileSync("next", "KEY_OWN=own\\n"); renameSync("next", "goodword.env");
      symlinkSync("../other/goodword.env", "next"); renameSync("next", "goodword.env");
    }`;
  const swapping = spawn(process.execPath, ["-e", swap, own.folder], { stdio: "ignore" });
  const found = new Set<string | undefined>();
  const refused = new Set<string>();
  const isFound = () => [...found].some((key) => key !== undefined);
  for (let reads = 0; reads < READS && !isFound(); reads += refused.size === 0 ? 0 : 1) {
    try {
      found.add(siteEnvironment(own, {}).KEY_OTHER);
    } catch (error) {
      refused.add((error as Error).message.slice(-60)); // the link has come for the first time, or again
    }
    if (reads % 100 === 0) await setImmediate();
  }
  swapping.kill("SIGKILL");
  assert.deepEqual(
    [...found].filter((key) => key !== undefined),
    [],
  );
});

test("a link of a site's folder leads to no other site's keys, business or store", () => {
  using folder = temporaryFolder();
  const [own, other] = [siteFolder(folder.path, "own"), siteFolder(folder.path, "other")];
  mkdirSync(join(other.folder, "data"), { recursive: true });
  mkdirSync(own.folder);
  for (const [file, text] of [
    ["goodword.env", "KEY_OTHER=secret\n"],
    ["business.yaml", "name: Other\n"],
    ["data/goodword.db", ""],
  ] as const)
    writeFileSync(join(other.folder, file), text);
  const read = { "goodword.env": () => siteEnvironment(own, {}), "business.yaml": () => requireOwnFiles(own) };
  for (const [name, look] of Object.entries({ ...read, data: read["business.yaml"] })) {
    for (const target of [join("..", "other", name), join("..", "missing", name)]) {
      symlinkSync(target, join(own.folder, name));
      assert.throws(look, /leads out of the site's folder/, `${name} to ${target}`);
      rmSync(join(own.folder, name));
    }
  }
  mkdirSync(join(own.folder, "data"));
  for (const ending of ["", "-wal"]) {
    symlinkSync(join(other.folder, "data", "goodword.db"), join(own.folder, "data", `goodword.db${ending}`));
    assert.throws(() => requireOwnFiles(own), /leads out of the site's folder/, ending);
    rmSync(join(own.folder, "data", `goodword.db${ending}`));
  }
  for (const ending of ["-journal", "-hub-lock", "-following-lock", "-notices-lock", "-following-lock-journal"]) {
    const path = join(own.folder, "data", `goodword.db${ending}`);
    writeFileSync(path, "pages");
    assert.throws(() => requireOwnFiles(own), /goodword.db-[a-z-]+ is no file of goodword's. Remove it/, ending);
    writeFileSync(path, "");
    requireOwnFiles(own);
    rmSync(path);
  }
  writeFileSync(join(own.folder, "data", "store"), "");
  symlinkSync("store", join(own.folder, "data", "goodword.db"));
  requireOwnFiles(own);
  renameSync(own.folder, join(folder.path, "elsewhere"));
  symlinkSync("elsewhere", own.folder);
  requireOwnFiles(own);
});

test("schemaOf() gives each site a schema of its own, however long its name", () => {
  const long = "a".repeat(62);
  const names = ["a-b", "a".repeat(58), "a".repeat(59), long, `${long}b`, `${long}c`, `${"a".repeat(61)}-`];
  const schemas = names.map(schemaOf);
  assert.equal(new Set(schemas).size, names.length);
  for (const [at, schema] of schemas.entries()) {
    assert.ok(schema.length <= 63, schema);
    assert.equal(siteSchemaOf(siteStoreUrl("postgres://u@h/d", names[at] ?? "", ""))?.schema, schema);
  }
});
