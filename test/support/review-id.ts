/** Ids of reviews, as an import derives them, and the order of reviews, which is theirs. */
import { reviewHash, reviewIdOf } from "../../src/review.ts";

/** The id of the review that has this id at its source. */
export function deriveReviewId(source: string, sourceId: string, date: string): string {
  return reviewIdOf(reviewHash(source, sourceId), date);
}

/** Orders reviews as they are published: newest date first, then id in descending order. */
export function newestFirst(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
