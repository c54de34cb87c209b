import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Piece } from "../column/pieces.ts";
import { finish } from "../steps.ts";
import { MOST_REVIEWS, reviewsIn } from "./segment.ts";
import { termQuerySteps } from "./term-query.ts";
import { makeSegments, type TextSegments } from "./text-segments.ts";

function textsOf(texts: readonly string[]): { words: Uint8Array; wordStarts: Uint32Array } {
  const words = Buffer.from(texts.map((text) => `${text}\0`).join("")).map((byte) => (byte === 0 ? 0xff : byte));
  const ends = [...words.entries()].flatMap(([at, byte]) => (byte === 0xff ? [at + 1] : []));
  return { words, wordStarts: Uint32Array.from([0, ...ends]) };
}

/** The index of the texts: all new, or as a change of those before. */
function indexOf(texts: readonly string[], pieces?: readonly Piece[], before?: TextSegments): TextSegments {
  return makeSegments(textsOf(texts), pieces ?? [{ start: 0, end: texts.length, from: undefined }], before);
}

/** Takes some texts out, puts others in, and returns what stayed the same. */
function changed(texts: readonly string[], from: number, out: number, put: readonly string[]) {
  const rest = Math.min(texts.length, from + out);
  const end = from + put.length;
  const pieces: Piece[] = [
    { start: 0, end: from, from: 0 },
    { start: from, end, from: undefined },
    { start: end, end: end + texts.length - rest, from: rest },
  ].filter(({ start, end }) => end > start);
  return { texts: [...texts.slice(0, from), ...put, ...texts.slice(rest)], pieces };
}

function candidates(sought: string, index: TextSegments): { isExact: boolean; positions: number[] } {
  const query = finish(termQuerySteps(Buffer.from(sought), index));
  const positions = [...index.segmentStarts.subarray(0, -1)].flatMap((start, segment) => {
    const count = (index.segmentStarts[segment + 1] ?? 0) - start;
    return reviewsIn(query.candidatesIn(segment)).flatMap((review) => (review < count ? [start + review] : []));
  });
  return { isExact: query.isExact, positions };
}

function assertFinds(sought: string, texts: readonly string[], index: TextSegments): void {
  const { isExact, positions } = candidates(sought, index);
  const expected = texts.flatMap((text, position) => (text.includes(sought) ? [position] : []));
  if (isExact) assert.deepEqual(positions, expected, sought);
  else assert.deepEqual(new Set(positions).intersection(new Set(expected)), new Set(expected), sought);
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-", "ä", "é", "東", "京", "🙂"), maxLength: 12 });

test("every review that contains a query is a candidate, and only these where the query is one term", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), text, (texts, sought) => {
      if (sought !== "") assertFinds(sought, texts, indexOf(texts));
    }),
    { numRuns: 2_000 },
  );
});

test("a changed index finds what a new one finds, and has no terms but those of the texts", () => {
  const count = fc.nat(2.5 * MOST_REVIEWS);
  const many = fc
    .tuple(fc.array(text, { minLength: 1, maxLength: 9 }), count)
    .map(([texts, length]) => Array.from({ length }, (_, number) => texts[(number * 7919) % texts.length] ?? ""));
  // Where to change, how many to take out and what to put there.
  const change = fc.tuple(fc.nat(), fc.oneof(fc.nat(3), fc.nat(400)), fc.oneof(fc.array(text), many));
  fc.assert(
    fc.property(many, fc.array(change, { maxLength: 8 }), text, (first, changes, sought) => {
      let texts: readonly string[] = first;
      let index = indexOf(texts);
      for (const [place, out, put] of changes) {
        const next = changed(texts, place % (texts.length + 1), out, put);
        texts = next.texts;
        index = indexOf(texts, next.pieces, index);
        assert.equal(index.segmentStarts.at(-1), texts.length);
        for (const [segment, start] of index.segmentStarts.subarray(0, -1).entries()) {
          const length = (index.segmentStarts[segment + 1] ?? 0) - start;
          assert.ok(length > 0 && length <= MOST_REVIEWS, `a segment of ${length} reviews`);
        }
        const terms = Buffer.from(index.terms).toString("latin1").split("\xff").sort();
        const expected = Buffer.from(indexOf(texts).terms).toString("latin1").split("\xff").sort();
        assert.deepEqual(terms, expected);
        if (sought !== "") assertFinds(sought, texts, index);
      }
    }),
    { numRuns: 12 },
  );
});

test("many single changes leave few segments", () => {
  let texts: readonly string[] = Array.from({ length: 5_000 }, (_, number) => `${number}`);
  let index = indexOf(texts);
  for (let number = 0; number < 900; number++) {
    const next = changed(texts, number % 3 === 0 ? 2_500 : 0, 0, ["new"]);
    texts = next.texts;
    index = indexOf(texts, next.pieces, index);
  }
  assert.ok(index.segmentStarts.length < 14, `${index.segmentStarts.length - 1} segments`);
  assert.equal(candidates("new", index).positions.length, 900);
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
