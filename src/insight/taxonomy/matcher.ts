/**
 * Matches many patterns against a text at once. Each pattern is indexed by its rarest required words and is tried only
 * near an occurrence of one of them, and only if another word that it needs stands where it must. So the time is
 * proportional to the text's length and nearly independent of the number of patterns. A trial follows all alternatives
 * of a pattern at once, as bits of a number, so that no text can make it slow. Patterns are compiled when they are first
 * tried.
 */

import { BREAK, type Tokens } from "../text/tokens.ts";
import { wordTable } from "../text/vocabulary.ts";
import { fullVerbs, kindsOf } from "../text/word-keys.ts";
import { stem } from "../text/word-stem.ts";
import { addToPool, emptyPool, numberLists } from "./number-pool.ts";
import { parsePattern } from "./pattern.ts";
import { classReader, indexPatterns, LONGEST, type PatternIndex, rowsOf } from "./pattern-index.ts";
import { isOneOf, STEP, stepCompiler } from "./pattern-steps.ts";

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
 * What an indexed pattern's row holds: its number, its row if it is a group or -1, the minimum and maximum number of its
 * words before the indexed word, and the place of its steps, 0 if it was never tried. A word of the set `need` must
 * stand `nearest` words after the indexed one, or later by the number of a bit in `window`.
 */
const PATTERN = { number: 0, row: 1, fewest: 2, most: 3, steps: 4, need: 5, nearest: 6, window: 7 } as const;
const PATTERN_WIDTH = 8;
const NONE = -1;

/** What a word's row holds: where its keys begin and end. */
const WORD = { keys: 0, end: 1 } as const;
const WORD_WIDTH = 2;

/** What a set's row holds: the last sentence with a word of it, and where its words stand there. */
const SET = { sentence: 0, places: 1 } as const;
const SET_WIDTH = 2;
/** Places are bits of a number. A later place in a longer sentence has the bit of an earlier one. */
const BITS = 32;

/**
 * Compiles a matcher for `patterns`, in which `{name}` refers to a class in `classes`. With their index, which may have
 * been computed earlier, the patterns are not read before a text needs them.
 * @throws Error if a pattern or class is invalid. To report its location, parse them first.
 */
export function compileMatcher(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
  index: PatternIndex = indexPatterns(patterns, classes),
): Matcher {
  const numbers = new Map(index.words.map((key, number) => [key, number]));
  /** The keys of exact forms, without their sign. */
  const exact = new Map(
    [...numbers].filter(([key]) => key.startsWith("=")).map(([key, number]) => [key.slice(1), number]),
  );
  const steps = emptyPool();
  const addSteps = stepCompiler(steps, (key) => numbers.get(key) as number, classReader(classes));
  /** By key: the patterns indexed by it, and the needed sets that hold it. */
  const [indexed, needed] = [index.words.map((): number[] => []), index.words.map((): number[] => [])];
  const table = new Int32Array(index.patterns.length * PATTERN_WIDTH);
  for (const [at, [number, row, set, fewest, most, need, nearest, farthest]] of index.patterns.entries()) {
    const window = farthest - nearest + 1 < BITS ? (1 << (farthest - nearest + 1)) - 1 : -1;
    table.set([number, row, fewest, most, 0, need * SET_WIDTH, nearest, window], at * PATTERN_WIDTH);
    for (const key of index.sets[set] as readonly number[]) (indexed[key] as number[]).push(at * PATTERN_WIDTH);
  }
  for (const set of new Set(index.patterns.map(([, , , , , need]) => need)))
    for (const key of index.sets[set] ?? []) (needed[key] as number[]).push(set * SET_WIDTH);
  const [patternsOf, setsOf] = [numberLists(indexed), numberLists(needed)];
  const sets = new Int32Array(index.sets.length * SET_WIDTH);

  const keys = emptyPool();
  const rowsOfWords = wordTable(WORD_WIDTH, addWord, () => {
    keys.end = 0;
  });
  let sentences = 0;
  /** Words of all texts before this one, and for each pattern the last start that was tried, counted from the first text. */
  let passed = 0;
  const tried = new Float64Array(index.patterns.length).fill(NONE);
  // The current trial: the text's words, where the keys of each are, the break before each, and the start.
  let words: readonly number[] = [];
  let rows: Int32Array = new Int32Array();
  let breaks: readonly number[] = [];
  let start = 0;
  /**
   * The positions of `follow`, as one bit per number of words from the start, and those at which a sentence may open.
   */
  let ends = 0;
  let crossings = 0;
  return { find };

  function addWord(table: Int32Array, row: number, form: string): void {
    table[row + WORD.keys] = keys.end;
    addKey(numbers.get(stem(form)));
    addKey(exact.get(form));
    for (const verb of fullVerbs(form)) addKey(numbers.get(verb));
    const { kind, isClock } = kindsOf(form);
    if (kind !== undefined) addKey(numbers.get(kind));
    if (isClock) addKey(numbers.get("#clock"));
    table[row + WORD.end] = keys.end;
  }

  function addKey(number: number | undefined): void {
    if (number !== undefined) addToPool(keys, [number]);
  }

  function opens(at: number): boolean {
    return breaks[at] === BREAK.sentence;
  }

  function find(tokens: Tokens): Match[] {
    const matches: Match[] = [];
    rows = rowsOfWords(tokens);
    words = tokens.words;
    breaks = tokens.breaks;
    for (let at = 0; at < words.length; at++) {
      if (at === 0 || opens(at)) readSentence(at);
      const row = (words[at] as number) * WORD_WIDTH;
      const end = rows[row + WORD.end] as number;
      for (let place = rows[row + WORD.keys] as number; place < end; place++)
        tryAll(keys.numbers[place] as number, at, matches);
    }
    passed += words.length;
    if (matches.length < 2) return matches;
    matches.sort((a, b) => a.from - b.from || a.pattern - b.pattern || b.to - a.to);
    return matches.filter((match, index) => !isSamePlace(match, matches[index - 1]));
  }

  /** Notes where in the sentence from `from` on the words of sets stand. */
  function readSentence(from: number): void {
    sentences++;
    for (let at = from; at < words.length && (at === from || !opens(at)); at++) {
      const row = (words[at] as number) * WORD_WIDTH;
      const end = rows[row + WORD.end] as number;
      for (let place = rows[row + WORD.keys] as number; place < end; place++)
        noteSets(keys.numbers[place] as number, at);
    }
  }

  function noteSets(key: number, at: number): void {
    const [all, bit, sentence] = [setsOf.numbers, 1 << at, sentences];
    const end = setsOf.from[key + 1] as number;
    for (let place = setsOf.from[key] as number; place < end; place++) {
      const set = all[place] as number;
      const isKnown = sets[set + SET.sentence] === sentence;
      sets[set + SET.sentence] = sentence;
      sets[set + SET.places] = isKnown ? (sets[set + SET.places] as number) | bit : bit;
    }
  }

  /** Tries the patterns indexed by a key of the word at `at`. */
  function tryAll(key: number, at: number, matches: Match[]): void {
    const end = patternsOf.from[key + 1] as number;
    for (let place = patternsOf.from[key] as number; place < end; place++) {
      const pattern = patternsOf.numbers[place] as number;
      if (hasNeed(pattern, at)) tryAt(pattern, at, matches);
    }
  }

  function hasNeed(pattern: number, at: number): boolean {
    const need = table[pattern + PATTERN.need] as number;
    if (need < 0) return true;
    if (sets[need + SET.sentence] !== sentences) return false;
    const places = sets[need + SET.places] as number;
    const shift = at + (table[pattern + PATTERN.nearest] as number);
    return (((places >>> shift) | (places << -shift)) & (table[pattern + PATTERN.window] as number)) !== 0;
  }

  function tryAt(pattern: number, at: number, matches: Match[]): void {
    const number = pattern / PATTERN_WIDTH;
    const last = at - (table[pattern + PATTERN.fewest] as number);
    start = Math.max(0, at - (table[pattern + PATTERN.most] as number), (tried[number] as number) - passed + 1);
    tried[number] = passed + last;
    if (start > last) return;
    const place = table[pattern + PATTERN.steps] || compile(pattern);
    for (; start <= last; start++) {
      follow(place, 1, 0);
      if (ends !== 0)
        matches.push({
          pattern: table[pattern + PATTERN.number] as number,
          from: start,
          to: start + 31 - Math.clz32(ends),
        });
    }
  }

  function compile(pattern: number): number {
    const all = rowsOf(parsePattern(patterns[table[pattern + PATTERN.number] as number] as string));
    const place = addSteps(all[Math.max(0, table[pattern + PATTERN.row] as number)] ?? []);
    table[pattern + PATTERN.steps] = place;
    return place;
  }

  /** Whether a word of the step at `place` stands at `at`. */
  function isAt(at: number, place: number): boolean {
    const row = (words[at] as number) * WORD_WIDTH;
    return isOneOf(keys.numbers, rows[row + WORD.keys] as number, rows[row + WORD.end] as number, steps.numbers, place);
  }

  /** Follows the steps from `place` on. */
  function follow(place: number, starts: number, crossing: number): void {
    ends = starts;
    crossings = crossing;
    const { numbers } = steps;
    for (let at = place; ends !== 0; ) {
      const kind = numbers[at];
      if (kind === STEP.end) return;
      if (kind === STEP.choice) {
        followChoice(numbers[at + 1] as number);
        at += 2;
      } else if (kind === STEP.gap) {
        followGap(numbers[at + 1] as number, numbers[at + 2] === 1);
        at += 3;
      } else {
        ends = moved(at);
        crossings = 0;
        at += kind === STEP.set ? 3 : 2 + (numbers[at + 1] as number);
      }
    }
  }

  function followGap(most: number, isCrossing: boolean): void {
    let reached = ends;
    if (isCrossing) crossings = ends;
    for (let count = 0; count < most && ends !== 0; count++) {
      ends = moved(ANY);
      crossings = isCrossing ? ends : 0;
      reached |= ends;
    }
    ends = reached;
    crossings = isCrossing ? reached : 0;
  }

  /** Follows each row of the choice at `place`. */
  function followChoice(place: number): void {
    const { numbers } = steps;
    const [starts, crossing] = [ends, crossings];
    const isOptional = numbers[place] === 1;
    let reached = isOptional ? starts : 0;
    let crossed = isOptional ? crossing : 0;
    const firsts = numbers[place + 1] as number;
    if (firsts === 0 || moved(firsts) !== 0) {
      const end = place + 3 + (numbers[place + 2] as number);
      for (let row = place + 3; row < end; row++) {
        follow(numbers[row] as number, starts, crossing);
        reached |= ends;
        crossed |= crossings;
      }
    }
    ends = reached;
    crossings = crossed;
  }

  /** The positions one word after `ends`, for any word or one of the step at `place`. */
  function moved(place: number): number {
    let moves = 0;
    for (let rest = ends; rest !== 0; rest &= rest - 1) {
      const offset = 31 - Math.clz32(rest & -rest);
      if (start + offset >= words.length || offset >= LONGEST) break;
      if (offset > 0 && opens(start + offset) && ((crossings >>> offset) & 1) === 0) continue;
      if (place === ANY || isAt(start + offset, place)) moves |= 1 << (offset + 1);
    }
    return moves;
  }
}

/** No step begins there. */
const ANY = -1;

function isSamePlace(a: Match, b: Match | undefined): boolean {
  return b !== undefined && a.pattern === b.pattern && a.from === b.from;
}
