import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_ANALYSIS } from "../../test/support/empty-analysis.ts";
import { makeReviewIndex } from "../../test/support/review-index.ts";
import type { Business } from "../business.ts";
import { type Filter, filterSchema } from "../filter.ts";
import type { Review } from "../review.ts";
import type { ReviewIndex } from "./review-index.ts";
import { search } from "./search.ts";
import { searchHints } from "./search-hints.ts";
import { finish } from "./steps.ts";
import { buildWordIndex } from "./word-index.ts";

const TEXTS = [
  "Good for marriages, with a generator.",
  "No generators when the power fails",
  "The AC was off",
  "AC not working, parking far away",
  "Las bodegas, a small room",
  null,
  "Valet at a conjusted gate, a great deal",
  "Take care of your car, kinds of food, staff in an emergency",
  "A steep staircase, many steps",
];
const reviews: Review[] = TEXTS.map((text, number) => ({
  id: String(10 ** 9 - number).padStart(26, "0"),
  author: "Ann Sample",
  author_avatar_url: null,
  rating: 1 + (number % 5),
  date: "2026-01-01",
  text,
  source: "google",
  source_url: null,
  owner_reply: null,
  verified: true,
}));
const business = { technicians: [], services: [] } as unknown as Business;
const unindexed = makeReviewIndex({ reviews, analyses: reviews.map(() => EMPTY_ANALYSIS) });
const indexed: ReviewIndex = { ...unindexed, wordIndex: finish(buildWordIndex(unindexed)) };

/** The hints on a search, which are the same with the word index and without. */
function hintsOn(filter: Partial<Filter>, unknown: readonly string[] = []): string[] {
  const whole = filterSchema.parse(filter);
  const [one, other] = [unindexed, indexed].map((reviewIndex) => {
    const searched = { reviewIndex, business, topics: [], languages: [{ language: "en" }] };
    return finish(searchHints(searched, whole, search(reviewIndex, business, whole), unknown));
  });
  assert.deepEqual(one, other);
  return one ?? [];
}

const HELD: readonly (readonly [filter: Partial<Filter>, held: string])[] = [
  [{ words: "marriage" }, '"marriages" in 1'],
  [{ all_words: "Marriage" }, '"marriages" in 1'],
  [{ words: "weddings" }, '"marriages" in 1'],
  [{ query: "weddings" }, '"marriages" in 1'],
  [{ words: "air" }, '"ac" in 2'],
  [{ words: "aircon" }, '"ac" in 2'],
  [{ words: "powers" }, '"power" in 1'],
  [{ all_words: "generators marriage", max_rating: 1 }, '"generator" in 1'],
];
for (const [filter, held] of HELD) {
  test(`searchHints() names the forms that reviews hold where ${JSON.stringify(filter)} finds none`, () => {
    const [first = ""] = hintsOn(filter);
    assert.match(first, /^No review is found with "[^"]+"; other forms of it, or words for it, are: /);
    assert.ok(first.includes(`: ${held}.`), first);
  });
}

test("searchHints() takes no word of a question for the name of a thing: “how many guests” asks for “small”", () => {
  assert.match(hintsOn({ words: "capacity" })[0] ?? "", /: "small" in 1\.$/);
  assert.deepEqual(hintsOn({ words: "guests" }), []);
});

test("searchHints() names what reviews hold that is spelt almost like a word, if one of the two is no usual word", () => {
  assert.deepEqual(hintsOn({ words: "vallet" }), [
    'No review is found with "vallet"; spelt almost like it: "valet" in 1.',
  ]);
  assert.match(hintsOn({ words: "congested" })[0] ?? "", /: "conjusted" in 1\.$/);
  for (const words of ["grate", "grease", "vale", "cojsted", "cinjosted"])
    assert.deepEqual(hintsOn({ words }), [], words);
});

test("searchHints() says nothing of a word that is held, that no form of is held, or that other filters leave out", () => {
  assert.deepEqual(hintsOn({ words: "parking" }), []);
  assert.deepEqual(hintsOn({ words: "zebra" }), []);
  assert.deepEqual(hintsOn({ words: "parking", rating: 5 }), []);
  assert.deepEqual(hintsOn({ words: "marriage", rating: 5 }), []);
});

test("searchHints() says that a day after the newest review, and stars beyond those asked for, match nothing", () => {
  assert.deepEqual(hintsOn({ since: "2026-01-02" }), [
    "since (2026-01-02) is after the newest review, which is of 2026-01-01, so nothing matches.",
  ]);
  assert.deepEqual(hintsOn({ since: "2026-01-01" }), []);
  for (const filter of [{ min_rating: 4 }, { max_rating: 2 }])
    assert.deepEqual(hintsOn({ rating: 3, ...filter }), ["rating (3) is beyond min_rating or max_rating, so nothing matches."]); // biome-ignore format: a row
  assert.deepEqual(hintsOn({ rating: 3, min_rating: 3, max_rating: 3, words: "ac" }), []);
});

test("searchHints() names the nearest parameter only where one is near", () => {
  assert.deepEqual(hintsOn({}, ["min_ratting", "format", "zzzzzzzzzzzz"]), [
    '"min_ratting" is not a parameter and was ignored; the nearest is min_rating.',
    '"format" is not a parameter and was ignored.',
    '"zzzzzzzzzzzz" is not a parameter and was ignored.',
  ]);
});

test("searchHints() does not say that topics are what most reviews name", () => {
  assert.match(
    hintsOn({ topic: "weather" })[0] ?? "",
    /none is known; topics are only what several reviews name: words finds anything else\.$/,
  );
});

test("searchHints() names a word that no review holds beside others that are held", () => {
  const marriage = 'No review is found with "marriage"; other forms of it, or words for it, are: "marriages" in 1.';
  assert.deepEqual(hintsOn({ words: "marriage parking" }), [marriage]);
  assert.deepEqual(hintsOn({ words: "marriage parking", limit: 1, offset: 9 }).slice(1), [marriage]);
  assert.deepEqual(hintsOn({ words: "parking, zebra" }), []);
  assert.deepEqual(hintsOn({ all_words: "parking zebra" }), []);
  assert.deepEqual(hintsOn({ words: "vallet parking" }), [
    'No review is found with "vallet"; spelt almost like it: "valet" in 1.',
  ]);
  assert.deepEqual(hintsOn({ words: "ac parking generators" }), []);
});

test("searchHints() takes neither a word for the same aspect nor an opposite for a word for the same", () => {
  for (const words of ["rude", "drinks", "quickly", "large"]) assert.deepEqual(hintsOn({ words }), [], words);
  assert.match(hintsOn({ words: "stairs" })[0] ?? "", /are: "staircase" in 1, "steps" in 1\.$/);
});

test("searchHints() says that words without a letter or digit were ignored", () => {
  const [hint] = hintsOn({ words: ", ," });
  assert.equal(hint, 'words is ", ,", which holds no word and was ignored.');
  assert.match(hintsOn({ all_words: "," })[0] ?? "", /^all_words is ",", which holds no word/);
  assert.deepEqual(hintsOn({ words: " " }), []);
});

test("searchHints() looks for forms of the first five words alone, because each is a search", () => {
  assert.equal(hintsOn({ words: "ab cd ef gh marriage" }).length, 1);
  assert.deepEqual(hintsOn({ words: "ab cd ef gh ij marriage" }), []);
});
