/** A taxonomy of two aspects to test the figures with, and reviews read by it. */

import { parseTaxonomy, type Taxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readModelFiles } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { analyseText } from "../../src/insight/text-analysis.ts";
import type { Review } from "../../src/review.ts";
import { deriveReviewId } from "./review-id.ts";
import type { OwnAnalysis } from "./review-index.ts";

const YAML = `
format: 1
version: 3
label: Small trade
aspects:
  - id: price
    label: Price
    question: Is the price fair?
    praised_for: fair prices
    blamed_for: high prices
    positive: [fair price, fair prices, good deal, reasonable rate, honest quote, cheap parts, excellent value]
    negative: [total ripoff, hidden fees, overcharged]
    neutral: [average price]
    open: [estimate]
  - id: care
    label: Care
    question: Do they take care?
    praised_for: careful work
    blamed_for: careless work
    asked_unless: [price]
    positive: [careful work, took great care, gentle hands]
    negative: [careless, broke my gate]
`;

/** The taxonomy; its patterns are plain words. */
export function smallTrade(): Taxonomy {
  return parseTaxonomy(YAML, "small-trade", { model: readModelFiles("general") });
}

/** Reviews of stars and text, one a day, the first the newest. */
export function analysedReviews(
  rows: readonly (readonly [number, string | null])[],
  taxonomy: Taxonomy,
): { readonly review: Review; readonly analysis: OwnAnalysis }[] {
  return rows.map(([rating, text], index) => {
    const date = new Date(Date.UTC(2025, 0, 400 - index)).toISOString().slice(0, 10);
    return {
      review: {
        id: deriveReviewId("google", String(index), date),
        author: "A customer",
        author_avatar_url: null,
        rating,
        date,
        text,
        source: "google",
        source_url: null,
        owner_reply: null,
        verified: true,
      },
      analysis: {
        ...analyseText(text, rating, taxonomy),
        technicians: [],
        services: [],
        service_areas: [],
      },
    };
  });
}
