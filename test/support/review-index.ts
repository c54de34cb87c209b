/** Review indexes of reviews and analyses to test with. */

import type { ReviewIndex } from "../../src/edition/review-index.ts";
import { writeReviews } from "../../src/edition/review-index-writer.ts";
import type { Analysis } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { NO_SEQUENCE } from "../../src/store/change-sequence.ts";

interface Entries {
  /** In the order of publication. */
  readonly reviews: readonly Review[];
  /** The analysis of each review, at the same place. */
  readonly analyses: readonly Analysis[];
}

export function makeReviewIndex({ reviews, analyses }: Entries): ReviewIndex {
  const next = analyses.values();
  const written = writeReviews(reviews, { sequence: NO_SEQUENCE, analyse: () => next.next().value as Analysis });
  const { items: records, starts } = written.records.document("[", "]");
  const { items, starts: analysisStarts } = written.analyses.document("{", "}");
  return { ...written.columns, records, starts, analyses: items, analysisStarts };
}
