import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_ANALYSIS } from "../../test/support/empty-analysis.ts";
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import type { Review } from "../review.ts";
import { areTextsIndexed, completeTexts, makeReviewIndex } from "./review-index.ts";
import { search, searchSteps } from "./search.ts";
import { makeSegments, noSegments } from "./text-search/text-segments.ts";

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
const index = makeReviewIndex({ reviews, analyses });

const FILTERS: readonly Partial<Filter>[] = [
  { query: "boiler" },
  { query: "e" },
  { query: "kind boiler", min_rating: 2 },
  { rating: 3 },
  { query: "late", since: "2025-08-01", until: "2025-11-30" },
  { min_rating: 4, since: "2025-07-01" },
];

test("a search in many steps finds what a loop finds, in each order", () => {
  for (const filter of FILTERS) {
    for (const order of [undefined, "oldest", "highest", "lowest"] as const) {
      const asked = { limit: 25, offset: 900, ...filter };
      const { query = "", rating, min_rating = 0, since = "", until = "9" } = asked;
      const matching = reviews.flatMap((review, position) => {
        const isRated = (rating === undefined || review.rating === rating) && review.rating >= min_rating;
        const isDated = review.date >= since && review.date <= until;
        return isRated && isDated && (query === "" || review.text?.includes(query)) ? [position] : [];
      });
      const stars = (position: number) => reviews[position]?.rating ?? 0;
      if (order === "oldest") matching.reverse();
      if (order === "highest") matching.sort((a, b) => stars(b) - stars(a));
      if (order === "lowest") matching.sort((a, b) => stars(a) - stars(b));
      const expected = { matched: matching.length, positions: matching.slice(900, 925) };
      assert.deepEqual(search(index, business, asked, { order }), expected, JSON.stringify([filter, order]));
    }
  }
});

test("reviews whose texts are not indexed yet are found by reading them", () => {
  const some = makeSegments(index, [{ start: 0, end: 3_000, from: undefined }]);
  for (const texts of [noSegments(), some]) {
    const incomplete = { ...index, ...texts };
    for (const filter of FILTERS) {
      const asked = { limit: 25, offset: 900, ...filter };
      assert.deepEqual(search(incomplete, business, asked), search(index, business, asked), JSON.stringify(filter));
    }
    const steps = [...searchSteps(incomplete, business, { limit: 20, offset: 0, query: "boiler" })];
    assert.ok(steps.length >= 4, String(steps.length));
    assert.deepEqual(completeTexts(incomplete), makeSegments(index, [{ start: 0, end: COUNT, from: undefined }]));
  }
});

test("a query without words is found once in each review, where segments end too", () => {
  const asked = { query: "!", limit: 5_000, offset: 0 };
  for (const count of [4_097, 4_099, 4_100, 8_003]) {
    const some = reviews.map((review, number) => ({ ...review, text: number % 3 === 0 ? "Fine!" : "Fine." }));
    const marked = makeReviewIndex({ reviews: some.slice(0, count), analyses: analyses.slice(0, count) });
    const expected = Array.from({ length: Math.ceil(count / 3) }, (_, number) => number * 3);
    assert.deepEqual(search(marked, business, asked), { matched: expected.length, positions: expected }, String(count));
  }
});

test("the texts of very many new reviews are indexed later", () => {
  const entriesOf = (count: number) => {
    const some = Array.from({ length: count }, (_, number) => reviews[number % COUNT] as Review);
    return { reviews: some, analyses: some.map(() => EMPTY_ANALYSIS) };
  };
  assert.ok(areTextsIndexed(makeReviewIndex(entriesOf(20_000))));
  const entries = entriesOf(20_001);
  const many = makeReviewIndex(entries);
  assert.ok(!areTextsIndexed(many));
  const next = () => makeReviewIndex(entries, { pieces: [{ start: 0, end: 20_001, from: 0 }], before: many });
  assert.ok(!areTextsIndexed(next()), "readers wait for them just as little in the edition after that");
  completeTexts(many);
  assert.ok(areTextsIndexed(next()));
});

test("a search gives way after each two thousand reviews or so", () => {
  const stepsOf = (filter: Partial<Filter>) =>
    [...searchSteps(index, business, { limit: 20, offset: 0, ...filter })].length;
  for (const filter of [{ query: "e" }, { query: "boiler" }, { rating: 3 }]) assert.ok(stepsOf(filter) >= 2);
  assert.equal(stepsOf({}), 0);
});
