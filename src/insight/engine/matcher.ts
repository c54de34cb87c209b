/**
 * Matches many patterns against a text at once. Each pattern is indexed by its rarest required words. It is tried only near
 * one of them, and only if another required word is at a possible distance. The time is therefore proportional to the
 * text's length and nearly independent of the number of patterns. Patterns are compiled when first tried.
 */

import type { Language } from "../text/language-words.ts";
import { parsePattern } from "../text/pattern.ts";
import { BREAK, type Tokens } from "../text/tokens.ts";
import { wordTable } from "../text/vocabulary.ts";
import { fullVerbs, kindsOf } from "../text/word-keys.ts";
import { headOf, stem } from "../text/word-stem.ts";
import { addToPool, emptyPool, numberLists } from "./number-pool.ts";
import { makeFollower, WORD, WORD_WIDTH } from "./pattern-follower.ts";
import { classReader, indexPatterns, type PatternIndex, rowsOf } from "./pattern-index.ts";
import { stepCompiler } from "./pattern-steps.ts";

/** A match: the pattern's index in the given list, and the words `from` to `to` (exclusive) that it covers. */
export interface Match {
  readonly pattern: number;
  readonly from: number;
  readonly to: number;
}

export interface Matcher {
  /** All matches, by start; for each pattern and start only the longest. */
  find(tokens: Tokens): Match[];
}

/**
 * An indexed pattern's row: its number, its row if it is a group or -1, the minimum and maximum number of its
 * words before the indexed word, and the place of its steps, 0 if it was never tried. A word of the set `need` must
 * follow the indexed one at a distance of `nearest` plus the index of a bit in `window`.
 */
const PATTERN = { number: 0, row: 1, fewest: 2, most: 3, steps: 4, need: 5, nearest: 6, window: 7 } as const;
const PATTERN_WIDTH = 8;
const NONE = -1;

/** Positions are bits of a number. Beyond 32 they wrap, which only causes needless trials. */
const BITS = 32;

/**
 * Compiles a matcher for texts of one language and `patterns` in it, in which `{name}` refers to a class in `classes`. With their index, which may have
 * been computed earlier, the patterns are not read before a text needs them.
 * @throws Error if a pattern or class is invalid. To report its location, parse them first.
 */
export function compileMatcher(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
  language: Language,
  index: PatternIndex = indexPatterns(patterns, classes, language),
): Matcher {
  const numbers = new Map(index.words.map((key, number) => [key, number]));
  /** The keys of exact forms, without their sign. */
  const exact = new Map(
    [...numbers].filter(([key]) => key.startsWith("=")).map(([key, number]) => [key.slice(1), number]),
  );
  const steps = emptyPool();
  const addSteps = stepCompiler(steps, (key) => numbers.get(key) as number, classReader(classes, language));
  const { table, patternsOf, setsOf, sets } = layOut(index);
  /** By needed set: the positions of its words in the current sentence, as bits. */
  const places = new Int32Array(sets);

  const keys = emptyPool();
  const rowsOfWords = wordTable(WORD_WIDTH, addWord, () => {
    keys.end = 0;
  });
  /** Words of all texts before this one, and for each pattern the last start that was tried, counted from the first text. */
  let passed = 0;
  const tried = new Float64Array(index.patterns.length).fill(NONE);
  const follower = makeFollower(steps, keys);
  return { find };

  function addWord(table: Int32Array, row: number, form: string): void {
    table[row + WORD.keys] = keys.end;
    addKey(numbers.get(stem(form, language)));
    addKey(exact.get(form));
    const head = headOf(form, language);
    if (head !== undefined) addKey(numbers.get(head));
    for (const verb of fullVerbs(form, language)) addKey(numbers.get(verb));
    const { kind, isClock } = kindsOf(form, language);
    if (kind !== undefined) addKey(numbers.get(kind));
    if (isClock) addKey(numbers.get("#clock"));
    table[row + WORD.end] = keys.end;
  }

  function addKey(number: number | undefined): void {
    if (number !== undefined) addToPool(keys, [number]);
  }

  function find(tokens: Tokens): Match[] {
    const matches: Match[] = [];
    const { words, breaks } = tokens;
    const rows = rowsOfWords(tokens);
    follower.read(tokens, rows);
    for (let from = 0, to = 0; from < words.length; from = to) {
      to = from + 1;
      while (to < words.length && breaks[to] !== BREAK.sentence) to++;
      locateSets(words, rows, from, to);
      tryAll(words, rows, from, to, matches);
    }
    passed += words.length;
    if (matches.length < 2) return matches;
    matches.sort(byPlace);
    return matches.filter((match, index) => !isSamePlace(match, matches[index - 1]));
  }

  /** Sets `places` for a sentence, the words `from` to `to` (exclusive). */
  function locateSets(words: readonly number[], rows: Int32Array, from: number, to: number): void {
    const { numbers: keysOfWords } = keys;
    const { from: firsts, numbers: all } = setsOf;
    places.fill(0);
    for (let at = from; at < to; at++) {
      const row = (words[at] as number) * WORD_WIDTH;
      const lastKey = rows[row + WORD.end] as number;
      const bit = 1 << at;
      for (let place = rows[row + WORD.keys] as number; place < lastKey; place++) {
        const key = keysOfWords[place] as number;
        const end = firsts[key + 1] as number;
        for (let next = firsts[key] as number; next < end; next++) {
          const set = all[next] as number;
          places[set] = (places[set] as number) | bit;
        }
      }
    }
  }

  /** Tries the patterns indexed by a key of one of the words `from` to `to` (exclusive), a sentence. */
  function tryAll(words: readonly number[], rows: Int32Array, from: number, to: number, matches: Match[]): void {
    const { from: firsts, numbers: all } = patternsOf;
    for (let at = from; at < to; at++) {
      const row = (words[at] as number) * WORD_WIDTH;
      const lastKey = rows[row + WORD.end] as number;
      for (let place = rows[row + WORD.keys] as number; place < lastKey; place++) {
        const key = keys.numbers[place] as number;
        const end = firsts[key + 1] as number;
        for (let next = firsts[key] as number; next < end; next++) {
          const pattern = all[next] as number;
          if (hasNeed(pattern, at)) tryAt(pattern, at, matches);
        }
      }
    }
  }

  function hasNeed(pattern: number, at: number): boolean {
    const need = table[pattern + PATTERN.need] as number;
    if (need < 0) return true;
    const found = places[need] as number;
    if (found === 0) return false;
    const shift = at + (table[pattern + PATTERN.nearest] as number);
    return (((found >>> shift) | (found << -shift)) & (table[pattern + PATTERN.window] as number)) !== 0;
  }

  function tryAt(pattern: number, at: number, matches: Match[]): void {
    const number = pattern / PATTERN_WIDTH;
    const last = at - (table[pattern + PATTERN.fewest] as number);
    let first = Math.max(0, at - (table[pattern + PATTERN.most] as number));
    first = Math.max(first, (tried[number] as number) - passed + 1);
    tried[number] = passed + last;
    if (first > last) return;
    const place = table[pattern + PATTERN.steps] || compile(pattern);
    for (let start = first; start <= last; start++) {
      const ends = follower.endsFrom(start, place);
      if (ends === 0) continue;
      matches.push({
        pattern: table[pattern + PATTERN.number] as number,
        from: start,
        to: start + 31 - Math.clz32(ends),
      });
    }
  }

  function compile(pattern: number): number {
    const all = rowsOf(parsePattern(patterns[table[pattern + PATTERN.number] as number] as string, language));
    const place = addSteps(all[Math.max(0, table[pattern + PATTERN.row] as number)] ?? []);
    table[pattern + PATTERN.steps] = place;
    return place;
  }
}

/** The rows of the patterns, and by key the patterns indexed by it, and which of the needed `sets` hold it. */
function layOut(index: PatternIndex) {
  /** In the order in which they are first needed. */
  const needs = [...new Set(index.patterns.map(([, , , , , need]) => need))].filter((need) => need !== NONE);
  const numberOfNeed = new Map(needs.map((need, number) => [need, number]));
  const [indexed, needed] = [index.words.map((): number[] => []), index.words.map((): number[] => [])];
  const table = new Int32Array(index.patterns.length * PATTERN_WIDTH);
  for (const [at, [number, row, set, fewest, most, need, nearest, farthest]] of index.patterns.entries()) {
    const window = farthest - nearest + 1 < BITS ? (1 << (farthest - nearest + 1)) - 1 : -1;
    table.set([number, row, fewest, most, 0, numberOfNeed.get(need) ?? NONE, nearest, window], at * PATTERN_WIDTH);
    for (const key of index.sets[set] as readonly number[]) (indexed[key] as number[]).push(at * PATTERN_WIDTH);
  }
  for (const [number, need] of needs.entries())
    for (const key of index.sets[need] as readonly number[]) (needed[key] as number[]).push(number);
  return { table, patternsOf: numberLists(indexed), setsOf: numberLists(needed), sets: needs.length };
}

function byPlace(a: Match, b: Match): number {
  return a.from - b.from || a.pattern - b.pattern || b.to - a.to;
}

function isSamePlace(a: Match, b: Match | undefined): boolean {
  return b !== undefined && a.pattern === b.pattern && a.from === b.from;
}
