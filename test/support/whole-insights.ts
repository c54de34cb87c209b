/** Insights with the entries of single reviews, as `/insights.json` has them, and reviews as statistics read them. */

import type { BusinessFile } from "../../src/business.ts";
import { analysisAt, type ReviewIndex, reviewsForStatistics } from "../../src/edition/review-index.ts";
import { buildInsights, type InsightsInput } from "../../src/insight/insights-builder.ts";
import type { AnalysedReviews } from "../../src/insight/statistics/analysed-reviews.ts";
import type { Insights } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { newestFirst } from "./review-id.ts";
import { makeReviewIndex, type OwnAnalysis } from "./review-index.ts";

interface ReviewAndAnalysis {
  readonly review: Review;
  readonly analysis: OwnAnalysis;
}

/** Reviews with their analyses in the order of publication, in columns. */
export function inColumns(entries: readonly ReviewAndAnalysis[]): AnalysedReviews {
  return reviewsForStatistics(indexOf(entries));
}

function indexOf(entries: readonly ReviewAndAnalysis[], business?: BusinessFile): ReviewIndex {
  const ordered = entries.toSorted((a, b) => newestFirst(a.review, b.review));
  const reviews = ordered.map(({ review }) => review);
  return makeReviewIndex({ reviews, analyses: ordered.map(({ analysis }) => analysis), ...(business && { business }) });
}

/** What insights are made of, with each review's analysis at the same place. */
interface WholeInput extends Omit<InsightsInput, "analysed"> {
  readonly reviews: readonly Review[];
  readonly analyses: readonly OwnAnalysis[];
}

export function wholeInsights({ reviews, analyses, ...input }: WholeInput): Insights {
  const entries = reviews.flatMap((review, index) => {
    const analysis = analyses[index];
    return analysis === undefined ? [] : { review, analysis };
  });
  entries.sort((a, b) => newestFirst(a.review, b.review));
  const index = indexOf(entries, input.business);
  return {
    ...buildInsights({ ...input, analysed: reviewsForStatistics(index) }),
    per_review: Object.fromEntries(entries.map(({ review }, position) => [review.id, analysisAt(index, position)])),
  };
}
