/**
 * A trigram index of the texts: for each hash of three consecutive bytes, one bit for each block of sixteen reviews
 * that contain them. A search reads only blocks that may contain all trigrams of its query. It may read a block that
 * does not match, but never skips one that does.
 */

/** Reviews per block. Smaller blocks mean less text to read, larger ones less memory. */
export const BLOCK_LENGTH = 16;

/** The number of hashes: 64 bytes of memory per review. A block sets about an eighth of its bits. */
const HASHES = 8192;
const HASH_SHIFT = 19;

/** The most trigrams of a query that are looked up. More would not exclude further blocks. */
const MOST_LOOKED_UP = 32;

/** Builds the index of the folded texts. Each text ends where the next one starts. */
export function markBlocks(words: Uint8Array, starts: Uint32Array): Uint32Array {
  const count = starts.length - 1;
  const row = rowLength(count);
  const marks = new Uint32Array(HASHES * row);
  for (let position = 0; position < count; position++) {
    const block = Math.floor(position / BLOCK_LENGTH);
    const [word, bit] = [block >>> 5, 1 << (block & 31)];
    const end = (starts[position + 1] ?? 0) - 3; // without the byte that ends the text
    for (let at = starts[position] ?? 0; at < end; at++) {
      const index = hashAt(words, at) * row + word;
      marks[index] = (marks[index] ?? 0) | bit;
    }
  }
  return marks;
}

/** One bit for each block that may contain the query; undefined if the query is shorter than a trigram. */
export function blocksOf(needle: Uint8Array, marks: Uint32Array, count: number): Uint32Array | undefined {
  const threes = needle.length - 2;
  if (threes < 1) return undefined;
  const row = rowLength(count);
  const step = Math.max(1, Math.ceil(threes / MOST_LOOKED_UP));
  const blocks = new Uint32Array(row).fill(0xffffffff);
  for (let at = 0; at < threes; at += step) {
    const start = hashAt(needle, at) * row;
    for (let word = 0; word < row; word++) blocks[word] = (blocks[word] ?? 0) & (marks[start + word] ?? 0);
  }
  return blocks;
}

function rowLength(count: number): number {
  return Math.ceil(Math.ceil(count / BLOCK_LENGTH) / 32);
}

function hashAt(bytes: Uint8Array, at: number): number {
  const first = Math.imul(bytes[at] ?? 0, 0x9e3779b1);
  const second = Math.imul(bytes[at + 1] ?? 0, 0x85ebca77);
  const third = Math.imul(bytes[at + 2] ?? 0, 0xc2b2ae3d);
  return (first + second + third) >>> HASH_SHIFT;
}
