import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BLOCK_LENGTH, blocksOf, markBlocks } from "./text-blocks.ts";

function wordsOf(texts: readonly string[]): { words: Uint8Array; starts: Uint32Array } {
  const parts = texts.map((text) => Buffer.concat([Buffer.from(text), Buffer.of(0xff)]));
  const starts = new Uint32Array(texts.length + 1);
  for (const [index, part] of parts.entries()) starts[index + 1] = (starts[index] ?? 0) + part.length;
  return { words: Buffer.concat(parts), starts };
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "ä", "🙂"), maxLength: 12 });

test("blocksOf() passes over no block that holds the words", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 100 }), text, (texts, sought) => {
      const { words, starts } = wordsOf(texts);
      const blocks = blocksOf(Buffer.from(sought), markBlocks(words, starts), texts.length);
      for (const [position, each] of texts.entries()) {
        const block = Math.floor(position / BLOCK_LENGTH);
        if (blocks !== undefined && each.includes(sought)) assert.ok(((blocks[block >>> 5] ?? 0) >>> (block & 31)) & 1);
      }
    }),
  );
});

test("blocksOf() passes over nearly all blocks that do not hold a rare word", () => {
  const texts = Array.from({ length: 3_200 }, (_, number) => `The ${number}th customer was content with the repair`);
  const { words, starts } = wordsOf(texts);
  const blocks = blocksOf(Buffer.from("thermostat"), markBlocks(words, starts), texts.length);
  const passed = [...(blocks ?? [])].reduce((sum, bits) => sum + bits.toString(2).replaceAll("0", "").length, 0);
  assert.ok(passed < 10, `${passed} of 200`);
});
