import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { MIGRATIONS } from "./migrations.ts";
import { openStore, readSnapshot } from "./store.ts";

const FIXTURE = readFileSync(join(import.meta.dirname, "..", "..", "test", "store-of-version-4.sql"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "goodword-migrations-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function legacyStore(name: string): string {
  const path = join(folder, name);
  const database = new DatabaseSync(path);
  database.exec(FIXTURE);
  database.close();
  return path;
}

test("a store of the last program is upgraded in place, with all that it holds", async () => {
  const path = legacyStore("old.db");
  for (let opening = 0; opening < 2; opening += 1) {
    const store = await openStore(`sqlite:${path}`);
    const { revision, business, reviews, analyses } = await readSnapshot(store);
    assert.deepEqual([revision.number, reviews.length, analyses.size], [1, 4, 3]);
    assert.equal(business?.name, "Thistle & Vane Air Conditioning (sample)");
    await store.close();
  }
  const upgraded = new DatabaseSync(path);
  const names = upgraded.prepare("select name from kysely_migration order by name").all();
  assert.deepEqual(
    names.map(({ name }) => name),
    Object.keys(MIGRATIONS),
  );
  const tablesOf = (database: DatabaseSync) =>
    database.prepare("select name, sql from sqlite_master where sql is not null order by name").all();
  const upgradedTables = tablesOf(upgraded);
  upgraded.close();
  const fresh = join(folder, "fresh.db");
  await (await openStore(`sqlite:${fresh}`)).close();
  const made = new DatabaseSync(fresh);
  assert.deepEqual(upgradedTables, tablesOf(made), "as a new store is made");
  made.close();
});

test("programs that open an old store at the same time upgrade it once", async () => {
  const path = legacyStore("together.db");
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(`sqlite:${path}`)));
  for (const store of stores) assert.equal((await readSnapshot(store)).reviews.length, 4);
  await Promise.all(stores.map((store) => store.close()));
});

test("a store that a newer program wrote is refused, whichever way it says so", async () => {
  const [legacy, current] = [legacyStore("newer-legacy.db"), join(folder, "newer.db")];
  await (await openStore(`sqlite:${current}`)).close();
  for (const [path, sql] of [
    [legacy, "update schema_version set version = 9999"],
    [current, "insert into kysely_migration values ('9999-of-tomorrow', '2030-01-01T00:00:00.000Z')"],
  ] as const) {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    await assert.rejects(openStore(`sqlite:${path}`), /newer goodword/);
  }
});
