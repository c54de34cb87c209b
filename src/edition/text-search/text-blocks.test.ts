import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Piece } from "../column/pieces.ts";
import { blocksOf, markBlocks, type TextBlocks } from "./text-blocks.ts";

function wordsOf(texts: readonly string[]): { words: Uint8Array; wordStarts: Uint32Array } {
  const parts = texts.map((text) => Buffer.concat([Buffer.from(text), Buffer.of(0xff)]));
  const starts = new Uint32Array(texts.length + 1);
  for (const [index, part] of parts.entries()) starts[index + 1] = (starts[index] ?? 0) + part.length;
  return { words: Buffer.concat(parts), wordStarts: starts };
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "ä", "🙂"), maxLength: 12 });

/** The index of the texts: all new, or as a change of those before. */
function indexOf(texts: readonly string[], pieces?: readonly Piece[], before?: TextBlocks): TextBlocks {
  return markBlocks(wordsOf(texts), pieces ?? [{ start: 0, end: texts.length, from: undefined }], before);
}

/** The positions in the blocks that may hold what is sought. */
function positionsIn(sought: string, index: TextBlocks): Set<number> | undefined {
  const blocks = blocksOf(Buffer.from(sought), index);
  if (blocks === undefined) return undefined;
  const positions = new Set<number>();
  for (let block = 0; block + 1 < index.blockStarts.length; block++) {
    if (((blocks[block >>> 5] ?? 0) >>> (block & 31)) % 2 === 0) continue;
    for (let at = index.blockStarts[block] ?? 0; at < (index.blockStarts[block + 1] ?? 0); at++) positions.add(at);
  }
  return positions;
}

test("blocksOf() passes over no block that holds the words, however the texts changed", () => {
  // Where to change, how many to take out and what to put there.
  const change = fc.tuple(fc.nat(), fc.oneof(fc.nat(3), fc.nat(60)), fc.array(text, { maxLength: 40 }));
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 200 }),
      fc.array(change, { maxLength: 8 }),
      text,
      (first, changes, sought) => {
        let texts = first;
        let index = indexOf(texts);
        for (const [place, out, put] of [[0, 0, []] as const, ...changes]) {
          const from = place % (texts.length + 1);
          const rest = Math.min(texts.length, from + out);
          const pieces: Piece[] = [
            { start: 0, end: from, from: 0 },
            { start: from, end: from + put.length, from: undefined },
            { start: from + put.length, end: texts.length - rest + from + put.length, from: rest },
          ].filter(({ start, end }) => end > start);
          texts = [...texts.slice(0, from), ...put, ...texts.slice(rest)];
          index = indexOf(texts, pieces, index);
          assert.equal(index.blockStarts.at(-1), texts.length);
          for (const [block, start] of index.blockStarts.entries()) {
            const next = index.blockStarts[block + 1] ?? Infinity;
            assert.ok(next > start && (next === Infinity || next - start <= 16), `a block from ${start} to ${next}`);
          }
          const positions = positionsIn(sought, index);
          for (const [position, each] of texts.entries()) {
            assert.ok(positions?.has(position) !== false || !each.includes(sought), `${sought} in ${each}`);
          }
        }
      },
    ),
  );
});

test("an index that was changed passes over what a new one passes over", () => {
  const texts = Array.from({ length: 400 }, (_, number) => `The ${number}th customer was content with the repair`);
  const old = indexOf(texts);
  texts.splice(200, 0, "The thermostat was replaced");
  const pieces = [
    { start: 0, end: 200, from: 0 },
    { start: 200, end: 201, from: undefined },
    { start: 201, end: 401, from: 200 },
  ];
  const found = positionsIn("thermostat", indexOf(texts, pieces, old));
  assert.ok(found?.has(200) === true && found.size < 40, `${found?.size} of 401`);
  assert.equal(positionsIn("399th", indexOf(texts, pieces, old))?.has(400), true);
});

test("blocksOf() passes over nearly all blocks that do not hold a rare word", () => {
  const texts = Array.from({ length: 3_200 }, (_, number) => `The ${number}th customer was content with the repair`);
  const found = positionsIn("thermostat", indexOf(texts));
  assert.ok((found?.size ?? 0) < 160, `${found?.size} of 3,200`);
});

test("blocksOf() passes over three quarters of the texts for a word that every fortieth holds", () => {
  const texts = Array.from({ length: 3_200 }, (_, number) =>
    number % 40 === 0 ? "The thermostat was replaced" : `The ${number}th customer was content with the repair`,
  );
  const found = positionsIn("thermostat", indexOf(texts));
  assert.ok((found?.size ?? 0) < 800, `${found?.size} of 3,200`);
});
