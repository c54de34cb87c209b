import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../test/support/properties.ts";
import { finish } from "./steps.ts";
import { buildWordIndex, findCandidates, findWholeWords, type WordIndex } from "./word-index.ts";

function indexOf(texts: readonly string[]): WordIndex {
  const words = Buffer.concat(texts.flatMap((text) => [Buffer.from(text), Buffer.of(0xff)]));
  const ends = [...words.entries()].flatMap(([at, byte]) => (byte === 0xff ? [at + 1] : []));
  return finish(buildWordIndex({ count: texts.length, words, wordStarts: Uint32Array.from([0, ...ends]) }));
}

function candidates(sought: string, index: WordIndex): { isExact: boolean; positions: number[] } {
  const { has, isExact } = finish(findCandidates(index, Buffer.from(sought)));
  return { isExact, positions: Array.from({ length: index.count }, (_, position) => position).filter(has) };
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-", "ä", "é", "東", "京", "🙂"), maxLength: 12 });

test("every review that contains a query is a candidate, and only these where the query is one term", () => {
  let exact = 0;
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), text, (texts, sought) => {
      if (sought === "") return;
      const { isExact, positions } = candidates(sought, indexOf(texts));
      if (isExact) exact++;
      const expected = texts.flatMap((text, position) => (text.includes(sought) ? [position] : []));
      const found = isExact ? positions : positions.filter((position) => expected.includes(position));
      assert.deepEqual(found, expected, sought);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(exact > 100);
});

test("a word that few reviews have has few candidates, beside other words, too", () => {
  const texts = Array.from({ length: 3_200 }, (_, number) =>
    number % 40 === 0 ? "the thermostat was replaced" : `the ${number}th customer was content with the repair`,
  );
  const index = indexOf(texts);
  assert.equal(candidates("the thermostat", index).positions.length, 80);
  assert.equal(candidates("customer was content", index).positions.length, 3_120);
  assert.equal(candidates("customer thermostat", index).positions.length, 0);
});

test("the first search for a word folds each long text without a blank in a turn of its own", () => {
  const turnsFor = (length: number) => {
    const index = indexOf(Array.from({ length: 5 }, (_, number) => `${"é".repeat(length)}${number}`));
    return [...findWholeWords(index, ["zzz"])].length;
  };
  assert.equal(turnsFor(20_000) - turnsFor(20), 5);
});
