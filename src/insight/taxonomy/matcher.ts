/**
 * Matches many patterns against a text at once. Each pattern is indexed by its rarest required words and is tried only
 * near an occurrence of one of them, so that the time is proportional to the text's length and nearly independent of
 * the number of patterns. A trial follows all alternatives of a pattern at once, as bits of a number, so that no text
 * can make it slow. Patterns are compiled when they are first tried.
 */

import { BREAK, type Tokens } from "../text/tokens.ts";
import { wordTable } from "../text/vocabulary.ts";
import { keysOf } from "../text/word-keys.ts";
import { parsePattern, type Sequence } from "./pattern.ts";
import { classReader, indexPatterns, LONGEST, type PatternIndex, rowsOf } from "./pattern-index.ts";
import { isOneOf, type Step, stepCompiler, type WordSet } from "./pattern-steps.ts";

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

/** An indexed pattern. */
interface Compiled {
  readonly number: number;
  /** The row of a pattern that is a group, or -1. */
  readonly row: number;
  /** Minimum and maximum number of the pattern's words before the indexed word. */
  readonly fewest: number;
  readonly most: number;
  /** Index of the indexed word's element if that is a single word at the pattern's top level, otherwise -1. */
  readonly anchor: number;
  /** Its number among the indexed patterns: place of its sets in `needs`. */
  readonly place: number;
  sequence: Sequence | undefined;
  conditions: Conditions | undefined;
  steps: readonly Step[] | undefined;
  /** The text of the last trial, and its last start. */
  text: number;
  tried: number;
}

/** Conditions checked before a pattern is tried. */
interface Conditions {
  /** Words of which one must directly precede or follow the indexed word. */
  readonly before: WordSet | undefined;
  readonly after: WordSet | undefined;
}

/** Patterns that are indexed by a word. */
interface Lists {
  /** Those without conditions on its neighbours. */
  readonly anchored: readonly Compiled[];
  /** Those that require certain words after it, or before it. */
  readonly beforeAnother: readonly Compiled[];
  readonly afterAnother: readonly Compiled[];
}

/**
 * What a word's row holds: the number of its lists or -1, and where in `pool` its keys and the sets that hold one of
 * them begin and end.
 */
const WORD = { lists: 0, keys: 1, keysEnd: 2, setsEnd: 3 } as const;
const WORD_WIDTH = 4;

/** The patterns of one word that its neighbour allows. */
interface Pair {
  readonly word: number;
  readonly neighbour: number;
  readonly list: readonly Compiled[];
}

/** Pairs are remembered in the one place that their words give, where a later pair may displace them. */
const PAIR_BITS = 14;
const PLACES_OF_PAIRS = 1 << PAIR_BITS;
const PAIR_SHIFT = 32 - PAIR_BITS;
/** At most so many sets are checked before a pattern is tried. */
const NEEDS = 3;

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
  const { stepsOf, neighbours, bitmaps } = stepCompiler((key) => numbers.get(key) ?? -1, classReader(classes));
  const anchoredBy: Compiled[][] = index.words.map(() => []);
  /** For each word the sets that patterns need and that hold it. */
  const needed: number[][] = index.words.map(() => []);
  const noSet = index.sets.length;
  for (const set of new Set(index.patterns.flatMap(([, , , , , , needs]) => needs)))
    for (const key of index.sets[set] as readonly number[]) (needed[key] as number[]).push(set);
  /** By pattern: other sets of which the sentence must have a word; the number of no set where there are fewer. */
  const needs = new Int32Array(index.patterns.length * NEEDS).fill(noSet);
  for (const [place, [number, row, set, fewest, most, anchor, needed]] of index.patterns.entries()) {
    needs.set(needed, place * NEEDS);
    const compiled: Compiled = {
      number,
      row,
      fewest,
      most,
      anchor,
      place,
      sequence: undefined,
      conditions: undefined,
      steps: undefined,
      text: 0,
      tried: 0,
    };
    for (const key of index.sets[set] as readonly number[]) (anchoredBy[key] as Compiled[]).push(compiled);
  }

  const rowsOfWords = wordTable(WORD_WIDTH, wordFor, forgetWords);
  let lists: Lists[] = [];
  /** Keys and sets of words, one word after the other. */
  let pool = new Int32Array(1024);
  let poolEnd = 0;
  let nextPairs: (Pair | undefined)[] = new Array(PLACES_OF_PAIRS);
  let lastPairs: (Pair | undefined)[] = new Array(PLACES_OF_PAIRS);
  let texts = 0;
  /** The current sentence, and the last one that had a word of each set. */
  let sentences = 0;
  const lastWith = new Int32Array(noSet + 1);
  // The current trial: the text's words, what is known of each, whether each opens a sentence, and the start.
  let words: readonly number[] = [];
  let rows: Int32Array = new Int32Array();
  let breaksOfText: readonly number[] = [];
  let start = 0;
  /**
   * The positions of `follow`, as one bit per number of words from the start, and those at which a sentence may open.
   */
  let ends = 0;
  let crossings = 0;
  return { find };

  function opens(at: number): boolean {
    return breaksOfText[at] === BREAK.sentence;
  }

  function sequenceOf(compiled: Compiled): Sequence {
    compiled.sequence ??= rowsOf(parsePattern(patterns[compiled.number] as string))[Math.max(0, compiled.row)];
    return compiled.sequence as Sequence;
  }

  function find(tokens: Tokens): Match[] {
    const matches: Match[] = [];
    rows = rowsOfWords(tokens);
    words = tokens.words;
    breaksOfText = tokens.breaks;
    texts++;
    for (let at = 0; at < words.length; at++) {
      if (at === 0 || opens(at)) readSentence(at);
      const number = rows[(words[at] as number) * WORD_WIDTH + WORD.lists] as number;
      if (number < 0) continue;
      const { anchored, beforeAnother, afterAnother } = lists[number] as Lists;
      if (anchored.length > 0) tryAll(anchored, at, matches);
      if (beforeAnother.length > 0 && at + 1 < words.length) tryAll(followedBy(beforeAnother, at), at, matches);
      if (afterAnother.length > 0 && at > 0) tryAll(precededBy(afterAnother, at), at, matches);
    }
    if (matches.length < 2) return matches;
    matches.sort((a, b) => a.from - b.from || a.pattern - b.pattern || b.to - a.to);
    return matches.filter((match, index) => !isSamePlace(match, matches[index - 1]));
  }

  function tryAll(list: readonly Compiled[], at: number, matches: Match[]): void {
    for (let index = 0; index < list.length; index++) {
      const compiled = list[index] as Compiled;
      if (!areMet(compiled.place * NEEDS)) continue;
      // The next word is already known to match, or the previous word if there is no condition on the next.
      const { before, after } = compiled.conditions as Conditions;
      if (after !== undefined && before !== undefined && !isAt(at - 1, before)) continue;
      const last = at - compiled.fewest;
      start = Math.max(0, at - compiled.most);
      if (compiled.text === texts && compiled.tried >= start) start = compiled.tried + 1;
      compiled.text = texts;
      compiled.tried = last;
      if (start > last) continue;
      compiled.steps ??= stepsOf(sequenceOf(compiled));
      const [first] = compiled.steps;
      const firsts = first?.kind === "words" ? first.set : undefined;
      for (; start <= last; start++) {
        if (firsts === undefined) follow(compiled.steps, 0, 1, 0);
        else if (isAt(start, firsts)) follow(compiled.steps, 1, 2, 0);
        else continue;
        if (ends !== 0) matches.push({ pattern: compiled.number, from: start, to: start + 31 - Math.clz32(ends) });
      }
    }
  }

  function areMet(from: number): boolean {
    for (let at = from; at < from + NEEDS; at++) if (lastWith[needs[at] as number] !== sentences) return false;
    return true;
  }

  /** Of the patterns indexed by the word at `at` those that the next word allows. */
  function followedBy(list: readonly Compiled[], at: number): readonly Compiled[] {
    const [word, neighbour] = [words[at] as number, words[at + 1] as number];
    const place = placeOf(word, neighbour);
    const known = nextPairs[place];
    if (known !== undefined && known.word === word && known.neighbour === neighbour) return known.list;
    const allowed = list.filter(({ conditions }) => isAt(at + 1, conditions?.after as WordSet));
    nextPairs[place] = { word, neighbour, list: allowed };
    return allowed;
  }

  /** The same of the word before. */
  function precededBy(list: readonly Compiled[], at: number): readonly Compiled[] {
    const [word, neighbour] = [words[at] as number, words[at - 1] as number];
    const place = placeOf(word, neighbour);
    const known = lastPairs[place];
    if (known !== undefined && known.word === word && known.neighbour === neighbour) return known.list;
    const allowed = list.filter(({ conditions }) => isAt(at - 1, conditions?.before as WordSet));
    lastPairs[place] = { word, neighbour, list: allowed };
    return allowed;
  }

  function readSentence(from: number): void {
    sentences++;
    lastWith[noSet] = sentences;
    // What the loops read is in constants, so that it is not fetched from the closure each time.
    const [sentence, ofText, ofWords, ofPool] = [sentences, words, rows, pool];
    for (let at = from; at < ofText.length && (at === from || !opens(at)); at++) {
      const row = (ofText[at] as number) * WORD_WIDTH;
      const end = ofWords[row + WORD.setsEnd] as number;
      for (let set = ofWords[row + WORD.keysEnd] as number; set < end; set++) {
        lastWith[ofPool[set] as number] = sentence;
      }
    }
  }

  function wordFor(form: string): number[] {
    const keys = keysOf(form).flatMap((key) => numbers.get(key) ?? []);
    const all = [...new Set(keys.flatMap((key) => anchoredBy[key] ?? []))];
    for (const compiled of all) compiled.conditions ??= conditionsOf(compiled);
    if (all.length > 0) {
      lists.push({
        anchored: all.filter(({ conditions }) => conditions?.after === undefined && conditions?.before === undefined),
        beforeAnother: all.filter(({ conditions }) => conditions?.after !== undefined),
        afterAnother: all.filter(
          ({ conditions }) => conditions?.after === undefined && conditions?.before !== undefined,
        ),
      });
    }
    const from = poolEnd;
    const end = addToPool(keys);
    const sets = new Set(keys.flatMap((key) => needed[key] ?? []));
    return [all.length > 0 ? lists.length - 1 : -1, from, end, addToPool([...sets])];
  }

  function addToPool(numbers: readonly number[]): number {
    while (poolEnd + numbers.length > pool.length) {
      const longer = new Int32Array(pool.length * 2);
      longer.set(pool);
      pool = longer;
    }
    pool.set(numbers, poolEnd);
    poolEnd += numbers.length;
    return poolEnd;
  }

  function forgetWords(): void {
    lists = [];
    poolEnd = 0;
    nextPairs = new Array(PLACES_OF_PAIRS);
    lastPairs = new Array(PLACES_OF_PAIRS);
  }

  /** Whether the word at `at` is in the set. */
  function isAt(at: number, set: WordSet): boolean {
    if (at < 0 || at >= words.length) return false;
    const row = (words[at] as number) * WORD_WIDTH;
    return isOneOf(pool, rows[row + WORD.keys] as number, rows[row + WORD.keysEnd] as number, set, bitmaps());
  }

  function conditionsOf(compiled: Compiled): Conditions {
    const { anchor } = compiled;
    const sequence = anchor < 0 ? [] : sequenceOf(compiled);
    const before = anchor < 0 ? undefined : neighbours(sequence.slice(0, anchor).reverse(), -1);
    const after = anchor < 0 ? undefined : neighbours(sequence.slice(anchor + 1), 0);
    return { before, after };
  }

  /** Follows the steps from number `from` on. */
  function follow(steps: readonly Step[], from: number, starts: number, crossing: number): void {
    ends = starts;
    crossings = crossing;
    for (let index = from; index < steps.length && ends !== 0; index++) followStep(steps[index] as Step);
  }

  function followStep(step: Step): void {
    if (step.kind === "words") {
      ends = moved(step.set);
      crossings = 0;
    } else if (step.kind === "gap") {
      let reached = ends;
      if (step.crossing) crossings = ends;
      for (let count = 0; count < step.most && ends !== 0; count++) {
        ends = moved(undefined);
        crossings = step.crossing ? ends : 0;
        reached |= ends;
      }
      ends = reached;
      crossings = step.crossing ? reached : 0;
    } else {
      const starts = ends;
      const crossing = crossings;
      let reached = step.isOptional ? starts : 0;
      let crossed = step.isOptional ? crossing : 0;
      const isOpen = step.firsts === undefined || moved(step.firsts) !== 0;
      for (let index = 0; isOpen && index < step.rows.length; index++) {
        follow(step.rows[index] as readonly Step[], 0, starts, crossing);
        reached |= ends;
        crossed |= crossings;
      }
      ends = reached;
      crossings = crossed;
    }
  }

  /** The positions one word after `ends`, for any word or a word from a set. */
  function moved(set: WordSet | undefined): number {
    let moves = 0;
    for (let rest = ends; rest !== 0; rest &= rest - 1) {
      const offset = 31 - Math.clz32(rest & -rest);
      if (start + offset >= words.length || offset >= LONGEST) break;
      if (offset > 0 && opens(start + offset) && ((crossings >>> offset) & 1) === 0) continue;
      if (set === undefined || isAt(start + offset, set)) moves |= 1 << (offset + 1);
    }
    return moves;
  }
}

function placeOf(word: number, neighbour: number): number {
  return Math.imul(word ^ Math.imul(neighbour, 0x9e3779b1), 0x85ebca6b) >>> PAIR_SHIFT;
}

function isSamePlace(a: Match, b: Match | undefined): boolean {
  return b !== undefined && a.pattern === b.pattern && a.from === b.from;
}
