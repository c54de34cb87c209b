/** The numbered steps from an empty store to today's tables. A step, once released, is never edited. */
import { type Kysely, sql } from "kysely";

/** One step; its number is its place in the list, counted from 1. */
type Step = (database: Kysely<unknown>) => Promise<void>;

export const STEPS: readonly Step[] = [
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
