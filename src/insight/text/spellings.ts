/**
 * Remembers which words a spelling stands for, so that each is parsed once. A spelling of up to sixteen ASCII letters
 * and signs is kept as four numbers, without cutting it out of its text; others are parsed each time.
 */
import { type Vocabulary, wordNumber } from "./vocabulary.ts";

/** A word's full form, or a contraction's two words and, if it can be determined, the first one's length in letters. */
export interface ParsedWord {
  readonly first: string;
  readonly second?: string;
  readonly length?: number;
}

/** A row of `cells`: four numbers with four letters each, two words (the second may be absent), and a length. */
const WIDTH = 8;
export const CELL = { first: 4, second: 5, length: 6 } as const;
export const ABSENT = -1;
const MOST_LETTERS = 16;
type Parse = (written: string) => ParsedWord;

export interface Spellings {
  readonly vocabulary: Vocabulary;
  /** Rows; the first is that of the last spelling that is not kept. */
  cells: Int32Array;
  count: number;
  /** The number of the row by hash, or by the next free place after it; 0 for none. */
  places: Int32Array;
}

export function emptySpellings(vocabulary: Vocabulary): Spellings {
  return { vocabulary, cells: new Int32Array(512 * WIDTH), count: 1, places: new Int32Array(1024) };
}

/** Where the row in `cells` begins for the spelling from `start` to `end` (exclusive). */
export function rowOfSpelling(spellings: Spellings, text: string, start: number, end: number, parse: Parse): number {
  if (end - start > MOST_LETTERS) return unkept(spellings, parse(text.slice(start, end)));
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = start; at < end; at++) {
    let code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) code += 32;
    else if (code >= 128) {
      if (code !== 0x2019 && code !== 0x2bc) return unkept(spellings, parse(text.slice(start, end)));
      code = 39;
    }
    const place = at - start;
    if (place < 4) a = (a << 8) | code;
    else if (place < 8) b = (b << 8) | code;
    else if (place < 12) c = (c << 8) | code;
    else d = (d << 8) | code;
  }
  const { cells, places } = spellings;
  const mask = places.length - 1;
  let place = hashOf(a, b, c, d) & mask;
  for (let row = places[place] as number; row !== 0; row = places[place] as number) {
    const cell = row * WIDTH;
    if (cells[cell] === a && cells[cell + 1] === b && cells[cell + 2] === c && cells[cell + 3] === d) return cell;
    place = (place + 1) & mask;
  }
  return kept(spellings, [a, b, c, d], parse(text.slice(start, end)));
}

function hashOf(a: number, b: number, c: number, d: number): number {
  const hash = Math.imul(
    a ^ Math.imul(b ^ Math.imul(c ^ Math.imul(d, 0x2c1b3c6d), 0x85ebca6b), 0xc2b2ae35),
    0x9e3779b1,
  );
  return hash ^ (hash >>> 15);
}

/** Writes the words of a spelling into the first row. */
function unkept(spellings: Spellings, { first, second, length }: ParsedWord): number {
  const { cells, vocabulary } = spellings;
  cells[CELL.first] = wordNumber(vocabulary, first);
  cells[CELL.second] = second === undefined ? ABSENT : wordNumber(vocabulary, second);
  cells[CELL.length] = length ?? ABSENT;
  return 0;
}

/** Writes a spelling into a row of its own. */
function kept(spellings: Spellings, letters: readonly number[], word: ParsedWord): number {
  if ((spellings.count + 1) * WIDTH > spellings.cells.length) grow(spellings);
  const { cells, places } = spellings;
  const cell = spellings.count * WIDTH;
  unkept(spellings, word);
  cells.copyWithin(cell, 0, WIDTH);
  cells.set(letters, cell);
  addPlace(places, spellings.count++, cells);
  return cell;
}

function addPlace(places: Int32Array, row: number, cells: Int32Array): void {
  const [a = 0, b = 0, c = 0, d = 0] = cells.subarray(row * WIDTH, row * WIDTH + 4);
  let place = hashOf(a, b, c, d) & (places.length - 1);
  while (places[place] !== 0) place = (place + 1) & (places.length - 1);
  places[place] = row;
}

/** Twice the rows; there are always at least twice as many places. */
function grow(spellings: Spellings): void {
  const { cells, count } = spellings;
  spellings.cells = new Int32Array(cells.length * 2);
  spellings.cells.set(cells);
  spellings.places = new Int32Array(spellings.places.length * 2);
  for (let row = 1; row < count; row++) addPlace(spellings.places, row, spellings.cells);
}
