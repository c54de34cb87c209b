/** SQL for the ids of withdrawn reviews: what remains of a review that is no longer in the store, for its address. */
import { insertMany } from "../engine/insert-many.ts";
import type { Database } from "../tables.ts";

/** Records that these reviews are being withdrawn. */
export async function addWithdrawn(transaction: Database, ids: readonly string[]): Promise<void> {
  await insertMany(transaction, "withdrawn_review", { rows: ids.map((id) => ({ id })), skipsConflicts: true });
}

/** The ids of withdrawn reviews, in no particular order. */
export async function withdrawnReviewIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom("withdrawn_review").select("id").execute();
  return rows.map(({ id }) => id);
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
