import assert from "node:assert/strict";
import { test } from "node:test";
import { saysSomethingAt } from "../../insight/figures/analysed-reviews.ts";
import type { Analysis } from "../../insights-document.ts";
import { isWords, type Review } from "../../review.ts";
import { makeReviewIndex } from "../review-index.ts";
import { recordedReviews } from "./recorded-review.ts";

const TEXTS = [null, "", " \n ", "\u3000", "\u3000ok", " fine", "ÿ", "Good work", "Good work", "GOOD work", "🙂"];

const reviews = TEXTS.map((text, number): Review => {
  return {
    id: `01HXAQZX0043VJ047M4K1PYH${String(99 - number).padStart(2, "0")}`,
    author: `Customer ${number}`,
    author_avatar_url: null,
    rating: 5,
    date: "2024-05-01",
    text,
    source: number === 0 ? "yelp" : "google",
    source_url: number % 2 === 0 ? null : `https://example.com/${number}`,
    owner_reply: number % 3 === 0 ? { text: "Thank you", date: "2024-05-02" } : null,
    verified: true,
  };
});

function analysisOf({ text }: Review): Analysis {
  const aspects = text?.includes("work") ? [{ id: "quality", sentiment: "positive" as const, evidence: "work" }] : [];
  const lists = { technicians: [], services: [], problems: [], service_areas: [], topics: ["repair"] };
  return { sentiment: "positive", score: 0.5, aspects, ...lists };
}

const index = makeReviewIndex({ reviews, analyses: reviews.map(analysisOf) });

test("a recorded review says what the review says, field by field and as JSON", () => {
  const recorded = recordedReviews(index);
  assert.equal(JSON.stringify(recorded), JSON.stringify(reviews));
  for (const [position, review] of reviews.entries()) {
    const same = recorded[position] as Review;
    for (const name of Object.keys(review) as (keyof Review)[]) assert.deepEqual(same[name], review[name], name);
    assert.equal(saysSomethingAt(index, position), isWords(review.text), JSON.stringify(review.text));
  }
});
