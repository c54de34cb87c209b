/** SQL for published reviews: verified rows that are not copies of another source's rows, converted to reviews. */
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Review } from "../review.ts";
import { type Copy, CopyFinder, type CopyRow } from "./review-copies.ts";
import type { Database, ReviewTable, Tables } from "./tables.ts";

/**
 * SQL condition for verified rows: the source is verified, or the row itself is marked as verified (interface §1).
 * Published are the verified rows without copies: see `publishedReviews`.
 */
export function verifiedCondition(verifiedSources: readonly string[]) {
  return (where: ExpressionBuilder<Tables, "review">): Expression<SqlBool> =>
    where.or([
      where("row_verified", "=", 1),
      ...(verifiedSources.length > 0 ? [where("source", "in", [...verifiedSources])] : []),
    ]);
}

/**
 * The verified reviews in the order of publication: newest date first, then id in descending order. A review that was
 * imported from two sources is listed once (interface §5).
 */
export async function publishedReviews(database: Database, verifiedSources: readonly string[]): Promise<Review[]> {
  const rows = await database
    .selectFrom("review")
    .select(READ_COLUMNS)
    .where(verifiedCondition(verifiedSources))
    .orderBy("date", "desc")
    .orderBy("id", "desc")
    .execute();
  const copies = new Set(copiesAmong(rows, verifiedSources).map(({ id }) => id));
  return rows.filter(({ id }) => !copies.has(id)).map(publishedReview);
}

/** The columns of a review that are published. */
export const PUBLISHED_COLUMNS = [
  "id",
  "author",
  "author_avatar_url",
  "rating",
  "date",
  "text",
  "source",
  "source_url",
  "reply_text",
  "reply_date",
] as const satisfies (keyof ReviewTable)[];

/** Those, and the columns that identify copies. Reading all columns takes 50 % longer. */
const READ_COLUMNS = [...PUBLISHED_COLUMNS, "source_id", "arrived"] as const;

function copiesAmong(rows: readonly CopyRow[], verifiedSources: readonly string[]): Copy[] {
  if (new Set(rows.map(({ source }) => source)).size < 2) return [];
  const finder = new CopyFinder(verifiedSources);
  for (const row of rows) finder.add(row);
  return [...finder.copies()];
}

/** A row that is a copy, and whether its own source is verified. */
export interface StoredCopy extends Copy {
  readonly isVerified: boolean;
}

const ROWS_AT_A_TIME = 2000;

/**
 * Every stored row that is not published because another source has the same review: copies among verified rows, and
 * rows of unverified sources that are also published from a verified one.
 */
export async function storedCopies(database: Database, verifiedSources: readonly string[]): Promise<StoredCopy[]> {
  const sources = await database.selectFrom("review").select("source").distinct().execute();
  if (sources.length < 2) return [];
  const published = new CopyFinder(verifiedSources);
  const all = new CopyFinder(verifiedSources);
  const unverified = new Set<string>();
  for (let after = ""; ; ) {
    const rows = await database
      .selectFrom("review")
      .select(["id", "source", "source_id", "author", "date", "text", "arrived", "row_verified"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(ROWS_AT_A_TIME)
      .execute();
    for (const row of rows) {
      const isVerified = row.row_verified === 1 || verifiedSources.includes(row.source);
      if (isVerified) published.add(row);
      else unverified.add(row.id);
      // Published rows come first here, whenever they were imported: the aim is to find the one that a row is a copy of.
      all.add({ ...row, arrived: isVerified ? row.arrived : Number.MAX_SAFE_INTEGER });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_A_TIME) break;
    after = last.id;
  }
  const withheld = [...all.copies()].filter(({ id, original }) => unverified.has(id) && !unverified.has(original.id));
  return [
    ...[...published.copies()].map((copy) => ({ ...copy, isVerified: true })),
    ...withheld.map((copy) => ({ ...copy, isVerified: false })),
  ];
}

/** The number of verified reviews, including copies. */
export async function countVerified(
  database: Database,
  verifiedSources: readonly string[],
  ids?: readonly string[],
): Promise<number> {
  if (ids?.length === 0) return 0;
  let query = database.selectFrom("review").select(({ fn }) => fn.countAll().as("count"));
  query = query.where(verifiedCondition(verifiedSources));
  if (ids !== undefined) query = query.where("id", "in", [...ids]);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Converts a verified row to a review with its ten published fields. */
function publishedReview(row: Pick<ReviewTable, (typeof PUBLISHED_COLUMNS)[number]>): Review {
  const { id, author, author_avatar_url, rating, date, text, source, source_url, reply_text, reply_date } = row;
  const owner_reply = reply_text === null || reply_date === null ? null : { text: reply_text, date: reply_date };
  return { id, author, author_avatar_url, rating, date, text, source, source_url, owner_reply, verified: true };
}

/** The ids of removed reviews, in ascending order. Redacted reviews are not among them. */
export async function removedReviewIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom("removal").select("id").where("what", "=", "review").orderBy("id").execute();
  return rows.map(({ id }) => id);
}
