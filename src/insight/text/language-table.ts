/**
 * How strongly short runs of letters speak for each language. A word is read in pieces of four bytes of UTF-8; the table
 * holds the pieces that tell languages apart, made from the package eld by `npm run compile` (`models/README.md`). It
 * is loaded when the first text needs it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import { PROGRAM_FOLDER } from "../../program-folder.ts";

const packed = z.string().describe("Base64, deflated");
const schema = z.strictObject({
  format: z.literal(1),
  source: z.string().describe("Package and version that the pieces are from"),
  languages: z.array(z.string()).describe("BCP 47 base tags"),
  keys: packed.describe("`pieceKey` of each piece, ascending, 32 bits each less the one before; all low bytes first"),
  counts: packed.describe("How many languages each piece speaks for, a byte each"),
  speaks_for: packed.describe("The languages of each piece, as indexes, a byte each"),
  weights: packed.describe("How strongly it speaks for each, a byte each"),
});

/** What every weight in the file is short of. */
const BASE_WEIGHT = 53;
export const LANGUAGE_TABLE_FILE = join(PROGRAM_FOLDER, "models", "languages.json");

export interface LanguageTable {
  readonly languages: readonly string[];
  /** Adds the weights of a word's pieces to `sums`, one for each language. The word is UTF-8 in lower case. */
  readonly addWord: (word: Uint8Array, sums: Int32Array) => void;
}

const [PIECE_BYTES, STRIDE] = [4, 3];
const [AT_START, AT_END] = [1, 2];

/** The key of a piece: its bytes, and whether it starts and ends its word. */
export function pieceKey(bytes: Uint8Array, from: number, to: number, edges: number): number {
  let key = edges;
  for (let at = from; at < to; at++) key = Math.imul(key, 0x01000193) ^ (bytes[at] as number);
  key = Math.imul(key ^ (key >>> 16), 0x45d9f3b);
  return (key ^ (key >>> 15)) >>> 0;
}

const BUCKET_BITS = 14;

/**
 * Parses the table.
 * @throws ZodError if it is invalid.
 */
function parseLanguageTable(json: string): LanguageTable {
  const file = schema.parse(JSON.parse(json));
  const keys = summedNumbers(unpack(file.keys));
  const [counts, speaksFor, weights] = [unpack(file.counts), unpack(file.speaks_for), unpack(file.weights)];
  const starts = new Uint32Array(keys.length + 1);
  for (let row = 0; row < keys.length; row++) starts[row + 1] = (starts[row] as number) + (counts[row] as number);
  /** The first row of each bucket: of the keys with the same highest bits. */
  const buckets = new Uint32Array((1 << BUCKET_BITS) + 1).fill(keys.length);
  for (let row = keys.length - 1, bucket = 1 << BUCKET_BITS; bucket >= 0; bucket--) {
    while (row >= 0 && (keys[row] as number) >>> (32 - BUCKET_BITS) >= bucket) row--;
    buckets[bucket] = row + 1;
  }

  function addPiece(key: number, sums: Int32Array): void {
    const bucket = key >>> (32 - BUCKET_BITS);
    for (let row = buckets[bucket] as number, end = buckets[bucket + 1] as number; row < end; row++) {
      if (keys[row] !== key) continue;
      for (let at = starts[row] as number, last = starts[row + 1] as number; at < last; at++)
        (sums[speaksFor[at] as number] as number) += (weights[at] as number) + BASE_WEIGHT;
      return;
    }
  }

  return {
    languages: file.languages,
    addWord(bytes, sums) {
      const { length } = bytes;
      let from = 0;
      for (; from + PIECE_BYTES < length; from += STRIDE)
        addPiece(pieceKey(bytes, from, from + PIECE_BYTES, from === 0 ? AT_START : 0), sums);
      const edges = from === 0 ? AT_START | AT_END : AT_END;
      addPiece(pieceKey(bytes, Math.max(0, length - PIECE_BYTES), length, edges), sums);
    },
  };
}

let table: LanguageTable | undefined;

/** The table of the program. */
export function languageTable(): LanguageTable {
  table ??= parseLanguageTable(readFileSync(LANGUAGE_TABLE_FILE, "utf8"));
  return table;
}

function unpack(base64: string): Uint8Array {
  return inflateRawSync(Buffer.from(base64, "base64"));
}

/** The ascending numbers of which each is given less the one before, all low bytes first. */
function summedNumbers(planes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(planes.length / 4);
  for (let at = 0, sum = 0; at < numbers.length; at++) {
    for (let plane = 0; plane < 4; plane++) sum += (planes[plane * numbers.length + at] as number) * 2 ** (8 * plane);
    numbers[at] = sum;
  }
  return numbers;
}
