/** Review indexes of reviews and analyses to test with. */

import { type BusinessFile, UNNAMED_BUSINESS } from "../../src/business.ts";
import type { ReviewIndex } from "../../src/edition/review-index.ts";
import { themeEdits, writeReviews } from "../../src/edition/review-index-writer.ts";
import { countReadTexts } from "../../src/insight/statistics/analysed-reviews.ts";
import { findThemes } from "../../src/insight/theme/themes.ts";
import type { Analysis } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { NO_SEQUENCE } from "../../src/store/change-sequence.ts";

/** An analysis before the themes of all reviews are known. */
export type OwnAnalysis = Omit<Analysis, "topics"> & { readonly theme_words?: string };

interface Entries {
  /** In the order of publication. */
  readonly reviews: readonly Review[];
  /** The analysis of each review, at the same place. */
  readonly analyses: readonly OwnAnalysis[];
  readonly business?: BusinessFile;
}

export function makeReviewIndex({ reviews, analyses, business = UNNAMED_BUSINESS }: Entries): ReviewIndex {
  const next = analyses.values();
  const written = writeReviews(reviews, {
    sequence: NO_SEQUENCE,
    analyse: () => {
      const { theme_words: themeWords = "", ...analysis } = next.next().value as OwnAnalysis;
      return { analysis: { ...analysis, topics: [] }, themeWords };
    },
  });
  const { themes } = findThemes(written.themeColumns, countReadTexts(written.columns), business);
  const { items: records, starts } = written.records.document("[", "]");
  const edits = themeEdits(reviews, themes, { last: undefined, count: reviews.length });
  const { items, starts: analysisStarts } = written.analyses.edited(edits).frame("{", "}");
  return { ...written.columns, themes, records, starts, analyses: items, analysisStarts };
}
