/** Records what an import tells the owner: how many reviews are new or were made poor by an edit, and which it remembers. */
import { type SqlBool, sql } from "kysely";
import { MAX_POOR_RATING } from "../../business.ts";
import { isOnPostgres } from "../engine/postgres.ts";
import { addressesFor, MAX_REMEMBERED, recordNotice } from "../notice-rows.ts";
import type { PublishedCounts } from "../published-change-rows.ts";
import { publishedReviews, verifiedCondition } from "../review-rows.ts";
import type { Database, ReviewTable } from "../tables.ts";

interface ImportedChange {
  /** The number of the change in the history. */
  readonly number: number;
  /** What it altered of what is published. */
  readonly published: PublishedCounts;
  readonly at: Date;
  /** Whether the store had no reviews before. */
  readonly isFirst: boolean;
  readonly verifiedSources: readonly string[];
  /** How many reviews the import lacks although it covers them. */
  readonly vanished: number;
}

/**
 * Records the notice of an import, in its transaction. The first one of a store remembers no review. Of edits only those are
 * told that make a review poor: the owner's own replies are edits, too.
 */
export async function recordImportNotice(transaction: Database, imported: ImportedChange): Promise<void> {
  const { number, published, at, isFirst, vanished } = imported;
  const { added, changed } = published;
  if (added + changed + vanished === 0 || (await addressesFor(transaction, () => true)).length === 0) return;
  const fresh = isFirst || added === 0 ? [] : await addedReviews(transaction, imported);
  const poor = fresh.filter(({ rating }) => rating <= MAX_POOR_RATING).length;
  const worse = changed === 0 ? [] : await worsenedReviews(transaction, imported);
  const addresses = await addressesFor(
    transaction,
    ({ when }) =>
      (when.includes("new") && added > 0) ||
      (when.includes("poor") && (poor + worse.length > 0 || (isFirst && added > 0))) ||
      (when.includes("vanished") && vanished > 0),
  );
  const [reviews = [], edited = []] = [fresh, worse].map((each) => each.slice(0, MAX_REMEMBERED).map(({ id }) => id));
  const counts = { added, poor, changed, worsened: worse.length, vanished, remembered: reviews.length };
  const facts = { type: "change", ...counts, isFirst } as const;
  await recordNotice(transaction, { facts, at, change: number, reviews, edited, addresses });
}

type AddedReview = Pick<ReviewTable, "id" | "rating" | "date">;

/** The reviews that a change added and that are published: the poor ones first, then the newest. */
async function addedReviews(
  transaction: Database,
  { number, published, verifiedSources }: ImportedChange,
): Promise<readonly AddedReview[]> {
  const renamed = transaction
    .selectFrom("saved_row as renamed")
    .select("renamed.became")
    .where("renamed.change", "=", number)
    .where("renamed.became", "is not", null);
  const rows = await transaction
    .selectFrom("review")
    .innerJoin("saved_row", "saved_row.id", "review.id")
    .select(["review.id", "review.rating", "review.date"])
    .where("saved_row.change", "=", number)
    .where("saved_row.body", "is", null)
    .where("saved_row.id", "not in", renamed)
    .where(verifiedCondition(verifiedSources))
    .execute();
  const isPoor = ({ rating }: AddedReview) => Number(rating <= MAX_POOR_RATING);
  const sorted = rows.toSorted((one, other) => isPoor(other) - isPoor(one) || (one.id < other.id ? 1 : -1));
  return rows.length === published.added ? sorted : await publishedOnes(transaction, verifiedSources, sorted);
}

/** The published reviews that are poor and were not before a change, newest first. */
async function worsenedReviews(
  transaction: Database,
  { number, verifiedSources }: ImportedChange,
): Promise<readonly AddedReview[]> {
  const rated = isOnPostgres(transaction)
    ? sql<number>`cast(cast(saved_row.body as json) ->> 'rating' as integer)`
    : sql<number>`json_extract(saved_row.body, '$.rating')`;
  const rows = await transaction
    .selectFrom("saved_row")
    .innerJoin("review", (join) => join.on(sql<SqlBool>`review.id = coalesce(saved_row.became, saved_row.id)`))
    .select(["review.id", "review.rating", "review.date"])
    .where("saved_row.change", "=", number)
    .where("saved_row.body", "is not", null)
    .where("review.rating", "<=", MAX_POOR_RATING)
    .where(rated, ">", MAX_POOR_RATING)
    .where(verifiedCondition(verifiedSources))
    .orderBy("review.id", "desc")
    .execute();
  return rows.length === 0 ? [] : await publishedOnes(transaction, verifiedSources, rows);
}

/** Leaves out those that are copies of another source's reviews. */
async function publishedOnes(
  transaction: Database,
  verifiedSources: readonly string[],
  reviews: readonly AddedReview[],
): Promise<readonly AddedReview[]> {
  const days = new Set(reviews.map(({ date }) => date));
  const ids = new Set((await publishedReviews(transaction, verifiedSources, days)).map(({ id }) => id));
  return reviews.filter(({ id }) => ids.has(id));
}
