/** In which languages the reviews are, and whether those are read. */
import type { LanguageCount } from "../../insights-document.ts";
import { type AnalysedReviews, mentionsIn, UNREAD } from "./analysed-reviews.ts";

/** The languages of the texts, most frequent first. One of which a text was not read counts as not analysed. */
export function languageStatistics({ positionsByMark, sentiments }: AnalysedReviews): LanguageCount[] {
  return [...mentionsIn(positionsByMark, "language")]
    .map(([language, positions]) => ({
      language,
      review_count: positions.length,
      analysed: positions.every((position) => sentiments[position] !== UNREAD),
    }))
    .sort(byFrequency);
}

/** Most frequent first, then by tag. */
export function byFrequency(a: LanguageCount, b: LanguageCount): number {
  return b.review_count - a.review_count || (a.language < b.language ? -1 : 1);
}
