/** The numbered steps from an empty store to today's tables. A step, once released, is never edited. */
import { type Kysely, sql } from "kysely";

/** One step; its number is its place in the list, counted from 1. */
type Step = (database: Kysely<unknown>) => Promise<void>;

const STEPS: readonly Step[] = [
  async (database) => {
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
    await sql`insert into revision (id, number, revised_at) values (1, 0, '1970-01-01T00:00:00.000Z')`.execute(
      database,
    );
  },
  async (database) => {
    await database.schema
      .createTable("session_key")
      .addColumn("number", "integer", (column) => column.primaryKey())
      .addColumn("secret", "text", (column) => column.notNull())
      .addColumn("made_at", "text", (column) => column.notNull())
      .execute();
  },
  async (database) => {
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
    const shards = Array.from({ length: 16 }, (_, shard) => sql`(${sql.lit(shard)}, 0, '')`);
    await sql`insert into shard_claim (shard, token, claimed_until) values ${sql.join(shards)}`.execute(database);
  },
  async (database) => {
    await database.schema.alterTable("subscription").addColumn("intent_asked_at", "text").execute();
  },
];

/**
 * Brings the store to today's tables, in one transaction that locks out other writers.
 * @throws Error when the store was made by a newer program.
 */
export async function migrate(database: Kysely<unknown>): Promise<void> {
  const known = STEPS.length;
  await database.transaction().execute(async (transaction) => {
    await sql`create table if not exists schema_version (version integer not null)`.execute(transaction);
    const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(transaction);
    const version = rows[0]?.version ?? 0;
    if (version > known) {
      throw new Error(
        `The store was written by a newer goodword (its tables are version ${version}, this program knows ${known}). Use that version, or another store.`,
      );
    }
    for (const step of STEPS.slice(version)) await step(transaction);
    if (version === known) return;
    if (rows.length === 0) await sql`insert into schema_version (version) values (${known})`.execute(transaction);
    else await sql`update schema_version set version = ${known}`.execute(transaction);
  });
}
