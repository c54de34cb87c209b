/**
 * Indexes patterns by their rarest required words, so that a text is compared only with patterns that share a
 * word with it. The index is plain data: a bundled taxonomy comes with its index in a file.
 */
import { type Language, perLanguage, wordsIn } from "../text/language-words.ts";
import { type Element, parsePattern, type Sequence } from "../text/pattern.ts";

/** A minimum and maximum number of words. */
interface Lengths {
  readonly fewest: number;
  readonly most: number;
}

/** Words, one of which must occur where an element matches, and the number of words before it. */
interface Required extends Lengths {
  readonly keys: readonly number[];
  /** Higher for more frequent words. */
  readonly cost: number;
  /** The number of words before the element. */
  readonly before: Lengths;
}

/**
 * A pattern, or one row of a pattern that is a group: the pattern's number, the row or -1, the set of words by which it
 * is indexed, the minimum and maximum number of the pattern's words before them, another required set
 * or -1, and the minimum and maximum distance of its word after the indexed one (negative: before it).
 */
type IndexedPattern = readonly [
  pattern: number,
  row: number,
  set: number,
  fewest: number,
  most: number,
  need: number,
  nearest: number,
  farthest: number,
];

export interface PatternIndex {
  /** Every word of the patterns; its place is its number. */
  readonly words: readonly string[];
  /** Sets of words, by their numbers. */
  readonly sets: readonly (readonly number[])[];
  readonly patterns: readonly IndexedPattern[];
}

/** Maximum number of words in a match: a trial uses one bit of a number per word. */
export const MAX_MATCH_WORDS = 30;

const NO_WORDS: Lengths = { fewest: 0, most: 0 };
const NO_NEED = [-1, 0, 0] as const;

/**
 * The most frequent stems in reviews, in descending order, with their approximate frequency per ten thousand words.
 * Patterns are not indexed by them if it can be avoided.
 */
const commonStems = perLanguage(
  ({ frequent_stems }) => new Map(wordsIn(frequent_stems).map((key, rank) => [key, 1700 / (rank + 3)])),
);

/**
 * Indexes `patterns`, in which `{name}` refers to a class in `classes`.
 * @throws Error if a pattern or class is invalid. To report its location, parse them first.
 */
export function indexPatterns(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
  language: Language,
): PatternIndex {
  const common = commonStems(language);
  const numbers = new Map<string, number>();
  const costs: number[] = [];
  const membersOf = classReader(classes, language);
  const requiredOfClass = new Map<string, Required>();
  const lengthsOf = new Map<string, Lengths>();
  const indexed: IndexedPattern[] = [];
  const sets: (readonly number[])[] = [];
  const setNumbers = new Map<string, number>();
  for (const [number, pattern] of patterns.entries()) {
    const rows = rowsOf(parsePattern(pattern, language));
    for (const [row, sequence] of rows.entries()) add(number, rows.length === 1 ? -1 : row, sequence);
  }
  return { words: [...numbers.keys()], sets, patterns: indexed };

  function add(number: number, row: number, sequence: Sequence): void {
    const [rarest, other] = requiredOf(sequence, NO_WORDS).sort((a, b) => a.cost - b.cost);
    if (rarest === undefined) return;
    const need = other === undefined || sequence.some(isCrossing) ? NO_NEED : needOf(rarest, other);
    indexed.push([number, row, setOf(rarest.keys), rarest.fewest, Math.min(MAX_MATCH_WORDS, rarest.most), ...need]);
  }

  /** Another required set, and the possible distances of its word from the indexed one. */
  function needOf(indexed: Required, other: Required): readonly [need: number, nearest: number, farthest: number] {
    const fewest = other.before.fewest - indexed.before.fewest;
    const most = other.before.most - indexed.before.most;
    const nearest = Math.min(fewest, most) + within(other).fewest - within(indexed).most;
    const farthest = Math.max(fewest, most) + within(other).most - within(indexed).fewest;
    return [setOf(other.keys), nearest, farthest];
  }

  /** Whether a match of the element may cross sentences. */
  function isCrossing(element: Element): boolean {
    if (element.kind === "gap") return element.crossing;
    if (element.kind === "word") return false;
    const rows = element.kind === "class" ? membersOf(element.name) : element.sequences;
    return rows.some((row) => row.some(isCrossing));
  }

  /** The number of a set; sets of the same words have the same. */
  function setOf(keys: readonly number[]): number {
    const members = [...new Set(keys)];
    const name = members.join();
    const number = setNumbers.get(name) ?? sets.push(members) - 1;
    setNumbers.set(name, number);
    return number;
  }

  function numberOf(key: string): number {
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
      costs.push(common.get(key.startsWith("=") ? key.slice(1) : key) ?? 1);
    }
    return number;
  }

  /** Required words for every element that is not optional. */
  function requiredOf(sequence: Sequence, start: Lengths): Required[] {
    const all: Required[] = [];
    let before = start;
    for (const element of sequence) {
      if (element.kind === "word") {
        const key = numberOf(element.key);
        all.push({ keys: [key], cost: costs[key] ?? 1, ...before, before });
      } else if (element.kind === "class") {
        let inner = requiredOfClass.get(element.name);
        if (inner === undefined) {
          inner = requiredOfOne(membersOf(element.name), NO_WORDS);
          requiredOfClass.set(element.name, inner);
        }
        all.push({ ...inner, ...sumOf(before, inner), before });
      } else if (element.kind === "group") all.push(requiredOfOne(element.sequences, before));
      before = sumOf(before, lengthsOfElement(element));
    }
    return all;
  }

  /** Required words for a choice between sequences. */
  function requiredOfOne(sequences: readonly Sequence[], before: Lengths): Required {
    const keys: number[] = [];
    let [cost, fewest, most] = [0, Number.POSITIVE_INFINITY, 0];
    for (const sequence of sequences) {
      const rarest = requiredOf(sequence, before).reduce((a, b) => (b.cost < a.cost ? b : a));
      keys.push(...rarest.keys);
      cost += rarest.cost;
      fewest = Math.min(fewest, rarest.fewest);
      most = Math.max(most, rarest.most);
    }
    return { keys, cost, fewest, most, before };
  }

  function lengthsOfElement(element: Element): Lengths {
    if (element.kind === "word") {
      // Every word, even an optional one, is numbered before the first text is read.
      numberOf(element.key);
      return { fewest: 1, most: 1 };
    }
    if (element.kind === "gap") return { fewest: 0, most: element.most };
    const memo = element.kind === "class" ? lengthsOf.get(element.name) : undefined;
    if (memo !== undefined) return memo;
    const sequences = element.kind === "class" ? membersOf(element.name) : element.sequences;
    let [fewest, most] = [Number.POSITIVE_INFINITY, 0];
    for (const sequence of sequences) {
      let [fewestOfOne, mostOfOne] = [0, 0];
      for (const inner of sequence) {
        const lengths = lengthsOfElement(inner);
        fewestOfOne += lengths.fewest;
        mostOfOne += lengths.most;
      }
      fewest = Math.min(fewest, fewestOfOne);
      most = Math.max(most, mostOfOne);
    }
    const found = { fewest: element.kind === "optional" ? 0 : fewest, most };
    if (element.kind === "class") lengthsOf.set(element.name, found);
    return found;
  }
}

function sumOf(a: Lengths, b: Lengths): Lengths {
  return { fewest: a.fewest + b.fewest, most: a.most + b.most };
}

/** The number of words of the element before the required one. */
function within({ fewest, most, before }: Required): Lengths {
  return { fewest: fewest - before.fewest, most: most - before.most };
}

/** A top-level group is equivalent to a separate pattern for each row. */
export function rowsOf(sequence: Sequence): readonly Sequence[] {
  const [only] = sequence;
  return sequence.length === 1 && only?.kind === "group" ? only.sequences : [sequence];
}

/** Returns a function that parses the members of a class, once. */
export function classReader(
  classes: Readonly<Record<string, readonly string[]>>,
  language: Language,
): (name: string) => readonly Sequence[] {
  const members = new Map<string, readonly Sequence[]>();
  return (name) => {
    let list = members.get(name);
    if (list === undefined) {
      const patternsOfClass = classes[name];
      if (patternsOfClass === undefined) throw new Error(`{${name}} is not a class`);
      list = patternsOfClass.map((pattern) => parsePattern(pattern, language));
      members.set(name, list);
    }
    return list;
  };
}
