/** Insights with the entries of single reviews, as `/insights.json` has them. */

import { buildInsights } from "../src/insight/insights-builder.ts";
import type { Insights } from "../src/insights-document.ts";
import { compareReviews } from "../src/review.ts";

export function wholeInsights(input: Parameters<typeof buildInsights>[0]): Insights {
  const entries = input.reviews.map((review, index) => ({ review, analysis: input.analyses[index] }));
  entries.sort((a, b) => compareReviews(a.review, b.review));
  return {
    ...buildInsights(input).insights,
    per_review: Object.fromEntries(
      entries.flatMap(({ review, analysis }) => (analysis ? [[review.id, analysis]] : [])),
    ),
  };
}
