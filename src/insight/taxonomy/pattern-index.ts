/**
 * Indexes patterns by their rarest required words, so that a text is compared only with patterns of which it has a
 * word. The index is plain data: that of a bundled taxonomy is computed once and kept in a file.
 */
import { type Element, parsePattern, type Sequence } from "./pattern.ts";

/** Words of which one must occur where an element matches, and the minimum and maximum number of words before it. */
interface Required {
  readonly keys: readonly number[];
  /** Higher for more frequent words. */
  readonly cost: number;
  readonly fewest: number;
  readonly most: number;
  /** The element's index in its sequence. */
  readonly place: number;
}

/**
 * A pattern, or one row of a pattern that is a group: the pattern's number, the row or -1, the set of words by which it
 * is indexed, the minimum and maximum number of the pattern's words before them, the index of their element if that is
 * a single word at the pattern's top level, otherwise -1, and the sets of which the sentence must have a word each.
 */
type IndexedPattern = readonly [
  pattern: number,
  row: number,
  set: number,
  fewest: number,
  most: number,
  anchor: number,
  needs: readonly number[],
];

export interface PatternIndex {
  /** Every word of the patterns; its place is its number. */
  readonly words: readonly string[];
  /** Sets of words, by their numbers. */
  readonly sets: readonly (readonly number[])[];
  readonly patterns: readonly IndexedPattern[];
}

/** Maximum number of words in a match: a trial uses one bit of a number per word. */
export const LONGEST = 30;
/** Maximum number of required sets of words, besides the indexed words, that are checked before a pattern is tried. */
const MOST_NEEDS = 3;

/**
 * The most frequent stems in reviews, in descending order, with their approximate frequency per ten thousand words.
 * Patterns are not indexed by them if it can be avoided.
 */
const COMMON = new Map(
  `the be and a #num #clock i to it in they hav on not my for he of do with me would that at 's we get up out one 'd
  have say no day com from so two work but our you by tell call go what could befor us when this timing an leav them
  all his about tak as new hour off guy ther ask job never back thre hous after her lik their very minut find heat
  year #money company old know recommend down every four over if put week first still who then sam servic will good
  look use need mov roof unit great mak furnac run even phon sinc tech him through just part nobody clean can giv
  again becaus show lin thing right fix without visit nothing which fiv other only man night pay system how crew
  next whol hom than last install second see wait ac half she now keep let pricing charg highly thermostat repair
  window around onc thank sit bill morning truck room your wrong ten kid another own peopl everything set ring door
  want quot send leak turn professional hold duct mor wher finish air water under number replac answer start much
  text behind offic mover each six excellent pick end attic until ever month team hear somebody whil or board nin
  pump hand book friendly wif yet nic anyon bad wir walk think els try check into any twic talk dat why sell vent
  gas open though car well wall warranty within way lat writ trip away chang floor feel star efficient straight
  boiler coil filter someon front third nam question liv drop estimat return later both fit problem cold compressor
  till monday ceiling evening quick pip appointment explain past sid fan guess read panel dead sur buy`
    .split(/\s+/)
    .map((key, rank) => [key, 1700 / (rank + 3)]),
);

/**
 * Indexes `patterns`, in which `{name}` refers to a class in `classes`.
 * @throws Error if a pattern or class is invalid. To report its location, parse them first.
 */
export function indexPatterns(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
): PatternIndex {
  const numbers = new Map<string, number>();
  const costs: number[] = [];
  const membersOf = classReader(classes);
  const requiredOfClass = new Map<string, Required>();
  const lengthsOf = new Map<string, { readonly fewest: number; readonly most: number }>();
  const indexed: IndexedPattern[] = [];
  const sets: (readonly number[])[] = [];
  const setNumbers = new Map<string, number>();
  for (const [number, pattern] of patterns.entries()) {
    const rows = rowsOf(parsePattern(pattern));
    for (const [row, sequence] of rows.entries()) add(number, rows.length === 1 ? -1 : row, sequence);
  }
  return { words: [...numbers.keys()], sets, patterns: indexed };

  function add(number: number, row: number, sequence: Sequence): void {
    const [rarest, ...needs] = requiredOf(sequence, 0, 0).sort((a, b) => a.cost - b.cost);
    if (rarest === undefined) return;
    const anchor = isOneWord(sequence[rarest.place]) ? rarest.place : -1;
    const within = sequence.some(isCrossing) ? [] : needs.slice(0, MOST_NEEDS).map(({ keys }) => setOf(keys));
    indexed.push([number, row, setOf(rarest.keys), rarest.fewest, Math.min(LONGEST, rarest.most), anchor, within]);
  }

  /** The number of a set; sets of the same words have the same. */
  function setOf(keys: readonly number[]): number {
    const members = [...new Set(keys)];
    const name = members.join();
    const number = setNumbers.get(name) ?? sets.push(members) - 1;
    setNumbers.set(name, number);
    return number;
  }

  function isOneWord(element: Element | undefined): boolean {
    if (element === undefined) return false;
    const { fewest, most } = lengthsOfElement(element);
    return fewest === 1 && most === 1;
  }

  function numberOf(key: string): number {
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
      costs.push(COMMON.get(key.startsWith("=") ? key.slice(1) : key) ?? 1);
    }
    return number;
  }

  /** Required words for every element that is not optional. */
  function requiredOf(sequence: Sequence, fewestBefore: number, mostBefore: number): Required[] {
    const all: Required[] = [];
    let [fewest, most] = [fewestBefore, mostBefore];
    for (const [place, element] of sequence.entries()) {
      if (element.kind === "word") {
        const key = numberOf(element.key);
        all.push({ keys: [key], cost: costs[key] ?? 1, fewest, most, place });
      } else if (element.kind === "class") {
        let inner = requiredOfClass.get(element.name);
        if (inner === undefined) {
          inner = requiredOfOne(membersOf(element.name), 0, 0);
          requiredOfClass.set(element.name, inner);
        }
        all.push({ ...inner, fewest: fewest + inner.fewest, most: most + inner.most, place });
      } else if (element.kind === "group") all.push({ ...requiredOfOne(element.sequences, fewest, most), place });
      const lengths = lengthsOfElement(element);
      fewest += lengths.fewest;
      most += lengths.most;
    }
    return all;
  }

  /** Required words for a choice between sequences. */
  function requiredOfOne(sequences: readonly Sequence[], fewestBefore: number, mostBefore: number): Required {
    const keys: number[] = [];
    let [cost, fewest, most] = [0, Number.POSITIVE_INFINITY, 0];
    for (const sequence of sequences) {
      const rarest = requiredOf(sequence, fewestBefore, mostBefore).reduce((a, b) => (b.cost < a.cost ? b : a));
      keys.push(...rarest.keys);
      cost += rarest.cost;
      fewest = Math.min(fewest, rarest.fewest);
      most = Math.max(most, rarest.most);
    }
    return { keys, cost, fewest, most, place: 0 };
  }

  function lengthsOfElement(element: Element): { readonly fewest: number; readonly most: number } {
    if (element.kind === "word") {
      // Every word, even an optional one, is numbered before the first text is read.
      numberOf(element.key);
      return { fewest: 1, most: 1 };
    }
    if (element.kind === "gap") return { fewest: 0, most: element.most };
    const known = element.kind === "class" ? lengthsOf.get(element.name) : undefined;
    if (known !== undefined) return known;
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

/** A top-level group is equivalent to a separate pattern for each row. */
export function rowsOf(sequence: Sequence): readonly Sequence[] {
  const [only] = sequence;
  return sequence.length === 1 && only?.kind === "group" ? only.sequences : [sequence];
}

/** Returns a function that parses the members of a class, once. */
export function classReader(
  classes: Readonly<Record<string, readonly string[]>>,
): (name: string) => readonly Sequence[] {
  const members = new Map<string, readonly Sequence[]>();
  return (name) => {
    let list = members.get(name);
    if (list === undefined) {
      const patternsOfClass = classes[name];
      if (patternsOfClass === undefined) throw new Error(`{${name}} is not a class`);
      list = patternsOfClass.map(parsePattern);
      members.set(name, list);
    }
    return list;
  };
}

function isCrossing(element: Element): boolean {
  if (element.kind === "gap") return element.crossing;
  return (
    (element.kind === "group" || element.kind === "optional") && element.sequences.some((row) => row.some(isCrossing))
  );
}
