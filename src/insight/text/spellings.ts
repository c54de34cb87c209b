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
  /** The number of the row by hash, or by the next free place after it; 0 for none. Of the first rows, then of the others. */
  readonly first: Int32Array;
  places: Int32Array;
}

/**
 * So many spellings are looked for apart: the most frequent ones are met first, and few places are near the processor
 * where places for all would not be.
 */
const FIRST = 4_096;

export function emptySpellings(vocabulary: Vocabulary): Spellings {
  return {
    vocabulary,
    cells: new Int32Array(512 * WIDTH),
    count: 1,
    first: new Int32Array(2 * FIRST),
    places: new Int32Array(2 * FIRST),
  };
}

/** A spelling that begins at a place of a text. */
interface Spelling {
  /** Where its row in `cells` begins. */
  row: number;
  /** Where it ends (exclusive); -1 if it does not consist of ASCII letters and digits alone, and has no row. */
  end: number;
}

/** The last spelling that was read: the same object each time, so that none is made for each word. */
const plain: Spelling = { row: 0, end: 0 };

/** Of each ASCII letter or digit its code in lower case, otherwise 0. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[a-z0-9]/i.test(sign) ? sign.toLowerCase().charCodeAt(0) : 0;
});

/** The code of an ASCII letter or digit in lower case; 0 for any other, and for the end of a text. */
export function folded(code: number): number {
  return code < 128 ? (FOLDED[code] as number) : 0;
}

/**
 * Reads the letters and digits from `start` on, of which nearly all words consist. What follows them must not belong to
 * the word: `goesOn` decides.
 */
export function plainSpelling(
  spellings: Spellings,
  text: string,
  start: number,
  parse: Parse,
  goesOn: (text: string, at: number) => boolean,
): Spelling {
  let [a, b, c, d] = [0, 0, 0, 0];
  let at = start;
  for (; at < text.length; at++) {
    const code = folded(text.charCodeAt(at));
    if (code === 0) break;
    const place = at - start;
    if (place < 4) a = (a << 8) | code;
    else if (place < 8) b = (b << 8) | code;
    else if (place < 12) c = (c << 8) | code;
    else d = (d << 8) | code;
  }
  const isPlain = at > start && at - start <= MOST_LETTERS && !goesOn(text, at);
  plain.end = isPlain ? at : -1;
  if (isPlain)
    plain.row = rowOfLetters(spellings, a, b, c, d) || kept(spellings, [a, b, c, d], parse(text.slice(start, at)));
  return plain;
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
  return rowOfLetters(spellings, a, b, c, d) || kept(spellings, [a, b, c, d], parse(text.slice(start, end)));
}

/** Where the row of a spelling begins; 0 if there is none. */
function rowOfLetters({ cells, first, places }: Spellings, a: number, b: number, c: number, d: number): number {
  const hash = hashOf(a, b, c, d);
  let among = first;
  for (;;) {
    const mask = among.length - 1;
    let place = hash & mask;
    for (let row = among[place] as number; row !== 0; row = among[place] as number) {
      const cell = row * WIDTH;
      if (cells[cell] === a && cells[cell + 1] === b && cells[cell + 2] === c && cells[cell + 3] === d) return cell;
      place = (place + 1) & mask;
    }
    if (among === places) return 0;
    among = places;
  }
}

function hashOf(a: number, b: number, c: number, d: number): number {
  const hash = Math.imul(
    a ^ Math.imul(b ^ Math.imul(c ^ Math.imul(d, 0x2c1b3c6d), 0x85ebca6b), 0xc2b2ae35),
    0x9e3779b1,
  );
  return hash ^ (hash >>> 15);
}

/** Writes the words of a spelling into the first row. */
function unkept(spellings: Spellings, word: ParsedWord): number {
  writeWords(spellings, 0, word);
  return 0;
}

/** Writes a spelling into a row of its own. */
function kept(spellings: Spellings, letters: readonly number[], word: ParsedWord): number {
  if ((spellings.count + 1) * WIDTH > spellings.cells.length) grow(spellings);
  const { cells } = spellings;
  const cell = spellings.count * WIDTH;
  for (let at = 0; at < letters.length; at++) cells[cell + at] = letters[at] as number;
  writeWords(spellings, cell, word);
  addPlace(spellings, spellings.count++);
  return cell;
}

function writeWords({ cells, vocabulary }: Spellings, row: number, { first, second, length }: ParsedWord): void {
  cells[row + CELL.first] = wordNumber(vocabulary, first);
  cells[row + CELL.second] = second === undefined ? ABSENT : wordNumber(vocabulary, second);
  cells[row + CELL.length] = length ?? ABSENT;
}

function addPlace({ cells, first, places }: Spellings, row: number): void {
  const cell = row * WIDTH;
  const among = row < FIRST ? first : places;
  const mask = among.length - 1;
  const [a, b] = [cells[cell] as number, cells[cell + 1] as number];
  let place = hashOf(a, b, cells[cell + 2] as number, cells[cell + 3] as number) & mask;
  while (among[place] !== 0) place = (place + 1) & mask;
  among[place] = row;
}

/** Twice the rows; there are always at least twice as many places. */
function grow(spellings: Spellings): void {
  const { cells, count } = spellings;
  spellings.cells = new Int32Array(cells.length * 2);
  spellings.cells.set(cells);
  if (count < FIRST) return;
  spellings.places = new Int32Array(Math.max(spellings.places.length, (spellings.cells.length / WIDTH) * 2));
  for (let row = FIRST; row < count; row++) addPlace(spellings, row);
}
