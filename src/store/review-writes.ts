/** SQL that imports use to read, add, change and delete reviews. Call it inside a transaction. */
import { insertMany } from "./engine/insert-many.ts";
import type { Database, ReviewTable } from "./tables.ts";

/** The keys by which a stored review is found. */
export interface ReviewKeys {
  readonly id: string;
  readonly source_key: string;
  readonly natural_key: string;
}

/** Whether two rows differ in any column. */
export function rowsDiffer(a: ReviewTable, b: ReviewTable): boolean {
  return (Object.keys(a) as (keyof ReviewTable)[]).some((name) => a[name] !== b[name]);
}

/** Whether the store holds any review, published or not. */
export async function hasReviews(database: Database): Promise<boolean> {
  return (await database.selectFrom("review").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** The rows that share a key with any of these, ordered by id. */
export async function reviewsByKeys(database: Database, keys: readonly ReviewKeys[]): Promise<ReviewTable[]> {
  return byId(await sharing(database, keys, ["source_key", "id", "natural_key"]));
}

/**
 * The rows that may correspond to these reviews, ordered by id: the rows with their source keys if each review has one,
 * otherwise all rows that share a key with any of them.
 */
export async function reviewsToMatch(database: Database, keys: readonly ReviewKeys[]): Promise<ReviewTable[]> {
  const bySource = await sharing(database, keys, ["source_key"]);
  if (bySource.length === keys.length) return byId(bySource);
  return byId([...bySource, ...(await sharing(database, keys, ["id", "natural_key"]))]);
}

async function sharing(
  database: Database,
  keys: readonly ReviewKeys[],
  columns: readonly (keyof ReviewKeys)[],
): Promise<ReviewTable[]> {
  const rows: ReviewTable[] = [];
  for (const column of columns) {
    const values = keys.map((key) => key[column]);
    rows.push(...(await database.selectFrom("review").selectAll().where(column, "in", values).execute()));
  }
  return rows;
}

/** Each row once, ordered by id. */
function byId(rows: readonly ReviewTable[]): ReviewTable[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The rows with these ids, ordered by id. */
export async function reviewsById(database: Database, ids: readonly string[]): Promise<ReviewTable[]> {
  if (ids.length === 0) return [];
  return await database.selectFrom("review").selectAll().where("id", "in", ids).orderBy("id").execute();
}

/** The row whose id ends with this part, which does not depend on the review's date. */
export async function reviewOfIdentity(database: Database, part: string): Promise<ReviewTable | undefined> {
  return await database.selectFrom("review").selectAll().where("id", "like", `%${part}`).executeTakeFirst();
}

/** Adds rows. With `skipsConflicts`, rows whose id or source key is already stored are skipped. */
export async function insertReviews(
  database: Database,
  rows: readonly ReviewTable[],
  { skipsConflicts = false }: { readonly skipsConflicts?: boolean } = {},
): Promise<void> {
  await insertMany(database, "review", { rows, skipsConflicts });
}

/** Replaces the row with this id; the new row may have another id. */
export async function replaceReview(database: Database, id: string, row: ReviewTable): Promise<void> {
  await database.updateTable("review").set(row).where("id", "=", id).execute();
}

export async function deleteReviews(database: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await database.deleteFrom("review").where("id", "in", ids).execute();
}

/** Up to `limit` rows with ids above `after`, ordered by id. */
export async function reviewsAfter(database: Database, after: string, limit: number): Promise<ReviewTable[]> {
  return await database.selectFrom("review").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

/** The number of stored reviews of each source, published or not. */
export async function countBySource(database: Database): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom("review")
    .select(({ fn }) => ["source", fn.countAll<number | string>().as("count")])
    .groupBy("source")
    .orderBy("source")
    .execute();
  return new Map(rows.map(({ source, count }) => [source, Number(count)]));
}

/** Up to `limit` ids of reviews from these sources above `after`, in ascending order. */
export async function reviewIdsAfter(
  database: Database,
  sources: readonly string[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await database
    .selectFrom("review")
    .select("id")
    .where("source", "in", sources)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Up to `limit` rows with an instant and an id above `after`, ordered by id. */
export async function timedReviewsAfter(
  database: Database,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ReviewTable[]> {
  return await database
    .selectFrom("review")
    .selectAll()
    .where("id", ">", after)
    .where((where) => where.or([where("written_at", "is not", null), where("replied_at", "is not", null)]))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The highest arrival number so far; 0 in an empty store. */
export async function lastArrival(database: Database): Promise<number> {
  const row = await database
    .selectFrom("review")
    .select(({ fn }) => fn.max("arrived").as("arrived"))
    .executeTakeFirst();
  return row?.arrived ?? 0;
}
