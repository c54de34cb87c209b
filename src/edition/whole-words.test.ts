import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_ANALYSIS } from "../../test/support/empty-analysis.ts";
import { plainlyHolds } from "../../test/support/plain-words.ts";
import fc, { tries } from "../../test/support/properties.ts";
import { makeReviewIndex } from "../../test/support/review-index.ts";
import type { Business } from "../business.ts";
import { wordsOf } from "../filter-names.ts";
import type { Review } from "../review.ts";
import type { ReviewIndex } from "./review-index.ts";
import { search, searchSteps } from "./search.ts";
import { finish } from "./steps.ts";
import { foldWords, lettersOf, makeWordTest } from "./whole-words.ts";
import { buildWordIndex } from "./word-index.ts";

const holds = (word: string, text: string) => makeWordTest([lettersOf(word)])(foldWords(text));

const CASES: readonly [word: string, text: string, isHeld: boolean][] = [
  ["ac", "The A/C is broken", true],
  ["ac", "A.C. works", true],
  ["ac", "a c", false],
  ["ac", "a / c", false],
  ["a/c", "our AC", true],
  ["ac", "place", false],
  ["air", "fair prices", false],
  ["dana", "Dana's team", true],
  ["danas", "Dana’s team", true],
  ["danas", "Danas", true],
  ["dan", "Dana's", false],
  ["s", "Dana's", true],
  ["cafe", "CAFÉ!", true],
  ["Café", "cafe", true],
  ["café", "cafe\u0301", true],
  ["strasse", "Straße", true],
  ["STRASSE", "straße", true],
  ["24", "24/7", true],
  ["247", "24/7", true],
  ["wellknown", "a well-known place", true],
  ["known", "a well-known place", true],
  ["wellknownfact", "well-known-fact", true],
  ["knownfact", "well-known-fact", true],
  ["wellfact", "well-known-fact", false],
  ["की", "पार्किंग की समस्या", true],
  ["पार्किंग", "पार्किंग की समस्या", true],
  ["का", "पार्किंग की समस्या", false],
  ["東", "東京", false],
  ["東京", "「東京」", true],
  ["мой", "Мои", true],
  ["great", "great👍", true],
  ["a東", "a東", true],
  ["a", "a東", false],
];

test("a whole word is found without regard to case, accents and what stands between its letters", () => {
  for (const [word, text, isHeld] of CASES) {
    assert.equal(holds(word, text), isHeld, `${word} in ${text}`);
    assert.equal(plainlyHolds(word, text), isHeld, `plainly: ${word} in ${text}`);
  }
});

const business = { technicians: [], services: [] } as unknown as Business;

/** An index of reviews with these texts, without a word index and with one. */
function indexesOf(texts: readonly string[]): readonly ReviewIndex[] {
  const reviews = texts.map(
    (text, number): Review => ({
      id: String(10 ** 9 - number).padStart(26, "0"),
      ...{ author: "Ann", author_avatar_url: null, rating: 5, date: "2026-01-01", text, source: "google" },
      ...{ source_url: null, owner_reply: null, verified: true },
    }),
  );
  const index = makeReviewIndex({ reviews, analyses: reviews.map(() => EMPTY_ANALYSIS) });
  return [index, { ...index, wordIndex: finish(buildWordIndex(index)) }];
}

/** Characters at which an index and a plain reading could part: letters, marks and separators of several scripts. */
const letters = fc.constantFrom(
  ..."abcABC12 '’/-.,\u00a0\u200d\u200b·«»",
  ..."éÉßẞçıİſK",
  ..."жЙйсΣςσ",
  ..."कीकाि्।",
  ..."بَبט",
  ..."東京がか한국ก",
  ..."🙂👍🏽\ufe0f\u0301\u0327\u20e3",
);
const text = fc.string({ unit: letters, maxLength: 14 });

test("words are found with an index, without one and by plain reading alike, in any script", () => {
  let seen = 0;
  const pieces = fc.array(fc.tuple(text, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 4 })), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), pieces, (texts, pieces) => {
      const indexes = indexesOf(texts);
      for (const [free, which, from, length] of pieces) {
        const source = texts[which % texts.length] ?? "";
        const start = from % (source.length + 1);
        const words = [free, source.slice(start, start + length)].map((word) => word.replace(/[\s,]/g, ""));
        const sought = wordsOf(words.join(" "));
        if (sought.length === 0) continue;
        const holding = (isHeld: (text: string) => boolean) => texts.flatMap((text, at) => (isHeld(text) ? [at] : []));
        const any = holding((text) => sought.some((word) => plainlyHolds(word, text)));
        const all = holding((text) => sought.every((word) => plainlyHolds(word, text)));
        if (any.length > 0) seen++;
        const joined = { limit: 100, offset: 0 };
        for (const index of indexes) {
          const told = JSON.stringify([sought, texts, index.wordIndex !== undefined]);
          assert.deepEqual(search(index, business, { ...joined, words: sought.join() }).positions, any, `any ${told}`);
          assert.deepEqual(
            search(index, business, { ...joined, all_words: sought.join() }).positions,
            all,
            `all ${told}`,
          );
        }
      }
    }),
    { numRuns: tries(100) },
  );
  assert.ok(seen > tries(40), String(seen));
});

test("ten words of the greatest length, and texts that repeat their letters, take milliseconds", () => {
  const words = Array.from({ length: 10 }, (_, number) => `${"a".repeat(99)}${number}`);
  const texts = [
    "a/".repeat(2_000),
    "a".repeat(4_000),
    `${"a".repeat(2_000)}${"-".repeat(2_000)}`,
    "-".repeat(4_000),
    "a ".repeat(2_000),
  ];
  const started = process.cpuUsage();
  const holdsOne = makeWordTest(words);
  for (const text of texts) assert.equal(holdsOne(text), false);
  const { user } = process.cpuUsage(started);
  assert.ok(user < 150_000, `${user} µs`);
});

test("words are found on either side of where a long text is cut, and in one without white space", () => {
  for (let shift = 0; shift < 12; shift++) {
    const text = `${"a ".repeat(32_762)}${" ".repeat(shift)}Well-known ${"b ".repeat(40_000)}`;
    const found = indexesOf([text]).map((index) => {
      const held = (words: string) => search(index, business, { words, limit: 1, offset: 0 }).matched;
      return ["wellknown", "known", "ellknown", "w", "n"].map(held);
    });
    assert.deepEqual(
      found,
      [1, 2].map(() => [1, 1, 0, 0, 0]),
      String(shift),
    );
  }
  const [index = assert.fail()] = indexesOf([`${"東".repeat(30_000)}。é。${"東".repeat(30_000)}`]);
  assert.equal(search(index, business, { words: "é", limit: 1, offset: 0 }).matched, 1);
});

test("no step of a search takes long, whatever stands in a long text and beside it", () => {
  const words = "zq,ab,abc,a0b,cd,dana,xx,yy,aab,bbb";
  const texts = ["a.", "é.", "é»", "a/é\u0301", "-a", "\u0301\u0323"].map((piece) =>
    piece.repeat(400_000 / piece.length),
  );
  for (const index of indexesOf([...texts, ...texts])) {
    for (const filter of [{ words, in: "both" as const }, { all_words: words }]) {
      const steps = searchSteps(index, business, { limit: 20, offset: 0, ...filter });
      let count = 0;
      for (let isDone: boolean | undefined = false; isDone !== true; count++) {
        const started = process.cpuUsage();
        isDone = steps.next().done;
        const { user } = process.cpuUsage(started);
        assert.ok(user < 300_000, `${user} µs: ${JSON.stringify(filter)}`);
      }
      assert.ok(count > texts.length, `${count} steps for ${texts.length} texts twice`);
    }
  }
});
