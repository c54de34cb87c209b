/** Ids of reviews, as an import derives them. */
import { reviewHash, reviewIdOf } from "../../src/review.ts";

/** The id of the review that has this id at its source. */
export function deriveReviewId(source: string, sourceId: string, date: string): string {
  return reviewIdOf(reviewHash(source, sourceId), date);
}
