/** How reviews come into the store, change and leave it; called inside the transaction of an import. */
import type { Database, ReviewTable } from "./tables.ts";

const ROWS_AT_A_TIME = 100;

/** By what a review may be known to the store. */
export interface ReviewKeys {
  readonly id: string;
  readonly source_key: string;
  readonly natural_key: string;
}

/** The rows that share a key with any of these, by id. */
export async function reviewsByKeys(database: Database, keys: readonly ReviewKeys[]): Promise<ReviewTable[]> {
  const rows = new Map<string, ReviewTable>();
  for (const column of ["id", "source_key", "natural_key"] as const) {
    const values = keys.map((key) => key[column]);
    const found = await database.selectFrom("review").selectAll().where(column, "in", values).execute();
    for (const row of found) rows.set(row.id, row);
  }
  return [...rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The rows of these ids. */
export async function reviewsByIds(database: Database, ids: readonly string[]): Promise<ReviewTable[]> {
  if (ids.length === 0) return [];
  return await database.selectFrom("review").selectAll().where("id", "in", ids).execute();
}

/** The rows of these ids, by id. */
export async function reviewsById(database: Database, ids: readonly string[]): Promise<ReviewTable[]> {
  return await database.selectFrom("review").selectAll().where("id", "in", ids).orderBy("id").execute();
}

/** Adds rows. `isKnownSkipped`: one whose id or source key is known already is the same review, and left out. */
export async function insertReviews(
  database: Database,
  rows: readonly ReviewTable[],
  { isKnownSkipped = false }: { readonly isKnownSkipped?: boolean } = {},
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
    const insert = database.insertInto("review").values(rows.slice(start, start + ROWS_AT_A_TIME));
    await (isKnownSkipped ? insert.onConflict((conflict) => conflict.doNothing()) : insert).execute();
  }
}

/** Puts `row` where the row of `id` stands; its own id may be another. */
export async function replaceReview(database: Database, id: string, row: ReviewTable): Promise<void> {
  await database.updateTable("review").set(row).where("id", "=", id).execute();
}

export async function deleteReviews(database: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await database.deleteFrom("review").where("id", "in", ids).execute();
}

/** Up to `limit` rows that come after `after`, by id. */
export async function reviewsAfter(database: Database, after: string, limit: number): Promise<ReviewTable[]> {
  return await database.selectFrom("review").selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

/** How many reviews of each source there are, published or not. */
export async function countBySource(database: Database): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom("review")
    .select(({ fn }) => ["source", fn.countAll<number | string>().as("count")])
    .groupBy("source")
    .orderBy("source")
    .execute();
  return new Map(rows.map(({ source, count }) => [source, Number(count)]));
}

/** Up to `limit` ids of these sources that come after `after`, ascending. */
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

/** Up to `limit` rows that know an instant and come after `after`, by id. */
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

/** The highest number of arrival so far; 0 in an empty store. */
export async function lastArrival(database: Database): Promise<number> {
  const row = await database
    .selectFrom("review")
    .select(({ fn }) => fn.max("arrived").as("arrived"))
    .executeTakeFirst();
  return row?.arrived ?? 0;
}
