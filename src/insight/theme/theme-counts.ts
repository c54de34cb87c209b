/**
 * How many reviews have the words, pairs and themes that were asked for. Sums of the last edition are kept: the reviews
 * that it had are subtracted, and those that are new are added.
 */
import { lowerBound } from "../../lib/lower-bound.ts";
import type { Span } from "../../lib/span.ts";
import {
  type CopiedSpan,
  linkOf,
  type ThemeColumns,
  toneIn,
  type WrittenThemeColumns,
  wordOf,
} from "./theme-columns.ts";
import type { ThemeVocabulary } from "./theme-vocabulary.ts";
import { LINK, TONE } from "./theme-words.ts";

export const NO_KEY = -1;

/** The words that may be in themes, and their keys. */
export interface FrequentWords {
  readonly words: readonly number[];
  readonly keys: readonly number[];
  /** Of each word of the vocabulary the number of its key; `NO_KEY` if it is not frequent. */
  readonly keyOf: Int32Array;
}

/** Reviews of an edition whose words are added to sums or, by -1, subtracted from them. */
interface Term {
  readonly columns: ThemeColumns;
  readonly spans: readonly Span[];
  readonly by: 1 | -1;
}

/** What to count: all reviews, or the difference to the last edition where that is less. */
export interface Terms {
  readonly all: readonly Term[];
  readonly changed?: readonly Term[];
  /** Which reviews of the last edition are where now. */
  readonly copies: readonly CopiedSpan[];
}

/** From this share of new reviews on, all are counted. */
const MAX_NEW = 0.5;

export function termsOf({ columns, copies }: WrittenThemeColumns, last?: ThemeColumns): Terms {
  const { count } = columns;
  const all: Term[] = [{ columns, spans: [{ from: 0, to: count }], by: 1 }];
  const copied = copies.map(({ from, to, start }) => ({ from: start, to: start + to - from }));
  const isNew = copied.reduce((sum, { from, to }) => sum - (to - from), count) > MAX_NEW * count;
  if (last === undefined || isNew) return { all, copies };
  const changed: Term[] = [
    { columns: last, spans: between(copies, last.count), by: -1 },
    { columns, spans: between(copied, count), by: 1 },
  ];
  return { all, changed, copies };
}

/** What is between spans, up to the last of `count` positions. */
function between(spans: readonly Span[], count: number): Span[] {
  const [froms, tos] = [
    [0, ...spans.map(({ to }) => to)],
    [...spans.map(({ from }) => from), count],
  ];
  return froms.map((from, index) => ({ from, to: tos[index] as number })).filter(({ from, to }) => from < to);
}

/** Of each key: */
export interface KeyCounts {
  /** The number of reviews that have it. */
  readonly reviews: Int32Array;
  /** How often it occurs within sentences, and how often with a capital there. */
  readonly within: Int32Array;
  readonly capital: Int32Array;
  /** How often it is shouted there. */
  readonly shouted: Int32Array;
  /** How often it follows a title. */
  readonly titled: Int32Array;
}

/** Counts the keys of `frequent` words, from the counts of the last edition if it had the same. */
export function countKeys(terms: readonly Term[], { words, keyOf }: FrequentWords, last?: KeyCounts): KeyCounts {
  const { vocabulary } = (terms[0] as Term).columns;
  const size = vocabulary.keys.length;
  const [reviews, within, capital, shouted, titled] = [
    resized(last?.reviews, size),
    resized(last?.within, size),
    resized(last?.capital, size),
    resized(last?.shouted, size),
    resized(last?.titled, size),
  ];
  const [isCapital, isShouted, isTitled] = [
    new Uint8Array(keyOf.length),
    new Uint8Array(keyOf.length),
    new Uint8Array(keyOf.length),
  ];
  for (const word of words) {
    const meaning = vocabulary.meaningOf(word);
    if (meaning.isCapital) isCapital[word] = 1;
    if (meaning.isShouted) isShouted[word] = 1;
    if (meaning.isTitled) isTitled[word] = 1;
  }
  for (const { columns, spans, by } of terms) {
    const { entries, starts } = columns;
    const seen = new Int32Array(size).fill(-1);
    for (const { from, to } of spans) {
      for (let position = from; position < to; position++) {
        for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
          const entry = entries[at] as number;
          const word = wordOf(entry);
          const key = keyOf[word] as number;
          if (key === NO_KEY) continue;
          if (linkOf(entry) !== LINK.opening) {
            (within[key] as number) += by;
            (capital[key] as number) += by * (isCapital[word] as number);
            (shouted[key] as number) += by * (isShouted[word] as number);
            (titled[key] as number) += by * (isTitled[word] as number);
          }
          if (seen[key] === position) continue;
          seen[key] = position;
          (reviews[key] as number) += by;
        }
      }
    }
  }
  return { reviews, within, capital, shouted, titled };
}

function resized(numbers: Int32Array | undefined, length: number): Int32Array {
  const copy = new Int32Array(length);
  if (numbers !== undefined) copy.set(numbers);
  return copy;
}

/** Two keys of which the second follows the first, by their places among the keys that are paired. */
export interface PairCounts {
  /** In ascending order. */
  readonly keys: readonly number[];
  /** The number of reviews with each pair: see `pairAt`. */
  readonly reviews: Int32Array;
}

/** Counts the pairs of keys, from the counts of the last edition if they were the same. */
export function countPairs(
  terms: readonly Term[],
  { words, keyOf }: FrequentWords,
  { keys, reviews: last }: { readonly keys: readonly number[]; readonly reviews?: Int32Array | undefined },
): PairCounts {
  const placeOfKey = new Map(keys.map((key, place) => [key, place]));
  const placeOf = new Int32Array(keyOf.length).fill(-1);
  for (const word of words) placeOf[word] = placeOfKey.get(keyOf[word] as number) ?? -1;
  const size = keys.length;
  const reviews = resized(last, 2 * size * size);
  for (const { columns, spans, by } of terms) {
    const { entries, starts } = columns;
    const seen = new Int32Array(reviews.length).fill(-1);
    for (const { from, to } of spans) {
      for (let position = from; position < to; position++) {
        let before = -1;
        for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
          const entry = entries[at] as number;
          const place = placeOf[wordOf(entry)] as number;
          const link = linkOf(entry);
          const isLinked =
            before >= 0 && place >= 0 && place !== before && (link === LINK.adjacent || link === LINK.of);
          const pair = ((link === LINK.of ? size : 0) + before) * size + place;
          before = place;
          if (!isLinked || seen[pair] === position) continue;
          seen[pair] = position;
          (reviews[pair] as number) += by;
        }
      }
    }
  }
  return { keys, reviews };
}

/** A word or phrase by the numbers of its keys. */
export interface Candidate {
  readonly keys: readonly number[];
  /** How the second key follows the first. */
  readonly link: number;
  readonly count: number;
}

/** The pairs that at least so many reviews have. */
export function frequentPairs({ keys, reviews }: PairCounts, least: number): Candidate[] {
  const size = keys.length;
  const pairs: Candidate[] = [];
  for (let pair = 0; pair < reviews.length; pair++) {
    const count = reviews[pair] as number;
    if (count < least) continue;
    const [row, second] = [Math.floor(pair / size), pair % size];
    const link = row < size ? LINK.adjacent : LINK.of;
    pairs.push({ keys: [keys[row % size] as number, keys[second] as number], link, count });
  }
  return pairs;
}

/** The reviews that name a candidate, newest first. */
export interface Naming {
  readonly positions: Uint32Array;
  /** Those of them that praise it where they name it, and those that criticise it. */
  readonly praising: Uint32Array;
  readonly criticising: Uint32Array;
}

const NO_CANDIDATE = -1;

/** What finds which of some candidates, none a part of another, an entry begins to name. */
export type CandidateFinder = (columns: ThemeColumns, at: number, end: number) => number;

export function candidateFinder(
  candidates: readonly Candidate[],
  { keyOf }: FrequentWords,
  { keys }: ThemeVocabulary,
): CandidateFinder {
  const size = keys.length;
  const [alone, opens] = [new Int32Array(size).fill(NO_CANDIDATE), new Uint8Array(size)];
  const pairs = new Map<number, number>();
  for (const [
    index,
    {
      keys: [first = 0, second],
      link,
    },
  ] of candidates.entries()) {
    if (second === undefined) alone[first] = index;
    else {
      opens[first] = 1;
      pairs.set((first * 4 + link) * size + second, index);
    }
  }
  return ({ entries }, at, end) => {
    const key = keyOf[wordOf(entries[at] as number)] as number;
    if (key === NO_KEY) return NO_CANDIDATE;
    const index = alone[key] as number;
    if (opens[key] === 0 || at + 1 === end) return index;
    const next = entries[at + 1] as number;
    const second = keyOf[wordOf(next)] as number;
    return second === NO_KEY ? index : (pairs.get((key * 4 + linkOf(next)) * size + second) ?? index);
  };
}

/** Finds the reviews that name each of `count` candidates. A review judges one where it first names and judges it. */
export function nameReviews(terms: readonly Term[], find: CandidateFinder, count: number): Naming[] {
  const found = Array.from({ length: count }, () => ({
    ...{ positions: [] as number[], praising: [] as number[], criticising: [] as number[] },
    judged: -1,
  }));
  for (const { columns, spans, by } of terms) {
    if (by < 0) continue;
    const { entries, starts } = columns;
    for (const { from, to } of spans) {
      for (let position = from; position < to; position++) {
        for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
          const one = found[find(columns, at, end)];
          if (one === undefined) continue;
          if (one.positions.at(-1) !== position) one.positions.push(position);
          const tone = toneIn(entries[at] as number);
          if (tone === TONE.neutral || one.judged === position) continue;
          one.judged = position;
          (tone === TONE.praise ? one.praising : one.criticising).push(position);
        }
      }
    }
  }
  return found.map(({ positions, praising, criticising }) => ({
    positions: Uint32Array.from(positions),
    praising: Uint32Array.from(praising),
    criticising: Uint32Array.from(criticising),
  }));
}

/** The reviews of the last edition that are still there, and those that are new. */
export function withCopied(last: Naming, added: Naming, copies: readonly CopiedSpan[]): Naming {
  const merge = (list: keyof Naming) => merged(last[list], added[list], copies);
  return { positions: merge("positions"), praising: merge("praising"), criticising: merge("criticising") };
}

/** The place of the first of ascending positions that is not before one. */
function firstFrom(positions: Uint32Array, position: number): number {
  return lowerBound(positions.length, (at) => (positions[at] as number) >= position);
}

function merged(last: Uint32Array, added: Uint32Array, copies: readonly CopiedSpan[]): Uint32Array {
  const all = new Uint32Array(last.length + added.length);
  let [length, next] = [0, 0];
  for (const { from, to, start } of copies) {
    while (next < added.length && (added[next] as number) < start) all[length++] = added[next++] as number;
    const copied = last.subarray(firstFrom(last, from), firstFrom(last, to));
    all.set(copied, length);
    const end = length + copied.length;
    for (; start !== from && length < end; length++) all[length] = (all[length] as number) + start - from;
    length = end;
  }
  all.set(added.subarray(next), length);
  return all.slice(0, length + added.length - next);
}
