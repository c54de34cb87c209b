/**
 * The word index: the terms of all texts, and the reviews that contain each term. It is built from scratch for each large
 * edition after it is published; without it, a search reads every text. It consists of typed arrays in shared memory, so
 * that threads can send it to each other.
 */

import { isAscii } from "node:buffer";
import { sharedBytes, sharedNumbers } from "../lib/shared-memory.ts";
import { makeFind, SEPARATOR } from "./byte-search.ts";
import type { Steps } from "./steps.ts";
import { foldWords, joinedRuns } from "./whole-words.ts";
import { eachTerm } from "./word-terms.ts";

/** Editions of fewer reviews have no word index: reading all their texts takes about a millisecond. */
export const MIN_INDEXED_REVIEWS = 5_000;

/** The reviews of one edition, by their positions in it: the index of one edition is wrong for any other. */
export interface WordIndex {
  /** The number of reviews. */
  readonly count: number;
  /** All terms, with 0xFF before, between and after them. */
  readonly terms: Uint8Array;
  /** The offset of the 0xFF before each term, and of the last 0xFF. */
  readonly termStarts: Uint32Array;
  /** For one term after the other, the positions of the reviews that contain it, ascending. */
  readonly positions: Uint32Array;
  /** Where each term's positions start, and the end of the last ones. */
  readonly positionStarts: Uint32Array;
}

/** The folded texts of an edition in UTF-8, each followed by 0xFF. Each ends where the next one starts. */
interface Texts {
  readonly count: number;
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
}

/** Reviews that the build reads in one step, a few milliseconds. */
const STEP_REVIEWS = 1_024;

/** Builds the word index of an edition, in steps: 100,000 texts take about half a second of processor time. */
export function* buildWordIndex({ count, words, wordStarts }: Texts): Steps<WordIndex> {
  const terms = openTermTable(words);
  /** The terms of each review, each once. Those of the review at `position` end at `ends[position]`. */
  let occurrences = new Uint32Array(STEP_REVIEWS);
  const ends = new Uint32Array(count);
  const lastPositions: number[] = [];
  const positionCounts: number[] = [];
  let position = 0;
  let size = 0;
  const add = (start: number, end: number): void => {
    const term = terms.numberOf(start, end);
    if (lastPositions[term] === position) return;
    lastPositions[term] = position;
    positionCounts[term] = (positionCounts[term] ?? 0) + 1;
    if (size === occurrences.length) occurrences = doubled(occurrences);
    occurrences[size++] = term;
  };
  for (; position < count; position++) {
    eachTerm(words, wordStarts[position] as number, (wordStarts[position + 1] as number) - 1, add);
    ends[position] = size;
    if (position % STEP_REVIEWS === STEP_REVIEWS - 1) yield;
  }
  const positionStarts = sharedNumbers(positionCounts.length + 1);
  for (const [term, length] of positionCounts.entries()) {
    positionStarts[term + 1] = (positionStarts[term] as number) + length;
  }
  const positions = sharedNumbers(size);
  const next = positionStarts.slice();
  for (let at = 0, position = 0; position < count; position++) {
    for (const end = ends[position] as number; at < end; at++) {
      const term = occurrences[at] as number;
      positions[next[term] as number] = position;
      next[term] = (next[term] as number) + 1;
    }
    if (position % STEP_REVIEWS === STEP_REVIEWS - 1) yield;
  }
  return { count, ...terms.finish(), positions, positionStarts };
}

/** Numbers the terms of texts in the order of their first occurrence. */
function openTermTable(texts: Uint8Array) {
  /** Where each term first occurs in the texts. */
  const starts: number[] = [];
  const ends: number[] = [];
  /** The newest term with a hash, and for each term the one before it with the same hash, or -1. */
  const newest = new Map<number, number>();
  const previous: number[] = [];
  return {
    /** The number of the term between two offsets of the texts. */
    numberOf(start: number, end: number): number {
      const hash = hashOf(start, end);
      const first = newest.get(hash) ?? -1;
      for (let term = first; term !== -1; term = previous[term] as number) if (isSame(term, start, end)) return term;
      newest.set(hash, starts.length);
      previous.push(first);
      ends.push(end);
      return starts.push(start) - 1;
    },
    finish(): Pick<WordIndex, "terms" | "termStarts"> {
      const termStarts = sharedNumbers(starts.length + 1);
      for (const [term, start] of starts.entries()) {
        termStarts[term + 1] = (termStarts[term] as number) + 1 + (ends[term] as number) - start;
      }
      const terms = sharedBytes((termStarts.at(-1) as number) + 1).fill(SEPARATOR);
      for (const [term, start] of starts.entries()) {
        terms.set(texts.subarray(start, ends[term]), (termStarts[term] as number) + 1);
      }
      return { terms, termStarts };
    },
  };

  /** FNV-1a with 32 bits. */
  function hashOf(start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (texts[at] as number), 0x01000193);
    return hash;
  }

  function isSame(term: number, start: number, end: number): boolean {
    const ahead = (starts[term] as number) - start;
    if (end + ahead !== ends[term]) return false;
    for (let at = start; at < end; at++) if (texts[at] !== texts[at + ahead]) return false;
    return true;
  }
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** The reviews that may contain a query. */
export interface Candidates {
  readonly has: (position: number) => boolean;
  /** Whether all of them contain it: their texts need not be read. */
  readonly isExact: boolean;
}

/** The maximum number of terms of a query that are looked up, the longest first. More would exclude few reviews. */
const MAX_TERMS = 8;

/** Terms and positions that are read in one step of a search. */
const STEP_POSITIONS = 100_000;
/** A term that is folded in a turn of its own: a text without a blank is one. */
const LONG_TERM_BYTES = 10_000;

/**
 * Finds the reviews that contain all terms of a folded query. If the query is one term, or a part of one, they are
 * exactly the reviews that contain it.
 */
export function* findCandidates(index: WordIndex, query: Buffer): Steps<Candidates> {
  const { count, positions, positionStarts } = index;
  const needles = needlesOf(query);
  const longest = needles.toSorted((one, other) => other.length - one.length).slice(0, MAX_TERMS);
  /** The number of needles, from the first one on, that each review contains. */
  const matched = new Uint8Array(count);
  let work = 0;
  for (const [number, needle] of longest.entries()) {
    for (const term of termsWith(needle, index)) {
      const start = positionStarts[term] as number;
      const end = positionStarts[term + 1] as number;
      for (let at = start; at < end; at++) {
        const position = positions[at] as number;
        if (matched[position] === number) matched[position] = number + 1;
      }
      work += 1 + end - start;
      if (work < STEP_POSITIONS) continue;
      work = 0;
      yield;
    }
  }
  return { has: (position) => matched[position] === longest.length, isExact: needles[0]?.equals(query) ?? false };
}

/** What the index tells of a review: it holds none of the words, its text must be read, or it holds one. */
export const [HOLDS_NONE, HOLDS_ONE] = [0, 2];
const UNCERTAIN = 1;

/**
 * Tells for each review whether it holds one of several whole words, given as `lettersOf` returns them. Its text must be
 * read if it has a term in which a word may begin, and one in which it may end. It holds the word if that is a term, and
 * nothing outside ASCII is in the text that could be a letter beside it.
 */
export function* findWholeWords(index: WordIndex, words: readonly string[]): Steps<Uint8Array> {
  const [BEGINS, ENDS, WHOLE] = [1, 2, 4];
  const { foldedTerms, isFolded } = yield* readFoldedTerms(index);
  const found = new Uint8Array(index.count);
  for (const word of words) {
    const flags = new Uint8Array(index.count);
    for (let length = 1; length < word.length && find(`\xff${word.slice(0, length)}`) !== undefined; length++)
      yield* mark(find(`\xff${word.slice(0, length)}\xff`), BEGINS, flags);
    for (let length = 1; length < word.length && find(`${word.slice(-length)}\xff`) !== undefined; length++)
      yield* mark(find(`\xff${word.slice(-length)}\xff`), ENDS, flags);
    yield* mark(find(`\xff${word}\xff`), BEGINS | ENDS | WHOLE, flags);
    for (const [number, { term, chunks }] of foldedTerms.entries()) {
      const role = roleOf(word, chunks);
      if (role !== 0 || number % STEP_REVIEWS === 0) yield* mark(term, role, flags);
    }
    for (let position = 0; position < flags.length; position++) {
      const flag = flags[position] as number;
      if (flag < (BEGINS | ENDS)) continue;
      const told = (flag & WHOLE) !== 0 && isFolded[position] === 0 ? HOLDS_ONE : UNCERTAIN;
      if (told > (found[position] as number)) found[position] = told;
    }
  }
  return found;

  function* mark(term: number | undefined, flag: number, flags: Uint8Array): Steps<void> {
    yield;
    if (term === undefined) return;
    const { positions, positionStarts } = index;
    const end = positionStarts[term + 1] as number;
    for (let at = positionStarts[term] as number; at < end; at++) {
      const position = positions[at] as number;
      flags[position] = (flags[position] as number) | flag;
    }
  }

  /** The first term with these letters, if they are of ASCII. */
  function find(needle: string): number | undefined {
    if (!/^\xff?[0-9a-z]+\xff?$/.test(needle)) return undefined;
    return termsWith(Buffer.from(needle, "latin1"), index).next().value ?? undefined;
  }

  function roleOf(word: string, chunks: FoldedTerm["chunks"]): number {
    let role = 0;
    for (const { letters, starts } of chunks) {
      for (let run = 1; run < starts.length; run++) {
        const [start, end] = [starts[run - 1] as number, starts[run] as number];
        if (word.startsWith(letters.slice(start, start + word.length))) role |= BEGINS;
        if (word.endsWith(letters.slice(Math.max(0, end - word.length), end))) role |= ENDS;
      }
    }
    return role;
  }
}

/** A term outside ASCII: its runs of letters in each part between white space, which some of it can be. */
interface FoldedTerm {
  readonly term: number;
  readonly chunks: readonly ReturnType<typeof joinedRuns>[];
}

/** All terms outside ASCII, and 1 for each review that has one. */
interface FoldedTerms {
  readonly foldedTerms: readonly FoldedTerm[];
  readonly isFolded: Uint8Array;
}

const foldedTermsMemo = new WeakMap<WordIndex, FoldedTerms>();

/** The terms outside ASCII, read once for an index. */
function* readFoldedTerms(index: WordIndex): Steps<FoldedTerms> {
  const before = foldedTermsMemo.get(index);
  if (before !== undefined) return before;
  const { terms, termStarts, positions, positionStarts } = index;
  const foldedTerms: FoldedTerm[] = [];
  const isFolded = new Uint8Array(index.count);
  for (let term = 0; term + 1 < termStarts.length; term++) {
    const bytes = Buffer.from(terms.subarray((termStarts[term] as number) + 1, termStarts[term + 1]));
    if (!isAscii(bytes)) {
      const chunks = foldWords(bytes.toString()).split(/\s+/).map(joinedRuns);
      foldedTerms.push({ term, chunks });
      const end = positionStarts[term + 1] as number;
      for (let at = positionStarts[term] as number; at < end; at++) isFolded[positions[at] as number] = 1;
    }
    if (term % STEP_REVIEWS === STEP_REVIEWS - 1 || bytes.length > LONG_TERM_BYTES) yield;
  }
  const read = { foldedTerms, isFolded };
  foldedTermsMemo.set(index, read);
  return read;
}

/**
 * The terms of a query as they are in `WordIndex.terms`, with the 0xFF before and after them. The first term can begin
 * within a word, and the last one can end within a word: they lack this 0xFF.
 */
function needlesOf(query: Buffer): Buffer[] {
  const needles: Buffer[] = [];
  const separator = Buffer.of(SEPARATOR);
  eachTerm(query, 0, query.length, (start, end) => {
    const before = separator.subarray(start === 0 ? 1 : 0);
    const after = separator.subarray(end === query.length ? 1 : 0);
    needles.push(Buffer.concat([before, query.subarray(start, end), after]));
  });
  return needles;
}

/** The terms that contain a needle, ascending. */
function* termsWith(needle: Buffer, { terms, termStarts }: WordIndex): Generator<number> {
  const bytes = Buffer.from(terms.buffer, terms.byteOffset, terms.byteLength);
  const find = makeFind(needle);
  let term = 0;
  for (let at = find(bytes, 0); at !== -1; at = find(bytes, termStarts[term + 1] as number)) {
    while ((termStarts[term + 1] as number) <= at) term++;
    yield term;
  }
}
