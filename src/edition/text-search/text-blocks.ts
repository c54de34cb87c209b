/**
 * A trigram index of the texts: for each hash of three consecutive bytes, one bit for each block of some eight reviews
 * that contain them. A search reads only blocks that may contain all trigrams of its query. It may read a block that
 * does not match, but never skips one that does.
 */
import { lowerBound } from "../column/lower-bound.ts";
import type { Piece } from "../column/pieces.ts";
import { sharedNumbers } from "../column/shared-memory.ts";

/** Reviews per block. Smaller blocks mean less text to read, larger ones less memory. */
const BLOCK_LENGTH = 8;

/** The number of hashes: 64 bytes of memory per review. A block of long texts sets less than half of its bits. */
const HASHES = 4096;
const HASH_SHIFT = 20;

/** The most trigrams of a query that are looked up. More would not exclude further blocks. */
const MOST_LOOKED_UP = 32;

/** The blocks, in the order of the reviews, and which hashes each contains. */
export interface TextBlocks {
  /** The first position of each block. One more start follows the last block. */
  readonly blockStarts: Uint32Array;
  /** For each hash in turn, one bit for each block. */
  readonly textBlocks: Uint32Array;
}

/** The folded texts. Each ends where the next one starts. */
interface Texts {
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
}

/** Builds the index of the texts. The marks of blocks in which nothing changed are copied from the index before. */
export function markBlocks({ words, wordStarts }: Texts, pieces: readonly Piece[], before?: TextBlocks): TextBlocks {
  const blocks = blocksIn(pieces, before?.blockStarts);
  const row = rowLength(blocks.length);
  const marks = sharedNumbers(HASHES * row);
  if (before !== undefined) copyMarks(blocks, { marks, row }, before);
  // A block's hashes are collected in half a kilobyte first: writing each of its bytes to the marks, which are larger
  // than the processor's cache, would take twice as long.
  const found = new Uint32Array(HASHES / 32);
  for (const [block, { start, end, from }] of blocks.entries()) {
    if (from !== undefined) continue;
    for (let position = start; position < end; position++) {
      const last = (wordStarts[position + 1] as number) - 3; // without the byte that ends the text
      for (let at = wordStarts[position] as number; at < last; at++) {
        const hash = hashAt(words, at);
        found[hash >>> 5] = (found[hash >>> 5] as number) | (1 << (hash & 31));
      }
    }
    markBlock(marks, { row, block }, found);
  }
  const blockStarts = sharedNumbers(blocks.length + 1);
  for (const [block, { end }] of blocks.entries()) blockStarts[block + 1] = end;
  return { blockStarts, textBlocks: marks };
}

/**
 * Divides the reviews into blocks. `from` of a block is its number in the index before, if its reviews are the same. The
 * others have half as many reviews as usual to half as many more, so that single new reviews change one block only.
 */
function blocksIn(pieces: readonly Piece[], before: Uint32Array = new Uint32Array(1)): Piece[] {
  const blocks: Piece[] = [];
  let done = 0;
  for (const { start, end, from } of pieces) {
    if (from === undefined) continue;
    const ahead = start - from;
    for (
      let block = lowerBound(before.length, (block) => (before[block] as number) >= from);
      (before[block + 1] ?? Infinity) + ahead <= end;
      block++
    ) {
      const [first, next] = [(before[block] ?? 0) + ahead, (before[block + 1] ?? 0) + ahead];
      if (first > done && first - done < BLOCK_LENGTH / 2) continue; // joins what is new before it
      divide(done, first);
      blocks.push({ start: first, end: next, from: block });
      done = next;
    }
  }
  const count = pieces.at(-1)?.end ?? 0;
  if (count > done && count - done < BLOCK_LENGTH / 2) done = blocks.pop()?.start ?? 0;
  divide(done, count);
  return blocks;

  function divide(start: number, end: number): void {
    if (start === end) return;
    const parts = Math.max(1, Math.round((end - start) / BLOCK_LENGTH));
    const borderOf = (part: number) => start + Math.floor(((end - start) * part) / parts);
    for (let part = 0; part < parts; part++) {
      blocks.push({ start: borderOf(part), end: borderOf(part + 1), from: undefined });
    }
  }
}

interface Marks {
  readonly marks: Uint32Array;
  readonly row: number;
}

/** Copies the bits of all blocks that have a number in the index before, for each hash. */
function copyMarks(blocks: readonly Piece[], { marks, row }: Marks, { blockStarts, textBlocks }: TextBlocks): void {
  const rowBefore = rowLength(blockStarts.length - 1);
  const runs: { start: number; from: number; length: number }[] = [];
  for (const [block, { from }] of blocks.entries()) {
    if (from === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.start + last.length === block && last.from + last.length === from) last.length++;
    else runs.push({ start: block, from, length: 1 });
  }
  if (row === rowBefore && runs.every(({ start, from }) => start === from)) {
    // As after most changes, every block is where it was: all bits are copied, and those of other blocks cleared.
    marks.set(textBlocks);
    const kept = new Uint32Array(row);
    for (const [block, { from }] of blocks.entries()) {
      if (from !== undefined) kept[block >>> 5] = (kept[block >>> 5] as number) | (1 << (block & 31));
    }
    for (let word = 0; word < row; word++) {
      if (kept[word] === 0xffffffff) continue;
      for (let at = word; at < marks.length; at += row) marks[at] = (marks[at] as number) & (kept[word] as number);
    }
    return;
  }
  for (let hash = 0; hash < HASHES; hash++) {
    const [target, source] = [hash * row, hash * rowBefore];
    for (const { start, from, length } of runs) {
      const end = start + length;
      for (let to = start, at = from; to < end; ) {
        const taken = Math.min(32 - (to & 31), end - to);
        const word = source + (at >>> 5);
        const shift = at & 31;
        let bits = (textBlocks[word] as number) >>> shift;
        if (shift + taken > 32) bits |= (textBlocks[word + 1] as number) << (32 - shift);
        if (taken < 32) bits &= (1 << taken) - 1;
        marks[target + (to >>> 5)] = (marks[target + (to >>> 5)] as number) | (bits << (to & 31));
        to += taken;
        at += taken;
      }
    }
  }
}

/** Sets the block's bit of each hash that was found, and clears what was found. */
function markBlock(
  marks: Uint32Array,
  { row, block }: { readonly row: number; readonly block: number },
  found: Uint32Array,
): void {
  const [word, bit] = [block >>> 5, 1 << (block & 31)];
  for (let group = 0; group < found.length; group++) {
    for (let bits = found[group] as number; bits !== 0; bits &= bits - 1) {
      const index = (group * 32 + 31 - Math.clz32(bits & -bits)) * row + word;
      marks[index] = (marks[index] as number) | bit;
    }
    found[group] = 0;
  }
}

/** One bit for each block that may contain the query; undefined if the query is shorter than a trigram. */
export function blocksOf(needle: Uint8Array, { blockStarts, textBlocks: marks }: TextBlocks): Uint32Array | undefined {
  const threes = needle.length - 2;
  if (threes < 1) return undefined;
  const row = rowLength(blockStarts.length - 1);
  const step = Math.max(1, Math.ceil(threes / MOST_LOOKED_UP));
  const blocks = new Uint32Array(row).fill(0xffffffff);
  for (let at = 0; at < threes; at += step) {
    const start = hashAt(needle, at) * row;
    for (let word = 0; word < row; word++) blocks[word] = (blocks[word] ?? 0) & (marks[start + word] ?? 0);
  }
  return blocks;
}

/** The number of words with a bit for each block. */
function rowLength(blocks: number): number {
  return Math.ceil(blocks / 32);
}

function hashAt(bytes: Uint8Array, at: number): number {
  const first = Math.imul(bytes[at] ?? 0, 0x9e3779b1);
  const second = Math.imul(bytes[at + 1] ?? 0, 0x85ebca77);
  const third = Math.imul(bytes[at + 2] ?? 0, 0xc2b2ae3d);
  return (first + second + third) >>> HASH_SHIFT;
}
