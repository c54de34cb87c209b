/** SQL for the cached edition of a site on PostgreSQL: one row, which every change of the published data deletes. */
import { sql } from "kysely";
import type { Database, EditionCacheTable } from "./tables.ts";

/** The cached edition of the store's current revision, if `maker` made it. */
export async function readCachedEdition(
  database: Database,
  maker: string,
): Promise<Pick<EditionCacheTable, "hash" | "body"> | undefined> {
  return await database
    .selectFrom("edition_cache as cached")
    .innerJoin("revision", (join) =>
      join.onRef("revision.number", "=", "cached.revision").onRef("revision.revised_at", "=", "cached.revised_at"),
    )
    .select(["hash", "body"])
    .where("maker", "=", maker)
    .executeTakeFirst();
}

/**
 * Keeps the edition of a revision, unless the store has moved on. The revision's row is locked meanwhile: a change that
 * commits before leaves nothing to insert for, and one that comes later waits, and then deletes what was inserted.
 */
export async function keepCachedEdition(
  database: Database,
  { revision, revised_at, maker, hash, body }: Omit<EditionCacheTable, "id">,
): Promise<void> {
  await sql`
    insert into edition_cache (id, revision, revised_at, maker, hash, body)
    select 1, number, revised_at, ${maker}, ${hash}, ${body} from revision
    where number = ${revision} and revised_at = ${revised_at} for share
    on conflict (id) do update set revision = excluded.revision, revised_at = excluded.revised_at,
      maker = excluded.maker, hash = excluded.hash, body = excluded.body`.execute(database);
}

/** Called in each transaction that raises the revision, once it holds the revision's row. */
export async function dropCachedEdition(transaction: Database): Promise<void> {
  await transaction.deleteFrom("edition_cache").execute();
}
