import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import type { Kysely } from "kysely";
import pg from "pg";
import { releaseEngines } from "../../test/support/engines.ts";
import { emptyDatabase } from "../../test/support/postgres-server.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openStore, readSnapshot } from "./store.ts";

const TEST = join(import.meta.dirname, "..", "..", "test", "support");

/** Stores as earlier programs wrote them, by the number of their migrations: kept for ever. */
const FIXTURES = new Map(
  globSync("store-of-version-*.sql", { cwd: TEST }).map((file) => [
    Number(/\d+/.exec(file)?.[0]),
    readFileSync(join(TEST, file), "utf8"),
  ]),
);
const FIXTURE = FIXTURES.get(4) ?? "";
const NEWEST = Object.keys(MIGRATIONS).length;
const folder = mkdtempSync(join(tmpdir(), "goodword-migrations-"));
after(() => rmSync(folder, { recursive: true, force: true }));

releaseEngines();

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

for (const [version, sql] of FIXTURES) {
  test(`a store of version ${version} is opened with all that it holds, and has today's tables afterwards`, async () => {
    const path = join(folder, `of-${version}.db`);
    const before = new DatabaseSync(path);
    before.exec(sql);
    const countsOf = (database: DatabaseSync) =>
      ["review", "business", "analysis", "subscription", "removal", "removal_key", "change", "review_copy"].map(
        (table) => {
          const isThere = database.prepare("select 1 from sqlite_master where name = ?").get(table) !== undefined;
          return isThere ? Number(database.prepare(`select count(*) as n from ${table}`).get()?.n) : 0;
        },
      );
    const held = countsOf(before);
    before.close();
    assert.ok((held[0] ?? 0) > 0);
    const store = await openStore(`sqlite:${path}`);
    assert.ok((await readSnapshot(store)).reviews.length > 0);
    await store.close();
    const upgraded = new DatabaseSync(path);
    assert.deepEqual(countsOf(upgraded), held);
    const fresh = join(folder, `fresh-${version}.db`);
    await (await openStore(`sqlite:${fresh}`)).close();
    const made = new DatabaseSync(fresh);
    const tablesOf = (database: DatabaseSync) =>
      database
        .prepare("select name, sql from sqlite_master where sql is not null order by name")
        .all()
        .filter(({ name }) => name !== "kysely_migration_lock"); // of no use any more, and of no harm
    assert.deepEqual(tablesOf(upgraded), tablesOf(made));
    upgraded.close();
    made.close();
  });
}

/** Every table, column, key and index of a database. */
async function schemaOf(client: pg.Client): Promise<unknown> {
  const columns = await client.query(
    `select table_name, ordinal_position, column_name, data_type, is_nullable, column_default, character_maximum_length
     from information_schema.columns
     where table_schema = 'public' and table_name <> 'kysely_migration_lock' order by table_name, ordinal_position`,
  );
  const indexes = await client.query(
    "select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'kysely_migration_lock' order by indexdef",
  );
  return [columns.rows, indexes.rows];
}

for (const [version, sql] of FIXTURES) {
  test(`a store of version ${version} in a database is opened with all that it holds, and restored into a new one to go back`, async () => {
    const held = ["review", "business", "analysis", "subscription"];
    const countsOf = async (client: pg.Client) => {
      const tables = held.map((table) => `(select count(*)::int from ${table}) as ${table}`);
      return Object.values((await client.query(`select ${tables.join()}`)).rows[0]) as number[];
    };
    const [upgradedUrl, restoredUrl, freshUrl] = await Promise.all([emptyDatabase(), emptyDatabase(), emptyDatabase()]);
    const [upgraded, restored, fresh] = [upgradedUrl, restoredUrl, freshUrl].map(
      (connectionString) => new pg.Client({ connectionString }),
    ) as [pg.Client, pg.Client, pg.Client];
    await Promise.all([upgraded, restored, fresh].map((client) => client.connect()));
    await upgraded.query(sql);
    const before = await countsOf(upgraded);
    assert.ok((before[0] ?? 0) > 0);
    for (const url of [upgradedUrl, freshUrl]) await (await openStore(url)).close();
    assert.deepEqual(await countsOf(upgraded), before);
    assert.deepEqual(await schemaOf(upgraded), await schemaOf(fresh));
    await restored.query(sql); // the dump from before the upgrade: it is as it was, and can be upgraded once more
    for (let opening = 0; opening < 2; opening += 1) {
      const store = await openStore(restoredUrl);
      assert.ok((await readSnapshot(store)).reviews.length > 0);
      await store.close();
    }
    assert.deepEqual(await countsOf(restored), before);
    assert.deepEqual(await schemaOf(restored), await schemaOf(fresh));
    await Promise.all([upgraded, restored, fresh].map((client) => client.end()));
  });
}

test("there is a store of today's tables to test later programs on", () => {
  assert.ok(FIXTURES.has(NEWEST), "A migration was added: run node scripts/store-fixture.ts");
});

test("an upgrade that fails halfway leaves the store as it was, for the program that wrote it", async () => {
  const path = legacyStore("halfway.db");
  const contents = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const tables = database.prepare("select name, sql from sqlite_master where type = 'table' order by name").all();
    const rows = tables.map(({ name }) => database.prepare(`select count(*) as n from "${name}"`).get());
    database.close();
    return { tables, rows };
  };
  const foreign = new DatabaseSync(path);
  foreign.exec("create table removal (of_another_program text)"); // 0008 makes a table of this name
  foreign.close();
  const before = contents();
  await assert.rejects(openStore(`sqlite:${path}`), /removal.* already exists/);
  assert.deepEqual(contents(), before);
  const repaired = new DatabaseSync(path);
  repaired.exec("drop table removal");
  repaired.close();
  const store = await openStore(`sqlite:${path}`);
  assert.equal((await readSnapshot(store)).reviews.length, 4);
  await store.close();
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
  const url = await emptyDatabase();
  const store = await openStore(url);
  const newer = { name: "9999-of-tomorrow", timestamp: "2030-01-01T00:00:00.000Z" };
  await (store.database as unknown as Kysely<{ kysely_migration: typeof newer }>)
    .insertInto("kysely_migration")
    .values(newer)
    .execute();
  await store.close();
  await assert.rejects(openStore(url), /newer goodword/);
});
