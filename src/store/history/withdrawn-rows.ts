/**
 * SQL for withdrawn reviews: what remains of a review that is no longer in the store, for its address, and for the public
 * figure of those that the owner took out.
 */
import { identityPart } from "../../review.ts";
import { insertMany } from "../engine/insert-many.ts";
import type { Database, WithdrawnReviewTable } from "../tables.ts";

export type WithdrawnReview = Readonly<WithdrawnReviewTable>;

/** Records that these reviews are being taken out of the store. */
export async function addWithdrawn(transaction: Database, reviews: readonly WithdrawnReview[]): Promise<void> {
  await insertMany(transaction, "withdrawn_review", { rows: reviews, skipsConflicts: true });
}

/** Says of recorded reviews by which change the owner took them out, unless that is known; 0 takes it back. */
export async function markWithdrawn(transaction: Database, ids: readonly string[], change: number): Promise<void> {
  if (ids.length === 0) return;
  const update = transaction.updateTable("withdrawn_review").set({ withdrawn_by: change }).where("id", "in", ids);
  await update.where("withdrawn_by", change === 0 ? "<>" : "=", 0).execute();
}

/** Takes back that a change took reviews out. */
export async function unmarkChange(transaction: Database, change: number): Promise<void> {
  const update = transaction.updateTable("withdrawn_review").set({ withdrawn_by: 0 });
  await update.where("withdrawn_by", "=", change).execute();
}

/** The records of withdrawn reviews, in no particular order. */
export async function withdrawnReviews(database: Database): Promise<WithdrawnReview[]> {
  return await database.selectFrom("withdrawn_review").selectAll().execute();
}

/** The reviews that the owner took out, by the part of their ids that outlives a change of the day. */
export async function ownerWithdrawn(database: Database): Promise<ReadonlyMap<string, WithdrawnReview>> {
  const rows = await database.selectFrom("withdrawn_review").selectAll().where("withdrawn_by", ">", 0).execute();
  return new Map(rows.map((row) => [identityPart(row.id), row]));
}

/** Deletes the ids of reviews that are in the store again. Called at the end of a change. */
export async function forgetReturned(transaction: Database): Promise<void> {
  await transaction
    .deleteFrom("withdrawn_review")
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("review").select("review.id").whereRef("review.id", "=", "withdrawn_review.id")),
    )
    .execute();
}
