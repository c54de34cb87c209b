/** Compiles the elements of patterns to steps over word numbers; each set of words and each class once. */
import type { Element, Sequence } from "./pattern.ts";

/** An element compiled to word numbers. */
export type Step =
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
export interface WordSet {
  readonly keys: readonly number[];
  /** The key of a set of one, otherwise -1. */
  readonly only: number;
  /** Where in the bitmaps that of the keys begins, and how many numbers it has, for sets of more than one. */
  readonly bits: number;
  readonly length: number;
}

export interface StepCompiler {
  /** The bitmaps of all sets, one after the other. */
  readonly bitmaps: () => Uint32Array;
  readonly stepsOf: (sequence: Sequence) => Step[];
  /** Words with which the elements begin or, for side -1, end; undefined if any word is possible or none is required. */
  readonly neighbours: (elements: readonly Element[], side: 0 | -1) => WordSet | undefined;
}

/** `numberOf` numbers a word, `membersOf` parses the members of a class. */
export function stepCompiler(
  numberOf: (key: string) => number,
  membersOf: (name: string) => readonly Sequence[],
): StepCompiler {
  const stepOfClass = new Map<string, Step>();
  const sets = new Map<readonly number[], WordSet>();
  const sides = new Map<Element, { readonly [side in 0 | -1]?: readonly number[] }>();
  let bitmaps = new Uint32Array(1024);
  let end = 0;
  return { stepsOf, neighbours, bitmaps: () => bitmaps };

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
      set =
        keys.length === 1 ? { keys, only: keys[0] as number, bits: 0, length: 0 } : { keys, only: -1, ...bitsOf(keys) };
      sets.set(list, set);
    }
    return set;
  }

  /** Adds the bitmap of a set. */
  function bitsOf(keys: readonly number[]): Pick<WordSet, "bits" | "length"> {
    const length = (Math.max(-1, ...keys) >>> 5) + 1;
    const bits = end;
    end += length;
    while (end > bitmaps.length) {
      const longer = new Uint32Array(bitmaps.length * 2);
      longer.set(bitmaps);
      bitmaps = longer;
    }
    for (const key of keys) bitmaps[bits + (key >>> 5)] = (bitmaps[bits + (key >>> 5)] as number) | (1 << (key & 31));
    return { bits, length };
  }
}

/** Whether one of the keys in `pool` from `from` to `to` (exclusive) is in the set. */
export function isOneOf(
  pool: Int32Array,
  from: number,
  to: number,
  { only, bits, length }: WordSet,
  bitmaps: Uint32Array,
): boolean {
  for (let at = from; at < to; at++) {
    const key = pool[at] as number;
    if (only >= 0) {
      if (only === key) return true;
    } else if (key >>> 5 < length && (((bitmaps[bits + (key >>> 5)] as number) >>> (key & 31)) & 1) === 1) return true;
  }
  return false;
}
