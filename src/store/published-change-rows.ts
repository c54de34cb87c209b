/** SQL for what the public may know of the store's history (interface §6): figures, and no word, name or id of a review. */
import type { Database, PublishedChangeTable, SourceImportTable } from "./tables.ts";

/** The number of changes that are published. */
const MAX_PUBLISHED_CHANGES = 1000;

export type PublishedChange = Readonly<Omit<PublishedChangeTable, "number">>;

/** In numbers of reviews. */
export type PublishedCounts = Pick<PublishedChange, "added" | "changed" | "withdrawn" | "removed">;

/** Records a change, and forgets the oldest ones. */
export async function recordPublishedChange(transaction: Database, change: PublishedChange): Promise<void> {
  const numbers = transaction.selectFrom("published_change").select(({ fn }) => fn.max("number").as("latest"));
  const number = Number((await numbers.executeTakeFirst())?.latest ?? 0) + 1;
  await transaction
    .insertInto("published_change")
    .values({ ...change, number })
    .execute();
  await transaction
    .deleteFrom("published_change")
    .where("number", "<=", number - MAX_PUBLISHED_CHANGES)
    .execute();
}

/** When the reviews of a source were imported. */
export type SourceImport = Readonly<Omit<SourceImportTable, "change">>;

/** Records the imports of a change. Those of old changes that are neither a source's first nor its last are forgotten. */
export async function recordSourceImports(
  transaction: Database,
  change: number,
  imports: readonly SourceImport[],
): Promise<void> {
  if (imports.length === 0) return;
  await transaction
    .insertInto("source_import")
    .values(imports.map((each) => ({ ...each, change })))
    .execute();
  const old = transaction.selectFrom("source_import").where("change", "<=", change - MAX_PUBLISHED_CHANGES);
  const kept = old.groupBy("source");
  await transaction
    .deleteFrom("source_import")
    .where("change", "<=", change - MAX_PUBLISHED_CHANGES)
    .where(
      "change",
      "not in",
      kept.select(({ fn }) => fn.min("change").as("change")),
    )
    .where(
      "change",
      "not in",
      kept.select(({ fn }) => fn.max("change").as("change")),
    )
    .execute();
}

/** Forgets the imports of a change that is undone. */
export async function forgetSourceImports(transaction: Database, change: number): Promise<void> {
  await transaction.deleteFrom("source_import").where("change", "=", change).execute();
}

/** The first and last import of each source. */
export async function sourceImports(database: Database): Promise<SourceImport[]> {
  return await database
    .selectFrom("source_import")
    .select(({ fn }) => ["source", fn.min("first_at").as("first_at"), fn.max("last_at").as("last_at")])
    .groupBy("source")
    .execute();
}

/** What the change that was made at a time altered of what is published; undefined if it was nothing, or is forgotten. */
export async function publishedCountsAt(database: Database, at: string): Promise<PublishedCounts | undefined> {
  const query = database.selectFrom("published_change").select(["added", "changed", "withdrawn", "removed"]);
  return await query.where("at", "=", at).where("kind", "!=", "undo").executeTakeFirst();
}

/** The published changes, newest first. */
export async function listPublishedChanges(database: Database): Promise<PublishedChange[]> {
  const query = database.selectFrom("published_change");
  return await query
    .select(["at", "kind", "added", "changed", "withdrawn", "removed"])
    .orderBy("number", "desc")
    .execute();
}
