/** Records what a change tells the owner: how many reviews are new or were made poor by an edit, and which it remembers. */
import { type SqlBool, sql } from "kysely";
import { MAX_POOR_RATING } from "../../business.ts";
import { isOnPostgres } from "../engine/postgres.ts";
import { addressesFor, isToldOf, MAX_REMEMBERED, recordNotice } from "../notice-rows.ts";
import type { Database, ReviewTable } from "../tables.ts";
import type { PublishedDifference } from "./published-difference.ts";

interface ToldChange {
  /** The number of the change in the history. */
  readonly number: number;
  /** What it altered of what is published. */
  readonly published: Pick<PublishedDifference, "added" | "changed" | "fresh">;
  /** Whether what it changed of them was edited where they were written, and not by a restore. */
  readonly isEdit: boolean;
  readonly at: Date;
  /** Whether nothing was published before. */
  readonly isFirst: boolean;
  /** How many reviews an import lacks although it covers them. */
  readonly vanished: number;
}

/**
 * Records the notice of a change, in its transaction, when it is finished. The first one of a store remembers no review. Of
 * edits only those are told that make a review poor: the owner's own replies are edits, too.
 */
export async function recordChangeNotice(transaction: Database, told: ToldChange): Promise<void> {
  const { number, published, isEdit, at, isFirst, vanished } = told;
  const { added, changed } = published;
  if (added + changed + vanished === 0 || (await addressesFor(transaction, () => true)).length === 0) return;
  const fresh = isFirst ? [] : await poorFirst(transaction, published.fresh);
  const poor = fresh.filter(isPoor).length;
  const worse = !isEdit || changed === 0 ? [] : await worsenedReviews(transaction, number, new Set(published.fresh));
  const reviews = fresh.slice(0, MAX_REMEMBERED).map(({ id }) => id);
  const edited = worse.slice(0, MAX_REMEMBERED);
  const counts = { added, poor, changed, worsened: worse.length, vanished, remembered: reviews.length };
  const facts = { type: "change", ...counts, isFirst } as const;
  const addresses = await addressesFor(transaction, ({ when }) => isToldOf(when, facts));
  await recordNotice(transaction, { facts, at, change: number, reviews, edited, addresses });
}

type RatedReview = Pick<ReviewTable, "id" | "rating">;

/** These reviews: the poor ones first, then the newest. */
async function poorFirst(transaction: Database, ids: readonly string[]): Promise<readonly RatedReview[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.selectFrom("review").select(["id", "rating"]).where("id", "in", ids).execute();
  return rows.sort((one, other) => Number(isPoor(other)) - Number(isPoor(one)) || (one.id < other.id ? 1 : -1));
}

function isPoor({ rating }: RatedReview): boolean {
  return rating <= MAX_POOR_RATING;
}

/** The ids of the published reviews that are poor and were not before a change, newest first, without those that it published. */
async function worsenedReviews(
  transaction: Database,
  change: number,
  fresh: ReadonlySet<string>,
): Promise<readonly string[]> {
  const rated = isOnPostgres(transaction)
    ? sql<number>`cast(cast(saved_row.body as json) ->> 'rating' as integer)`
    : sql<number>`json_extract(saved_row.body, '$.rating')`;
  const rows = await transaction
    .selectFrom("saved_row")
    .innerJoin("review", (join) => join.on(sql<SqlBool>`review.id = coalesce(saved_row.became, saved_row.id)`))
    .innerJoin("published_review", "published_review.id", "review.id")
    .select("review.id")
    .where("saved_row.change", "=", change)
    .where("saved_row.body", "is not", null)
    .where("review.rating", "<=", MAX_POOR_RATING)
    .where(rated, ">", MAX_POOR_RATING)
    .where("is_gone", "=", 0)
    .orderBy("review.id", "desc")
    .execute();
  return rows.map(({ id }) => id).filter((id) => !fresh.has(id));
}
