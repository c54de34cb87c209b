import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import type { Kysely } from "kysely";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { emptyDatabase } from "../../test/support/postgres-server.ts";
import { NOTIFYING } from "./claims.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openStore, readRevision, type Store } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-migrations-"));
after(() => rmSync(folder, { recursive: true, force: true }));

releaseEngines();

/** Every table and index of a SQLite file, and the number of rows. */
function contentsOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const schema = database.prepare("select type, name, sql from sqlite_master order by name").all();
  const tables = schema.filter(({ type }) => type === "table");
  const rows = tables.map(({ name }) => database.prepare(`select count(*) as n from "${name}"`).get()?.n);
  database.close();
  return { schema, rows };
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

interface MigrationTable {
  readonly kysely_migration: { readonly name: string; readonly timestamp: string };
}

/** The same store, to read and write which migrations it has. */
function migrationsOf({ database }: Store): Kysely<MigrationTable> {
  return database as unknown as Kysely<MigrationTable>;
}

for (const { name, open } of ENGINES) {
  test(`an empty store has all tables, no revision and a claim for each shard, for following sources and for notices: ${name}`, async () => {
    const store = await open();
    const applied = await migrationsOf(store).selectFrom("kysely_migration").select("name").orderBy("name").execute();
    assert.deepEqual(
      applied.map((migration) => migration.name),
      Object.keys(MIGRATIONS),
    );
    assert.equal((await readRevision(store.database)).number, 0);
    const claims = await store.database.selectFrom("claim").select("id").orderBy("id").execute();
    assert.deepEqual(
      claims.map(({ id }) => id),
      Array.from({ length: NOTIFYING + 1 }, (_, id) => id),
    );
    await store.close();
  });
}

test("programs that open an empty file at the same time make its tables once, and a later one changes nothing", async () => {
  const path = join(folder, "together.db");
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(`sqlite:${path}`)));
  for (const store of stores) assert.equal((await readRevision(store.database)).number, 0);
  await Promise.all(stores.map((store) => store.close()));
  const before = contentsOf(path);
  await (await openStore(`sqlite:${path}`)).close();
  assert.deepEqual(contentsOf(path), before);
});

test("an upgrade that fails halfway leaves the store as it was", async () => {
  const path = join(folder, "halfway.db");
  change(path, "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)");
  change(path, "create table removal (of_another_program text)");
  const before = contentsOf(path);
  await assert.rejects(openStore(`sqlite:${path}`), /removal.* already exists/);
  assert.deepEqual(contentsOf(path), before);
  change(path, "drop table removal");
  await using store = await openStore(`sqlite:${path}`);
  assert.equal((await readRevision(store.database)).number, 0);
});

test("a store that a newer program wrote is refused", async () => {
  const path = join(folder, "newer.db");
  for (const url of [`sqlite:${path}`, await emptyDatabase()]) {
    const store = await openStore(url);
    const newer = { name: "9999-of-tomorrow", timestamp: "2030-01-01T00:00:00.000Z" };
    await migrationsOf(store).insertInto("kysely_migration").values(newer).execute();
    await store.close();
    const before = contentsOf(path);
    await assert.rejects(openStore(url), /newer goodword/);
    assert.deepEqual(contentsOf(path), before);
  }
});
