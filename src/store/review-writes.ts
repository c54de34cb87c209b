/**
 * SQL that imports use to read, add, change and delete reviews. Call it inside a transaction. Rows with words are read in
 * pages of bounded size: a database returns all rows of a query at once, and each may have 2 MB.
 */
import { sql } from "kysely";
import { boundedPages } from "../lib/bounded-pages.ts";
import { identityPart } from "../review.ts";
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

const KEYS = ["id", "source", "source_id", "source_key", "natural_key"] as const;
/** The size of the columns of a row that have no small limit. It is found without reading them. */
const rowBytes = sql<number | string>`coalesce(octet_length(text), 0) + coalesce(octet_length(reply_text), 0)`.as(
  "bytes",
);

/** What decides whether a stored row is the row of an imported review, and how many bytes of words it has. */
export interface StoredKeys extends Pick<ReviewTable, "id" | "source" | "source_id" | "source_key" | "natural_key"> {
  readonly bytes: number | string;
}

/** The rows that share a key with any of these, ordered by id. */
export async function reviewsByKeys(database: Database, keys: readonly ReviewKeys[]): Promise<StoredKeys[]> {
  return byId(await sharing(database, keys, ["source_key", "id", "natural_key"]));
}

/**
 * The rows that may correspond to these reviews, ordered by id: the rows with their source keys if each review has one,
 * otherwise all rows that share a key with any of them.
 */
export async function reviewsToMatch(database: Database, keys: readonly ReviewKeys[]): Promise<StoredKeys[]> {
  const bySource = await sharing(database, keys, ["source_key"]);
  if (bySource.length === keys.length) return byId(bySource);
  return byId([...bySource, ...(await sharing(database, keys, ["id", "natural_key"]))]);
}

async function sharing(
  database: Database,
  keys: readonly ReviewKeys[],
  columns: readonly (keyof ReviewKeys)[],
): Promise<StoredKeys[]> {
  const rows: StoredKeys[] = [];
  for (const column of columns) {
    const values = keys.map((key) => key[column]);
    const query = database
      .selectFrom("review")
      .select([...KEYS, rowBytes])
      .where(column, "in", values);
    for (const row of await query.execute()) rows.push(row);
  }
  return rows;
}

/** Each row once, ordered by id. */
function byId(rows: readonly StoredKeys[]): StoredKeys[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The rows with these ids, ordered by id. For few ids, or few and small rows. */
export async function reviewsById(database: Database, ids: readonly string[]): Promise<ReviewTable[]> {
  if (ids.length === 0) return [];
  return await database.selectFrom("review").selectAll().where("id", "in", ids).orderBy("id").execute();
}

/** The rows with these ids, ordered by id, in bounded pages. */
export async function* reviewPagesById(database: Database, ids: readonly string[]): AsyncGenerator<ReviewTable[]> {
  if (ids.length === 0) return;
  const sizes = await database
    .selectFrom("review")
    .select(["id", rowBytes])
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
  for (const page of boundedPages(sizes, ({ bytes }) => Number(bytes))) {
    yield await reviewsById(database, page.map(({ id }) => id)); // biome-ignore format: one page
  }
}

/** Those of the ids that are stored. */
export async function storedIds(database: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await database.selectFrom("review").select("id").where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Consecutive reviews in the order of their ids: those above `after`, up to `last` inclusive. */
export interface ReviewSpan {
  readonly after: string;
  readonly last: string;
}

/** Of ids: above `after`, and below `before` if there is one. */
export interface IdRange {
  readonly after: string;
  readonly before?: string;
}

/** All reviews of a range as spans of at most `limit` rows and of bounded size. */
export async function* reviewSpans(
  database: Database,
  limit: number,
  { after: start, before }: IdRange = { after: "" },
): AsyncGenerator<ReviewSpan> {
  for (let after = start; ; ) {
    const query = database.selectFrom("review").select(["id", rowBytes]).where("id", ">", after);
    const within = before === undefined ? query : query.where("id", "<", before);
    const rows = await within.orderBy("id").limit(limit).execute();
    for (const page of boundedPages(rows, ({ bytes }) => Number(bytes))) {
      const last = page.at(-1)?.id ?? after;
      yield { after, last };
      after = last;
    }
    if (rows.length < limit) return;
  }
}

/** What a person recognises the reviews with these ids by, ordered by id. */
export async function namesById(
  database: Database,
  ids: readonly string[],
): Promise<Pick<ReviewTable, "id" | "source" | "author" | "date">[]> {
  const query = database.selectFrom("review").select(["id", "source", "author", "date"]);
  return await query.where("id", "in", ids).orderBy("id").execute();
}

/** The ids of the stored reviews with these parts of ids, which do not depend on the reviews' dates, by the parts. */
export async function idsByIdentity(
  database: Database,
  parts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (parts.length === 0) return new Map();
  const rows = await database.selectFrom("review").select("id").where(sql`substr(id, 11)`, "in", parts).execute();
  return new Map(rows.map(({ id }) => [identityPart(id), id]));
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

/** All reviews in the order of their ids, in bounded pages of at most `limit`, which may be changed meanwhile. */
export async function* reviewPages(database: Database, limit: number): AsyncGenerator<ReviewTable[]> {
  for await (const { after, last } of reviewSpans(database, limit)) {
    const rows = database.selectFrom("review").selectAll().where("id", ">", after).where("id", "<=", last);
    yield await rows.orderBy("id").execute();
  }
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

/**
 * Up to `limit` reviews above `after`, in the order of their ids. Of which sources is the caller's to choose: SQLite would
 * sort all reviews of a source for each page.
 */
export async function reviewsAfter(
  database: Database,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Pick<ReviewTable, "id" | "source">[]> {
  const query = database.selectFrom("review").select(["id", "source"]).where("id", ">", after);
  return await query.orderBy("id").limit(limit).execute();
}

/** Up to `limit` ids of reviews from a source. */
export async function reviewIdsOf(database: Database, source: string, limit: number): Promise<string[]> {
  const query = database.selectFrom("review").select("id").where("source", "=", source).limit(limit);
  return (await query.execute()).map(({ id }) => id);
}

/** The rows of a span with an instant, ordered by id. */
export async function timedReviews(database: Database, { after, last }: ReviewSpan): Promise<ReviewTable[]> {
  return await database
    .selectFrom("review")
    .selectAll()
    .where("id", ">", after)
    .where("id", "<=", last)
    .where((where) => where.or([where("written_at", "is not", null), where("replied_at", "is not", null)]))
    .orderBy("id")
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
