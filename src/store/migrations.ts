/**
 * The schema of the store, as numbered migrations of SQL that both engines understand. `tables.ts` says what the columns
 * hold. A released migration is never edited: a change of the tables is a new one.
 */
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import {
  isOnPostgres,
  isTableInReach,
  makeSiteSchema,
  requireNoSites,
  requireUtf8,
  tryMigrationLock,
} from "./engine/postgres.ts";
import type { Database, Tables } from "./tables.ts";

/** A claim for each of 16 shards, and those on following sources and on sending notices. */
const CLAIMS = Array.from({ length: 18 }, (_, id) => `(${id}, 0)`).join();

/** The statements of each migration by its name, in the order in which they run. */
export const MIGRATIONS: Readonly<Record<string, readonly string[]>> = {
  "0001-tables": [
    "create table revision (id integer primary key, number integer not null, revised_at text not null)",
    "insert into revision values (1, 0, '1970-01-01T00:00:00.000Z')",
    "create table business (id integer primary key, file text not null)",
    `create table review (
      id text primary key,
      source_key text not null unique,
      natural_key text not null,
      source text not null,
      source_id text,
      author text not null,
      author_avatar_url text,
      rating integer not null,
      date text not null,
      text text,
      language text,
      source_url text,
      reply_text text,
      reply_date text,
      row_verified integer,
      written_at text,
      replied_at text,
      updated_at text,
      arrived integer not null
    )`,
    "create index review_natural_key on review (natural_key)",
    "create index review_order on review (date, id)",
    "create index review_count on review (source, row_verified, language)",
    "create table analysis (key text primary key, body text not null)",
    "create table session_key (number integer primary key, secret text not null, made_at text not null)",
    `create table subscription (
      id text primary key,
      shard integer not null,
      topic text not null,
      callback text not null,
      origin text not null,
      site text not null,
      version integer not null,
      secret text,
      lease_ends_at text not null,
      failures integer not null,
      due_at text,
      acknowledged text
    )`,
    "create index subscription_order on subscription (topic, shard, id)",
    "create index subscription_site on subscription (site)",
    "create index subscription_lease on subscription (lease_ends_at)",
    "create index subscription_due on subscription (shard, due_at) where due_at is not null",
    `create table intent (
      id text primary key,
      pair text not null,
      client text not null,
      shard integer not null,
      topic text not null,
      callback text not null,
      origin text not null,
      site text not null,
      mode text not null,
      token text not null,
      secret text,
      lease_seconds integer not null,
      known_tag text not null,
      attempts integer not null,
      asked_at text not null,
      due_at text not null
    )`,
    "create index intent_pair on intent (pair)",
    "create index intent_client on intent (client)",
    "create index intent_due on intent (shard, due_at)",
    `create table fan_out (
      topic text not null,
      shard integer not null,
      tag text not null,
      revision integer not null,
      started_at text not null,
      cursor text not null,
      unfinished text not null,
      finished integer not null,
      primary key (topic, shard)
    )`,
    "create table claim (id integer primary key, token integer not null)",
    `insert into claim (id, token) values ${CLAIMS}`,
    "create table clock_reference (id integer primary key, boot text not null, offset_ms bigint not null, steady_ms bigint not null)",
    "create table commit_mark (writer text primary key, number integer not null, started_at text not null)",
    `create table followed_source (
      key text primary key,
      last_at text not null,
      outcome text not null,
      next_at text not null,
      failures integer not null,
      etag text,
      last_modified text
    )`,
    "create table notice (id text primary key, type text not null, at text not null, change integer, facts text not null)",
    "create table notice_review (notice text not null, id text not null, is_edited integer not null, primary key (notice, id))",
    `create table notice_delivery (
      notice text not null,
      address text not null,
      attempts integer not null,
      due_at text not null,
      primary key (notice, address)
    )`,
    "create index notice_delivery_due on notice_delivery (due_at)",
    `create table notice_address (
      address text primary key,
      last_at text,
      last_type text,
      outcome text,
      digest_schedule text,
      digest_at text
    )`,
    "create table trouble (key text primary key, since text not null)",
    `create table removal (
      id text not null,
      what text not null,
      at text not null,
      source text not null,
      rating integer not null,
      primary key (id, what)
    )`,
    "create index removal_order on removal (at, id, what)",
    "create table removal_key (id text not null, kind text not null, key text not null, primary key (id, kind, key))",
    `create table correction (
      id text not null,
      aspect text not null,
      was text not null,
      "is" text not null,
      at text not null,
      note text,
      text_key text not null,
      evidence_from integer not null,
      evidence_to integer not null,
      primary key (id, aspect, text_key)
    )`,
    "create table edit (id text primary key, edited_at text not null, times integer not null)",
    "create table pending_erasure (id integer primary key, since text not null)",
    "create table withdrawn_review (id text primary key, source text not null, withdrawn_by integer not null)",
    "create table source_place (source text not null, kind text not null, id text not null, primary key (source, kind, id))",
    `create table published_change (
      number integer primary key,
      at text not null,
      kind text not null,
      added integer not null,
      changed integer not null,
      withdrawn integer not null,
      removed integer not null
    )`,
    "create table published_review (id text primary key, number integer not null, is_gone integer not null)",
    "create index published_review_number on published_review (number)",
    "create index published_review_gone on published_review (id) where is_gone = 1",
    "create table sequence_end (number integer primary key, key text not null, at text not null)",
    `create table source_import (
      source text not null,
      change integer not null,
      first_at text not null,
      last_at text not null,
      primary key (source, change)
    )`,
    `create table sighting (
      source text not null,
      id text not null,
      place text not null,
      change integer not null,
      at text not null,
      made_at text,
      arrived integer,
      until_change integer,
      primary key (source, id, place, change)
    )`,
    `create table vanished_review (
      id text not null,
      change integer not null,
      source text not null,
      rating integer not null,
      had_last_at text not null,
      lacked_first_at text not null,
      returned_at text,
      until_change integer,
      primary key (id, change)
    )`,
    `create table import_outcome (
      outcome text primary key,
      times integer not null,
      in_a_row integer not null,
      last_at text not null
    )`,
    `create table change (
      number integer primary key,
      at text not null,
      command text not null,
      files text not null,
      added integer not null,
      changed integer not null,
      withdrawn integer not null,
      undone integer not null,
      business_before text,
      places_before text,
      saved_bytes integer
    )`,
    `create table edition_cache (
      id integer primary key,
      revision integer not null,
      revised_at text not null,
      maker text not null,
      hash text not null,
      body text not null
    )`,
    `create table saved_row (
      change integer not null,
      id text not null,
      became text,
      body text,
      withdrawn_by integer not null,
      withdrawn_source text,
      primary key (change, id)
    )`,
  ],
};

/**
 * Columns of which PostgreSQL may keep no statistics: these hold samples of their values in files that no removal
 * reaches. Here are words of reviews, what was derived from them, and secrets. No query selects or sorts many rows by them.
 */
const WITHOUT_STATISTICS: Readonly<Partial<Record<keyof Tables, readonly string[]>>> = {
  review: ["source_id", "author", "author_avatar_url", "text", "source_url", "reply_text"],
  analysis: ["body"],
  saved_row: ["body"],
  edition_cache: ["body"],
  business: ["file"],
  change: ["files", "business_before"],
  followed_source: ["outcome", "etag", "last_modified"],
  correction: ["note"],
  notice_address: ["outcome"],
  subscription: ["callback", "secret"],
  intent: ["callback", "token", "secret"],
  session_key: ["secret"],
};

const [FIRST_MIGRATION = ""] = Object.keys(MIGRATIONS);

const OTHER_PROGRAM =
  "DATABASE_URL leads to tables of another program: it keeps a list of its own in kysely_migration. Nothing was changed. Name a database of goodword's own, or give it a schema of its own, with ?options=-c%20search_path%3DSCHEMA at the end of a postgres:// address";

/** How long to wait for another process that migrates the store, and the delay between two attempts. */
const MAX_WAIT_MS = 300_000;
const RETRY_MS = 100;

/**
 * Migrates the store to the current tables, in one transaction that locks out other writers. A store that is up to date
 * is only read, so that opening it does not wait for a lock.
 * @throws Error when the store was made by a newer program, or the database is another program's.
 */
export async function migrate(database: Database): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!(await isUpToDate(database)) && !(await migrateAlone(database))) {
    if (performance.now() > deadline) {
      throw new Error("Another process has been bringing the database's tables up to date for five minutes");
    }
    await wait(RETRY_MS);
  }
}

/**
 * Whether the database has the current tables.
 * @throws Error when the tables were made by a newer program, or by another one.
 */
export async function isUpToDate(database: Database): Promise<boolean> {
  if (!(await hasMigrationTable(database))) return false;
  const applied = await appliedMigrations(database);
  if (applied.length > 0 && !applied.includes(FIRST_MIGRATION)) throw new Error(OTHER_PROGRAM);
  if (applied.some((name) => !(name in MIGRATIONS))) throw new Error(newerProgram(applied.length));
  return applied.length === Object.keys(MIGRATIONS).length;
}

/**
 * Runs the missing migrations in one transaction. Returns false if another process holds the lock. The transaction ends
 * then, instead of waiting: it would keep a connection that others need, behind a pooler.
 */
async function migrateAlone(database: Database): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    if (isOnPostgres(database) && !(await tryMigrationLock(transaction))) return false;
    if (isOnPostgres(database)) await makeSiteSchema(transaction);
    else requireOwnFile((await sql<{ name: string }>`select name from sqlite_master`.execute(transaction)).rows);
    await run(transaction, MIGRATION_TABLE);
    const applied = await appliedMigrations(transaction);
    if (applied.length === 0 && isOnPostgres(database)) {
      await requireUtf8(transaction);
      await requireNoSites(transaction);
    }
    await runMigrations(
      transaction,
      Object.keys(MIGRATIONS).filter((name) => !applied.includes(name)),
    );
    if (isOnPostgres(database)) await keepNoCopies(transaction);
    return true;
  });
}

/**
 * Looks at what a SQLite file defines.
 * @throws Error when it has tables already, and none of goodword's: the file is another program's.
 */
export function requireOwnFile(defined: readonly { readonly name: string }[]): void {
  const own = defined.filter(({ name }) => !/^(?:sqlite_|_litestream)/.test(name)); // those of what replicates the file
  if (own.length > 0 && !own.some(({ name }) => name === "kysely_migration")) throw new Error(OTHER_FILE);
}

const OTHER_FILE =
  "The file of the store holds tables of another program, and none of goodword's. Nothing was changed. Put a backup in its place, or correct DATABASE_URL";

const MIGRATION_TABLE =
  "create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)";

/**
 * Makes in an empty SQLite database the tables of a store to which these migrations were applied.
 * @throws Error when one of them is a newer program's.
 */
export async function makeTables(database: Database, applied: readonly string[]): Promise<void> {
  const names = Object.keys(MIGRATIONS).filter((name) => applied.includes(name));
  if (names.length < applied.length) throw new Error(newerProgram(applied.length));
  await run(database, MIGRATION_TABLE);
  await runMigrations(database, names);
}

async function runMigrations(database: Database, names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (const statement of MIGRATIONS[name] ?? []) await run(database, statement);
    await run(database, `insert into kysely_migration values ('${name}', '${new Date().toISOString()}')`);
  }
}

async function run(transaction: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(transaction);
}

/** Keeps words out of statistics and, where they are only cached, out of the write-ahead log. */
async function keepNoCopies(transaction: Database): Promise<void> {
  for (const [table, columns] of Object.entries(WITHOUT_STATISTICS)) {
    const settings = columns.map((column) => `alter column ${column} set statistics 0`);
    await run(transaction, `alter table ${table} ${settings.join()}`);
  }
  await run(transaction, "alter table edition_cache set unlogged, alter column body set storage external"); // compressed
}

async function hasMigrationTable(database: Database): Promise<boolean> {
  if (isOnPostgres(database)) return await isTableInReach(database, "kysely_migration");
  const tables = sql`select 1 from sqlite_master where name = 'kysely_migration'`;
  return (await tables.execute(database)).rows.length > 0;
}

async function appliedMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return rows.map(({ name }) => name);
}

function newerProgram(version: number): string {
  const known = Object.keys(MIGRATIONS).length;
  return `The store was written by a newer goodword (its tables are version ${version}, this program knows ${known}). Use that version, or another store.`;
}
