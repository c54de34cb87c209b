import assert from "node:assert/strict";
import { test } from "node:test";
import { saysSomethingAt } from "../../insight/figures/analysed-reviews.ts";
import type { Analysis } from "../../insights-document.ts";
import { isWords, type Review } from "../../review.ts";
import { makeReviewIndex } from "../review-index.ts";
import { keptReviews } from "./kept-reviews.ts";

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

test("a review that is read from an edition's bytes is the review", () => {
  const kept = keptReviews(index);
  assert.equal(kept.length, reviews.length);
  for (const [position, review] of reviews.entries()) {
    assert.equal(JSON.stringify(kept.at(position)), JSON.stringify(review));
    assert.equal(kept.idAt(position), review.id);
    assert.equal(kept.ratingAt(position), review.rating);
    assert.equal(saysSomethingAt(index, position), isWords(review.text), JSON.stringify(review.text));
  }
});
