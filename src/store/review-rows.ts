/** Reviews as rows: which of them are published, and how a row becomes a review. */
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Review } from "../review.ts";
import type { Database, ReviewTable, Tables } from "./tables.ts";

/** The condition that a row is published: its source is verified, or it says so itself (interface §1). */
export function isPublished(verifiedSources: readonly string[]) {
  return (where: ExpressionBuilder<Tables, "review">): Expression<SqlBool> =>
    where.or([
      where("row_verified", "=", 1),
      ...(verifiedSources.length > 0 ? [where("source", "in", [...verifiedSources])] : []),
    ]);
}

/** The verified reviews in the order of publication: newest date first, then id descending. */
export async function publishedReviews(database: Database, verifiedSources: readonly string[]): Promise<Review[]> {
  const rows = await database
    .selectFrom("review")
    .selectAll()
    .where(isPublished(verifiedSources))
    .orderBy("date", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(publishedReview);
}

/** The ten published fields of a verified row. */
function publishedReview(row: ReviewTable): Review {
  const { id, author, author_avatar_url, rating, date, text, source, source_url, reply_text, reply_date } = row;
  const owner_reply = reply_text === null || reply_date === null ? null : { text: reply_text, date: reply_date };
  return { id, author, author_avatar_url, rating, date, text, source, source_url, owner_reply, verified: true };
}
