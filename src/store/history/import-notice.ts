/** Records what an import tells the owner: how many reviews are new, and which of them are quoted. */
import { MAX_POOR_RATING } from "../../business.ts";
import { addressesFor, recordNotice } from "../notice-rows.ts";
import type { PublishedCounts } from "../published-change-rows.ts";
import { publishedReviews, verifiedCondition } from "../review-rows.ts";
import type { Database, ReviewTable } from "../tables.ts";

/** Reviews that a notice quotes. */
const MAX_QUOTED = 20;

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

/** Records the notice of an import, in its transaction. The first one of a store quotes no review. */
export async function recordImportNotice(transaction: Database, imported: ImportedChange): Promise<void> {
  const { number, published, at, isFirst, vanished } = imported;
  const { added, changed } = published;
  if (added + vanished === 0 || (await addressesFor(transaction, () => true)).length === 0) return;
  const fresh = isFirst || added === 0 ? [] : await addedReviews(transaction, imported);
  const poor = fresh.filter(({ rating }) => rating <= MAX_POOR_RATING).length;
  const addresses = await addressesFor(
    transaction,
    ({ when }) =>
      (when.includes("new") && added > 0) ||
      (when.includes("poor") && (poor > 0 || (isFirst && added > 0))) ||
      (when.includes("vanished") && vanished > 0),
  );
  const reviews = fresh.slice(0, MAX_QUOTED).map(({ id }) => id);
  const facts = { type: "change", added, poor, changed, vanished, quoted: reviews.length, isFirst } as const;
  await recordNotice(transaction, { facts, at, change: number, reviews, addresses });
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
  if (rows.length === published.added) return sorted;
  const days = new Set(rows.map(({ date }) => date)); // some are copies of another source's reviews
  const ids = new Set((await publishedReviews(transaction, verifiedSources, days)).map(({ id }) => id));
  return sorted.filter(({ id }) => ids.has(id));
}
