/** The numbered migrations from an empty store to the current tables. A released migration is never edited. */
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, Migration } from "kysely";
import { isOnPostgres, isTableInReach, requireUtf8, tryMigrationLock } from "./engine/postgres.ts";
import type { Database } from "./tables.ts";

/** The migrations by name, in the order in which they run. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-reviews": {
    async up(database: Database) {
      await database.schema
        .createTable("revision")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("number", "integer", (column) => column.notNull())
        .addColumn("revised_at", "text", (column) => column.notNull())
        .execute();
      await database.schema
        .createTable("business")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("file", "text", (column) => column.notNull())
        .execute();
      await database.schema
        .createTable("review")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("source_key", "text", (column) => column.notNull().unique())
        .addColumn("natural_key", "text", (column) => column.notNull())
        .addColumn("source", "text", (column) => column.notNull())
        .addColumn("source_id", "text")
        .addColumn("author", "text", (column) => column.notNull())
        .addColumn("author_avatar_url", "text")
        .addColumn("rating", "integer", (column) => column.notNull())
        .addColumn("date", "text", (column) => column.notNull())
        .addColumn("text", "text")
        .addColumn("source_url", "text")
        .addColumn("reply_text", "text")
        .addColumn("reply_date", "text")
        .addColumn("row_verified", "integer")
        .addColumn("written_at", "text")
        .addColumn("replied_at", "text")
        .addColumn("updated_at", "text")
        .execute();
      await database.schema.createIndex("review_natural_key").on("review").column("natural_key").execute();
      await database.schema.createIndex("review_order").on("review").columns(["date", "id"]).execute();
      await database.schema
        .createTable("analysis")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("body", "text", (column) => column.notNull())
        .execute();
      await database
        .insertInto("revision")
        .values({ id: 1, number: 0, revised_at: "1970-01-01T00:00:00.000Z" })
        .execute();
    },
  },
  "0002-session-keys": {
    async up(database: Database) {
      await database.schema
        .createTable("session_key")
        .addColumn("number", "integer", (column) => column.primaryKey())
        .addColumn("secret", "text", (column) => column.notNull())
        .addColumn("made_at", "text", (column) => column.notNull())
        .execute();
    },
  },
  "0003-subscriptions": {
    async up(database: Database) {
      await database.schema
        .createTable("subscription")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("shard", "integer", (column) => column.notNull())
        .addColumn("topic", "text", (column) => column.notNull())
        .addColumn("callback", "text", (column) => column.notNull())
        .addColumn("origin", "text", (column) => column.notNull())
        .addColumn("site", "text", (column) => column.notNull())
        .addColumn("version", "integer", (column) => column.notNull())
        .addColumn("intent_mode", "text")
        .addColumn("intent_token", "text")
        .addColumn("intent_secret", "text")
        .addColumn("intent_lease_seconds", "integer")
        .addColumn("intent_known_tag", "text")
        .addColumn("intent_attempts", "integer")
        .addColumn("intent_due_at", "text")
        .addColumn("secret", "text")
        .addColumn("lease_ends_at", "text")
        .addColumn("failures", "integer")
        .addColumn("due_at", "text")
        .execute();
      const index = (name: string) => database.schema.createIndex(name).on("subscription");
      await index("subscription_order").columns(["topic", "shard", "id"]).execute();
      await index("subscription_site").column("site").execute();
      await index("subscription_lease").column("lease_ends_at").execute();
      await index("subscription_due").columns(["shard", "due_at"]).where("due_at", "is not", null).execute();
      await index("subscription_intent_due")
        .columns(["shard", "intent_due_at"])
        .where("intent_due_at", "is not", null)
        .execute();
      await database.schema
        .createTable("fan_out")
        .addColumn("topic", "text", (column) => column.notNull())
        .addColumn("shard", "integer", (column) => column.notNull())
        .addColumn("tag", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("set_out_at", "text", (column) => column.notNull())
        .addColumn("cursor", "text", (column) => column.notNull())
        .addColumn("finished", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("fan_out_key", ["topic", "shard"])
        .execute();
      await database.schema
        .createTable("shard_claim")
        .addColumn("shard", "integer", (column) => column.primaryKey())
        .addColumn("owner", "text")
        .addColumn("token", "integer", (column) => column.notNull())
        .addColumn("claimed_until", "text", (column) => column.notNull())
        .execute();
      const shards = Array.from({ length: 16 }, (_, shard) => ({ shard, token: 0, claimed_until: "" }));
      await database.insertInto("shard_claim").values(shards).execute();
    },
  },
  "0004-intent-asked-at": {
    async up(database: Database) {
      await database.schema.alterTable("subscription").addColumn("intent_asked_at", "text").execute();
    },
  },
  "0005-arrivals": {
    async up(database: Database) {
      await database.schema
        .alterTable("review")
        .addColumn("arrived", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  "0006-fan-out-progress": {
    async up(database: Database) {
      await database.schema
        .alterTable("fan_out")
        .addColumn("unfinished", "text", (column) => column.notNull().defaultTo(""))
        .execute();
      await database.schema.alterTable("subscription").addColumn("intent_client", "text").execute();
    },
  },
  "0007-followed-sources": {
    async up(database: Database) {
      await database.schema
        .createTable("followed_source")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("last_at", "text", (column) => column.notNull())
        .addColumn("outcome", "text", (column) => column.notNull())
        .addColumn("next_at", "text", (column) => column.notNull())
        .addColumn("failures", "integer", (column) => column.notNull())
        .addColumn("etag", "text")
        .addColumn("last_modified", "text")
        .execute();
      await database.schema
        .createTable("follow_claim")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("owner", "text")
        .addColumn("token", "integer", (column) => column.notNull())
        .addColumn("claimed_until", "text", (column) => column.notNull())
        .execute();
      await database.insertInto("follow_claim").values({ id: 1, owner: null, token: 0, claimed_until: "" }).execute();
    },
  },
  "0008-removals-and-changes": {
    async up(database: Database) {
      await database.schema
        .createTable("removal")
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("what", "text", (column) => column.notNull())
        .addColumn("at", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("removal_primary_key", ["id", "what"])
        .execute();
      await database.schema
        .createTable("removal_key")
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("removal_key_primary_key", ["id", "kind", "key"])
        .execute();
      await database.schema
        .createTable("pending_erasure")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("since", "text", (column) => column.notNull())
        .execute();
      await database.schema
        .createTable("change")
        .addColumn("number", "integer", (column) => column.primaryKey())
        .addColumn("at", "text", (column) => column.notNull())
        .addColumn("command", "text", (column) => column.notNull())
        .addColumn("files", "text", (column) => column.notNull())
        .addColumn("added", "integer", (column) => column.notNull())
        .addColumn("changed", "integer", (column) => column.notNull())
        .addColumn("withdrawn", "integer", (column) => column.notNull())
        .addColumn("undone", "integer", (column) => column.notNull())
        .addColumn("business_before", "text")
        .addColumn("copied_bytes", "integer")
        .execute();
      await database.schema
        .createTable("review_copy")
        .addColumn("change", "integer", (column) => column.notNull())
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("became", "text")
        .addColumn("body", "text")
        .addPrimaryKeyConstraint("review_copy_primary_key", ["change", "id"])
        .execute();
    },
  },
  "0009-import-outcomes": {
    async up(database: Database) {
      await database.schema
        .createTable("import_outcome")
        .addColumn("outcome", "text", (column) => column.primaryKey())
        .addColumn("times", "integer", (column) => column.notNull())
        .addColumn("in_a_row", "integer", (column) => column.notNull())
        .addColumn("last_at", "text", (column) => column.notNull())
        .execute();
    },
  },
  "0010-withdrawn-reviews": {
    async up(database: Database) {
      await database.schema
        .createTable("withdrawn_review")
        .addColumn("id", "text", (column) => column.primaryKey())
        .execute();
    },
  },
};

/** The tables that record which migrations have run, and the one that was used before. */
interface MigrationTables {
  kysely_migration: { name: string; timestamp: string };
  schema_version: { version: number };
}

const [FIRST_MIGRATION = ""] = Object.keys(MIGRATIONS);

const OTHER_PROGRAM =
  "DATABASE_URL leads to tables of another program: it keeps a list of its own in kysely_migration. Nothing was changed. Name a database of goodword's own, or give it a schema of its own, with ?options=-c%20search_path%3DSCHEMA at the end of a postgres:// address";

const LEGACY_MIGRATIONS = ["0001-reviews", "0002-session-keys", "0003-subscriptions", "0004-intent-asked-at"];

/** How long to wait for another process that migrates the store, and the delay between two attempts. */
const OTHERS_MS = 300_000;
const RETRY_MS = 100;

/**
 * Migrates the store to the current tables, in one transaction that locks out other writers. A store that is up to date
 * is only read, so that opening it does not wait for a lock.
 * @throws Error when the store was made by a newer program, or the database is another program's.
 */
export async function migrate(database: Database): Promise<void> {
  const state = database as unknown as Kysely<MigrationTables>;
  const deadline = performance.now() + OTHERS_MS;
  while (!(await isUpToDate(state)) && !(await migrateAlone(database))) {
    if (performance.now() > deadline) {
      throw new Error("Another process has been bringing the database's tables up to date for five minutes");
    }
    await wait(RETRY_MS);
  }
}

/** @throws Error when the tables were made by a newer program, or by another one. */
async function isUpToDate(database: Kysely<MigrationTables>): Promise<boolean> {
  const applied = await appliedMigrations(database);
  if (applied.length > 0 && !applied.includes(FIRST_MIGRATION)) throw new Error(OTHER_PROGRAM);
  if (applied.some((name) => !(name in MIGRATIONS))) throw new Error(newerProgram(applied.length));
  return applied.length === Object.keys(MIGRATIONS).length;
}

/**
 * Runs what is missing in one transaction. Returns false if another process is at it. Whoever finds the lock taken ends
 * its transaction and asks again, so it holds no connection that others, behind a pooler, need.
 */
async function migrateAlone(database: Database): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    if (isOnPostgres(database) && !(await tryMigrationLock(transaction))) return false;
    const state = transaction as unknown as Kysely<MigrationTables>;
    await makeMigrationTable(state);
    await adoptLegacyStore(state);
    const applied = await appliedMigrations(state);
    if (applied.length === 0 && isOnPostgres(database)) await requireUtf8(transaction);
    for (const [name, { up }] of Object.entries(MIGRATIONS)) {
      if (applied.includes(name)) continue;
      await up(transaction);
      await state.insertInto("kysely_migration").values({ name, timestamp: new Date().toISOString() }).execute();
    }
    return true;
  });
}

async function makeMigrationTable(database: Kysely<MigrationTables>): Promise<void> {
  await database.schema
    .createTable("kysely_migration")
    .ifNotExists()
    .addColumn("name", "varchar(255)", (column) => column.notNull().primaryKey())
    .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
    .execute();
}

async function appliedMigrations(database: Kysely<MigrationTables>): Promise<string[]> {
  if (!(await hasTable(database, "kysely_migration"))) return [];
  const rows = await database.selectFrom("kysely_migration").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

async function hasTable(database: Kysely<MigrationTables>, table: keyof MigrationTables): Promise<boolean> {
  if (isOnPostgres(database)) return await isTableInReach(database, table);
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === table);
}

/** Converts the version number of the first stores to the names of migrations. */
async function adoptLegacyStore(database: Kysely<MigrationTables>): Promise<void> {
  if (!(await hasTable(database, "schema_version"))) return;
  const row = await database.selectFrom("schema_version").select("version").executeTakeFirst();
  const version = row?.version ?? 0;
  if (version > LEGACY_MIGRATIONS.length) throw new Error(newerProgram(version));
  const names = LEGACY_MIGRATIONS.slice(0, version);
  const timestamp = "1970-01-01T00:00:00.000Z";
  if (names.length > 0) {
    await database
      .insertInto("kysely_migration")
      .values(names.map((name) => ({ name, timestamp })))
      .execute();
  }
  await database.schema.dropTable("schema_version").execute();
}

function newerProgram(version: number): string {
  const known = Object.keys(MIGRATIONS).length;
  return `The store was written by a newer goodword (its tables are version ${version}, this program knows ${known}). Use that version, or another store.`;
}
