/** A folder that is imported may hold the store. Reading a file of the store would end the locks of the whole process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { importPaths } from "../../src/import/importer.ts";
import { openClaims } from "../../src/store/claims.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/program.ts";

const NOW = new Date("2026-11-26T12:00:00Z");

/** Whether another process can lock the file as a whole. */
function isFree(file: string): boolean {
  const program = `const { DatabaseSync } = require("node:sqlite");
    new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 }).exec("pragma locking_mode = exclusive; begin exclusive")`;
  return spawnSync(process.execPath, ["-e", program]).status === 0;
}

test("an import never opens a file of its store, whatever its name, so that the process keeps its locks", async () => {
  using folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  writeFileSync(path("business.yaml"), "name: A\ntime_zone: UTC\n");
  writeFileSync(path("reviews.csv"), "id,rating,date,source\n1,5,2026-01-02,google\n");
  writeFileSync(path("goodword.db.csv"), "id,rating,date,source\n2,4,2026-01-02,google\n");
  await using store = await openStore(`sqlite:${path("goodword.db")}`);
  const claims = openClaims(store);
  assert.equal((await claims.take([1])).length, 1);
  await store.database.selectFrom("review").selectAll().execute();
  linkSync(path("goodword.db"), path("copy.csv"));
  assert.equal(isFree(path("goodword.db-hub-lock")), false);

  const { added, passed_over } = await importPaths(store, [folder.path], { now: NOW });
  assert.equal(added, 2);
  const own = ["copy.csv", "goodword.db", "goodword.db-hub-lock", "goodword.db-shm", "goodword.db-wal"];
  assert.deepEqual(passed_over.toSorted(), own.map(path));
  await assert.rejects(importPaths(store, [path("goodword.db")], { now: NOW }), /is a file of the store/);
  assert.equal(isFree(path("goodword.db-hub-lock")), false);
  assert.equal(isFree(path("goodword.db")), false);
  await claims.close();
});
