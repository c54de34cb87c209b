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
  // A block's hashes are collected in a kilobyte first: writing each of its bytes to the marks, which are larger than
  // the processor's cache, would take twice as long.
  const found = new Uint32Array(HASHES / 32);
  for (let block = 0; block * BLOCK_LENGTH < count; block++) {
    const next = Math.min(count, (block + 1) * BLOCK_LENGTH);
    for (let position = block * BLOCK_LENGTH; position < next; position++) {
      const end = (starts[position + 1] as number) - 3; // without the byte that ends the text
      for (let at = starts[position] as number; at < end; at++) {
        const hash = hashAt(words, at);
        found[hash >>> 5] = (found[hash >>> 5] as number) | (1 << (hash & 31));
      }
    }
    markBlock(marks, { row, block }, found);
  }
  return marks;
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
