/**
 * Matches many patterns against a text at once. Each pattern is indexed by its rarest required words and is tried only
 * near an occurrence of one of them, so that the time is proportional to the text's length and nearly independent of
 * the number of patterns. A trial follows all alternatives of a pattern at once, as bits of a number, so that no text
 * can make it slow. Patterns are compiled when they are first tried.
 */

import { BREAK, type Tokens } from "../text/tokens.ts";
import { keysOf } from "../text/word-keys.ts";
import { type Element, parsePattern, type Sequence } from "./pattern.ts";

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

/** An element compiled to word numbers. */
type Step =
  | { readonly kind: "words"; readonly set: WordSet }
  | { readonly kind: "gap"; readonly most: number; readonly crossing: boolean }
  | {
      readonly kind: "choice";
      readonly rows: readonly (readonly Step[])[];
      readonly isOptional: boolean;
      /** Words with which the rows begin, if they can be determined. */
      readonly firsts: WordSet | undefined;
    };

/** A set of words. */
interface WordSet {
  readonly keys: readonly number[];
  /** Bitmap of the keys, for sets of more than one. */
  readonly bits: Uint32Array | undefined;
  /** The sentence last checked for these words, and the result. */
  sentence: number;
  isThere: boolean;
}

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

/** An indexed pattern. */
interface Compiled {
  readonly number: number;
  readonly sequence: Sequence;
  /** Minimum and maximum number of the pattern's words before the indexed word. */
  readonly fewest: number;
  readonly most: number;
  /** Index of the indexed word's element if that is a single word at the pattern's top level, otherwise -1. */
  readonly anchor: number;
  /** Other words required in the sentence. */
  readonly needs: readonly Required[];
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
  /** Sets of words; the sentence must contain a word from each. */
  readonly within: readonly WordSet[];
}

interface Word {
  readonly keys: readonly number[];
  /** Patterns indexed by this word without conditions on its neighbours. */
  readonly anchored: readonly Compiled[];
  /** Patterns that require certain words after it, or before it, and those among them that match a given neighbour. */
  readonly beforeAnother: readonly Compiled[];
  readonly afterAnother: readonly Compiled[];
  readonly byNext: Map<Word, readonly Compiled[]>;
  readonly byLast: Map<Word, readonly Compiled[]>;
}

/** Maximum number of words in a match: a trial uses one bit of a number per word. */
const LONGEST = 30;
/** Maximum number of required sets of words, besides the indexed words, that are checked before a pattern is tried. */
const MOST_NEEDS = 3;
/** Maximum number of cached words. The cache is then cleared, so that unusual texts cannot fill it. */
const MOST_WORDS = 50_000;
const MOST_PAIRS = 200_000;

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
 * Compiles a matcher for `patterns`, in which `{name}` refers to a class in `classes`.
 * @throws Error if a pattern or class is invalid. To report its location, parse them first.
 */
export function compileMatcher(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
): Matcher {
  const numbers = new Map<string, number>();
  const costs: number[] = [];
  const members = new Map<string, readonly Sequence[]>();
  const requiredOfClass = new Map<string, Required>();
  const lengthsOf = new Map<string, { readonly fewest: number; readonly most: number }>();
  const stepOfClass = new Map<string, Step>();
  const sets = new Map<readonly number[], WordSet>();
  const sides = new Map<Element, { readonly [side in 0 | -1]?: readonly number[] }>();
  const anchoredBy: Compiled[][] = [];
  for (const [number, pattern] of patterns.entries()) {
    const sequence = parsePattern(pattern);
    const [only] = sequence;
    // A top-level group is equivalent to a separate pattern for each row.
    if (sequence.length === 1 && only?.kind === "group") for (const row of only.sequences) add(number, row);
    else add(number, sequence);
  }

  const seen = new Int32Array(numbers.size);
  const words = new Map<string, Word>();
  let texts = 0;
  let pairs = 0;
  /** The current sentence, and its word numbers. */
  let sentences = 0;
  const sentenceKeys: number[] = [];
  // The current trial: the text's words, whether each opens a sentence, and the start.
  let row: readonly Word[] = [];
  let opens: readonly boolean[] = [];
  let start = 0;
  /**
   * The positions of `follow`, as one bit per number of words from the start, and those at which a sentence may open.
   */
  let ends = 0;
  let crossings = 0;
  return { find };

  function add(number: number, sequence: Sequence): void {
    const [rarest, ...needs] = requiredOf(sequence, 0, 0).sort((a, b) => a.cost - b.cost);
    if (rarest === undefined) return;
    const compiled: Compiled = {
      number,
      sequence,
      fewest: rarest.fewest,
      most: Math.min(LONGEST, rarest.most),
      anchor: isOneWord(sequence[rarest.place]) ? rarest.place : -1,
      needs: sequence.some(isCrossing) ? [] : needs.slice(0, MOST_NEEDS),
      conditions: undefined,
      steps: undefined,
      text: 0,
      tried: 0,
    };
    for (const key of new Set(rarest.keys)) (anchoredBy[key] as Compiled[]).push(compiled);
  }

  function find({ forms, breaks }: Tokens): Match[] {
    const matches: Match[] = [];
    row = forms.map(wordOf);
    opens = breaks.map((kind) => kind === BREAK.sentence);
    texts++;
    for (let at = 0; at < row.length; at++) {
      if (at === 0 || opens[at] === true) readSentence(at);
      const word = row[at] as Word;
      tryAll(word.anchored, at, matches);
      const next = row[at + 1];
      if (next !== undefined && word.beforeAnother.length > 0) tryAll(followedBy(word, next), at, matches);
      const last = row[at - 1];
      if (last !== undefined && word.afterAnother.length > 0) tryAll(precededBy(word, last), at, matches);
    }
    matches.sort((a, b) => a.from - b.from || a.pattern - b.pattern || b.to - a.to);
    return matches.filter((match, index) => !isSamePlace(match, matches[index - 1]));
  }

  function tryAll(list: readonly Compiled[], at: number, matches: Match[]): void {
    for (let index = 0; index < list.length; index++) {
      const compiled = list[index] as Compiled;
      if (!isPossible(compiled.conditions as Conditions, at)) continue;
      const last = at - compiled.fewest;
      start = Math.max(0, at - compiled.most);
      if (compiled.text === texts && compiled.tried >= start) start = compiled.tried + 1;
      compiled.text = texts;
      compiled.tried = last;
      if (start > last) continue;
      compiled.steps ??= stepsOf(compiled.sequence);
      for (; start <= last; start++) {
        follow(compiled.steps, 1, 0);
        if (ends !== 0) matches.push({ pattern: compiled.number, from: start, to: start + 31 - Math.clz32(ends) });
      }
    }
  }

  function followedBy(word: Word, next: Word): readonly Compiled[] {
    let list = word.byNext.get(next);
    if (list === undefined) {
      list = word.beforeAnother.filter(({ conditions }) => isOneOf(next.keys, conditions?.after as WordSet));
      remember(word.byNext, next, list);
    }
    return list;
  }

  function precededBy(word: Word, last: Word): readonly Compiled[] {
    let list = word.byLast.get(last);
    if (list === undefined) {
      list = word.afterAnother.filter(({ conditions }) => isOneOf(last.keys, conditions?.before as WordSet));
      remember(word.byLast, last, list);
    }
    return list;
  }

  function remember(lists: Word["byNext"], word: Word, list: readonly Compiled[]): void {
    if (pairs++ > MOST_PAIRS) {
      words.clear();
      pairs = 0;
    }
    lists.set(word, list);
  }

  function readSentence(from: number): void {
    sentences++;
    sentenceKeys.length = 0;
    for (let at = from; at < row.length && (at === from || opens[at] !== true); at++) {
      const { keys } = row[at] as Word;
      for (let index = 0; index < keys.length; index++) {
        const key = keys[index] as number;
        if (seen[key] !== sentences) sentenceKeys.push(key);
        seen[key] = sentences;
      }
    }
  }

  function wordOf(form: string): Word {
    const known = words.get(form);
    if (known !== undefined) return known;
    if (words.size >= MOST_WORDS) words.clear();
    const keys = keysOf(form).flatMap((key) => numbers.get(key) ?? []);
    const all = [...new Set(keys.flatMap((key) => anchoredBy[key] ?? []))];
    for (const compiled of all) compiled.conditions ??= conditionsOf(compiled);
    const word = {
      keys,
      anchored: all.filter(({ conditions }) => conditions?.after === undefined && conditions?.before === undefined),
      beforeAnother: all.filter(({ conditions }) => conditions?.after !== undefined),
      afterAnother: all.filter(({ conditions }) => conditions?.after === undefined && conditions?.before !== undefined),
      byNext: new Map(),
      byLast: new Map(),
    };
    words.set(form, word);
    return word;
  }

  /** The next word is already known to match, or the previous word if there is no condition on the next. */
  function isPossible({ before, after, within }: Conditions, at: number): boolean {
    if (after !== undefined && before !== undefined && !isAt(at - 1, before)) return false;
    for (let index = 0; index < within.length; index++) {
      const set = within[index] as WordSet;
      if (set.sentence !== sentences) {
        set.sentence = sentences;
        set.isThere = isInSentence(set);
      }
      if (!set.isThere) return false;
    }
    return true;
  }

  function isAt(at: number, set: WordSet): boolean {
    const word = row[at];
    return word !== undefined && isOneOf(word.keys, set);
  }

  function conditionsOf({ sequence, anchor, needs }: Compiled): Conditions {
    const before = anchor < 0 ? undefined : neighbours(sequence.slice(0, anchor).reverse(), -1);
    const after = anchor < 0 ? undefined : neighbours(sequence.slice(anchor + 1), 0);
    return { before, after, within: needs.map(({ keys }) => setOf(keys)) };
  }

  /**
   * Words with which the elements begin or, for side -1, end; undefined if any word is possible or none is required.
   */
  function neighbours(elements: readonly Element[], side: 0 | -1): WordSet | undefined {
    const keys = keysAtSide(elements, side);
    return keys === undefined ? undefined : setOf(keys);
  }

  function keysAtSide(elements: readonly Element[], side: 0 | -1): readonly number[] | undefined {
    const keys: number[] = [];
    for (const element of elements) {
      const inner = keysOfElementAtSide(element, side);
      if (inner === undefined) return undefined;
      if (element.kind !== "optional") return keys.length === 0 ? inner : [...keys, ...inner];
      keys.push(...inner);
    }
    return undefined;
  }

  function keysOfElementAtSide(element: Element, side: 0 | -1): readonly number[] | undefined {
    if (element.kind === "gap") return undefined;
    if (element.kind === "word") return [numberOf(element.key)];
    const known = sides.get(element)?.[side];
    if (known !== undefined) return known;
    const keys: number[] = [];
    for (const sequence of element.kind === "class" ? membersOf(element.name) : element.sequences) {
      const inner = keysAtSide(side === 0 ? sequence : sequence.toReversed(), side);
      if (inner === undefined) return undefined;
      keys.push(...inner);
    }
    sides.set(element, { ...sides.get(element), [side]: keys });
    return keys;
  }

  function isOneWord(element: Element | undefined): boolean {
    if (element === undefined) return false;
    const { fewest, most } = lengthsOfElement(element);
    return fewest === 1 && most === 1;
  }

  function isInSentence({ keys, bits }: WordSet): boolean {
    if (bits === undefined || keys.length <= sentenceKeys.length) {
      for (let at = 0; at < keys.length; at++) if (seen[keys[at] as number] === sentences) return true;
      return false;
    }
    for (let at = 0; at < sentenceKeys.length; at++) if (isSet(bits, sentenceKeys[at] as number)) return true;
    return false;
  }

  function follow(steps: readonly Step[], starts: number, crossing: number): void {
    ends = starts;
    crossings = crossing;
    for (let index = 0; index < steps.length && ends !== 0; index++) followStep(steps[index] as Step);
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
        follow(step.rows[index] as readonly Step[], starts, crossing);
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
      const word = row[start + offset];
      if (word === undefined || offset >= LONGEST) break;
      if (offset > 0 && opens[start + offset] === true && ((crossings >>> offset) & 1) === 0) continue;
      if (set === undefined || isOneOf(word.keys, set)) moves |= 1 << (offset + 1);
    }
    return moves;
  }

  function numberOf(key: string): number {
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
      costs.push(COMMON.get(key.startsWith("=") ? key.slice(1) : key) ?? 1);
      anchoredBy.push([]);
    }
    return number;
  }

  function membersOf(name: string): readonly Sequence[] {
    let list = members.get(name);
    if (list === undefined) {
      const patternsOfClass = classes[name];
      if (patternsOfClass === undefined) throw new Error(`{${name}} is not a class`);
      list = patternsOfClass.map(parsePattern);
      members.set(name, list);
    }
    return list;
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

  function stepsOf(sequence: Sequence): Step[] {
    return sequence.map((element): Step => {
      if (element.kind === "word") return { kind: "words", set: setOf([numberOf(element.key)]) };
      if (element.kind === "gap") return element;
      if (element.kind !== "class") return choiceOf(element.sequences, element.kind === "optional");
      let step = stepOfClass.get(element.name);
      if (step === undefined) {
        step = choiceOf(membersOf(element.name), false);
        stepOfClass.set(element.name, step);
      }
      return step;
    });
  }

  /** A choice between rows of steps; rows of one word are merged into one set. */
  function choiceOf(sequences: readonly Sequence[], isOptional: boolean): Step {
    const single: number[] = [];
    const rows: Step[][] = [];
    for (const sequence of sequences) {
      const steps = stepsOf(sequence);
      const [first] = steps;
      if (steps.length === 1 && first?.kind === "words") single.push(...first.set.keys);
      else rows.push(steps);
    }
    if (single.length > 0) rows.push([{ kind: "words", set: setOf(single) }]);
    const [only] = rows;
    if (!isOptional && rows.length === 1 && only?.length === 1 && only[0] !== undefined) return only[0];
    const firsts = rows.map(([first]) => firstsOf(first));
    const keys = firsts.every((set) => set !== undefined) ? firsts.flatMap((set) => set.keys) : undefined;
    return { kind: "choice", rows, isOptional, firsts: keys === undefined ? undefined : setOf(keys) };
  }

  function firstsOf(step: Step | undefined): WordSet | undefined {
    if (step?.kind === "words") return step.set;
    return step?.kind === "choice" && !step.isOptional ? step.firsts : undefined;
  }

  /** Returns the set for a list, cached by list identity because lists for classes are reused. */
  function setOf(list: readonly number[]): WordSet {
    let set = sets.get(list);
    if (set === undefined) {
      const keys = [...new Set(list)];
      const bits = keys.length > 1 ? new Uint32Array((Math.max(...keys) >>> 5) + 1) : undefined;
      if (bits !== undefined) for (const key of keys) bits[key >>> 5] = (bits[key >>> 5] as number) | (1 << (key & 31));
      set = { keys, bits, sentence: 0, isThere: false };
      sets.set(list, set);
    }
    return set;
  }
}

function isSamePlace(a: Match, b: Match | undefined): boolean {
  return b !== undefined && a.pattern === b.pattern && a.from === b.from;
}

function isCrossing(element: Element): boolean {
  if (element.kind === "gap") return element.crossing;
  return (
    (element.kind === "group" || element.kind === "optional") && element.sequences.some((row) => row.some(isCrossing))
  );
}

function isOneOf(own: readonly number[], { keys, bits }: WordSet): boolean {
  for (let at = 0; at < own.length; at++) {
    const key = own[at] as number;
    if (bits === undefined ? keys[0] === key : isSet(bits, key)) return true;
  }
  return false;
}

function isSet(bits: Uint32Array, key: number): boolean {
  const at = key >>> 5;
  return at < bits.length && (((bits[at] as number) >>> (key & 31)) & 1) === 1;
}
