import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_ANALYSIS } from "../../test/support/empty-analysis.ts";
import { makeReviewIndex } from "../../test/support/review-index.ts";
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import type { Review } from "../review.ts";
import type { ReviewIndex } from "./review-index.ts";
import { search, searchSteps } from "./search.ts";
import { finish } from "./steps.ts";
import { buildWordIndex } from "./word-index.ts";

const COUNT = 8_100;
const WORDS = ["late", "early", "kind", "boiler"];

const reviews: Review[] = Array.from({ length: COUNT }, (_, number) => ({
  id: String(10 ** 9 - number).padStart(26, "0"),
  author: "Ann Sample",
  author_avatar_url: null,
  rating: 1 + (number % 5),
  date: new Date(Date.UTC(2026, 0, 1) - number * 3_600_000).toISOString().slice(0, 10),
  text: number % 7 === 0 ? null : WORDS.filter((_, word) => (number >> word) % 3 !== 0).join(" "),
  source: "google",
  source_url: null,
  owner_reply: null,
  verified: true,
}));
const analyses = reviews.map(() => EMPTY_ANALYSIS);
const business = { technicians: [], services: [] } as unknown as Business;
const unindexed = makeReviewIndex({ reviews, analyses });
const indexed: ReviewIndex = { ...unindexed, wordIndex: finish(buildWordIndex(unindexed)) };

const FILTERS: readonly Partial<Filter>[] = [
  { query: "boiler" },
  { query: "e" },
  { query: "kind boiler", min_rating: 2 },
  { rating: 3 },
  { query: "late", since: "2025-08-01", until: "2025-11-30" },
  { min_rating: 4, since: "2025-07-01" },
];

test("a search with or without a word index finds what a loop finds, in each order", () => {
  for (const filter of FILTERS) {
    for (const sort of ["newest", "oldest", "highest", "lowest"] as const) {
      const asked = { limit: 25, offset: 900, ...filter, sort };
      const { query = "", rating, min_rating = 0, since = "", until = "9" } = asked;
      const matching = reviews.flatMap((review, position) => {
        const isRated = (rating === undefined || review.rating === rating) && review.rating >= min_rating;
        const isDated = review.date >= since && review.date <= until;
        return isRated && isDated && (query === "" || review.text?.includes(query)) ? [position] : [];
      });
      const stars = (position: number) => reviews[position]?.rating ?? 0;
      if (sort === "oldest") matching.reverse();
      if (sort === "highest") matching.sort((a, b) => stars(b) - stars(a));
      if (sort === "lowest") matching.sort((a, b) => stars(a) - stars(b));
      const expected = { matched: matching.length, positions: matching.slice(900, 925) };
      for (const index of [unindexed, indexed]) {
        assert.deepEqual(search(index, business, asked), expected, JSON.stringify(asked));
      }
    }
  }
});

test("a query without words is found once in each review, at the ends of steps too", () => {
  const asked = { query: "!", limit: 5_000, offset: 0 };
  for (const count of [4_097, 4_099, 4_100, 8_003]) {
    const some = reviews.map((review, number) => ({ ...review, text: number % 3 === 0 ? "Fine!" : "Fine." }));
    const marked = makeReviewIndex({ reviews: some.slice(0, count), analyses: analyses.slice(0, count) });
    const expected = Array.from({ length: Math.ceil(count / 3) }, (_, number) => number * 3);
    for (const index of [marked, { ...marked, wordIndex: finish(buildWordIndex(marked)) }]) {
      assert.deepEqual(
        search(index, business, asked),
        { matched: expected.length, positions: expected },
        String(count),
      );
    }
  }
});

test("a search gives way after each two thousand reviews or so", () => {
  for (const index of [unindexed, indexed]) {
    const stepsOf = (filter: Partial<Filter>) =>
      [...searchSteps(index, business, { limit: 20, offset: 0, ...filter })].length;
    for (const filter of [{ query: "e" }, { query: "kind boiler" }, { rating: 3 }]) assert.ok(stepsOf(filter) >= 3);
    assert.equal(stepsOf({}), 0);
  }
});
