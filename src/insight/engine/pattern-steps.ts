/** Compiles the elements of patterns to steps: numbers in one array, so that a trial reads adjacent memory. */

import type { Sequence } from "../text/pattern.ts";
import { addToPool, type NumberPool } from "./number-pool.ts";

/**
 * The first number of a step, and the numbers after it:
 *
 *     end      none: the sequence is complete
 *     words    one of a few words: how many, and their numbers
 *     set      one of many words: where their bitmap begins, and its length
 *     gap      its maximum number of words, and 1 if it may cross sentences
 *     choice   where it is described: 1 if it may be left out, the place of a step with the words with which its rows
 *              begin (0 if they cannot be determined), the number of its rows, and the place of each
 */
export const STEP = { end: 0, words: 1, set: 2, gap: 3, choice: 4 } as const;

/** An element with word numbers instead of words. */
type Step = Words | Choice | { readonly kind: "gap"; readonly most: number; readonly crossing: boolean };
interface Words {
  readonly kind: "words";
  readonly keys: readonly number[];
}
interface Choice {
  readonly kind: "choice";
  readonly rows: readonly (readonly Step[])[];
  readonly isOptional: boolean;
  readonly firsts: Words | undefined;
}

/** Up to this many words are compared one by one; more become a bitmap, shared by the steps that use it. */
const MAX_COMPARED_KEYS = 12;

/**
 * Returns a function that adds the steps of a sequence to `pool` and returns their place; no place is 0. `numberOf`
 * numbers a word, `membersOf` parses the members of a class.
 */
export function stepCompiler(
  pool: NumberPool,
  numberOf: (key: string) => number,
  membersOf: (name: string) => readonly Sequence[],
): (sequence: Sequence) => number {
  const stepOfClass = new Map<string, Step>();
  const places = new Map<Step, number>();
  addToPool(pool, [STEP.end]);
  return (sequence) => addSteps(stepsOf(sequence));

  function stepsOf(sequence: Sequence): Step[] {
    return sequence.map((element): Step => {
      if (element.kind === "word") return wordsOf([numberOf(element.key)]);
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

  function addSteps(steps: readonly Step[]): number {
    return addToPool(pool, [...steps.flatMap(numbersOf), STEP.end]);
  }

  function numbersOf(step: Step): number[] {
    if (step.kind === "gap") return [STEP.gap, step.most, step.crossing ? 1 : 0];
    if (step.kind === "choice") return [STEP.choice, placeOf(step, addChoice)];
    const { keys } = step;
    if (keys.length <= MAX_COMPARED_KEYS) return [STEP.words, keys.length, ...keys];
    return [STEP.set, placeOf(step, addBitmap), bitmapLength(keys)];
  }

  /** Choices and sets of classes are added once. */
  function placeOf<Kind extends Step>(step: Kind, add: (step: Kind) => number): number {
    const place = places.get(step) ?? add(step);
    places.set(step, place);
    return place;
  }

  function addChoice({ rows, isOptional, firsts }: Choice): number {
    const placesOfRows = rows.map(addSteps);
    const placeOfFirsts = firsts === undefined ? 0 : addSteps([firsts]);
    return addToPool(pool, [isOptional ? 1 : 0, placeOfFirsts, rows.length, ...placesOfRows]);
  }

  function addBitmap({ keys }: Words): number {
    const bitmap = new Array<number>(bitmapLength(keys)).fill(0);
    for (const key of keys) bitmap[key >>> 5] = (bitmap[key >>> 5] as number) | (1 << (key & 31));
    return addToPool(pool, bitmap);
  }

  /** A choice between rows of steps; rows of one word are merged into one set. */
  function choiceOf(sequences: readonly Sequence[], isOptional: boolean): Step {
    const single: number[] = [];
    const rows: Step[][] = [];
    for (const sequence of sequences) {
      const steps = stepsOf(sequence);
      const [first] = steps;
      if (steps.length === 1 && first?.kind === "words") single.push(...first.keys);
      else rows.push(steps);
    }
    if (single.length > 0) rows.push([wordsOf(single)]);
    const [only] = rows;
    if (!isOptional && rows.length === 1 && only?.length === 1 && only[0] !== undefined) return only[0];
    const firsts = rows.map(([first]) => firstsOf(first));
    const isKnown = firsts.every((words) => words !== undefined);
    return {
      kind: "choice",
      rows,
      isOptional,
      firsts: isKnown ? wordsOf(firsts.flatMap(({ keys }) => keys)) : undefined,
    };
  }
}

function wordsOf(keys: readonly number[]): Words {
  return { kind: "words", keys: [...new Set(keys)] };
}

function bitmapLength(keys: readonly number[]): number {
  return (Math.max(...keys) >>> 5) + 1;
}

/** The words with which a step begins; undefined if it is optional or begins with any word. */
function firstsOf(step: Step | undefined): Words | undefined {
  if (step?.kind === "words") return step;
  return step?.kind === "choice" && !step.isOptional ? step.firsts : undefined;
}

/** Whether one of the words in `keys` from `from` to `to` (exclusive) is one of the step at `place`. */
export function isOneOf(keys: Int32Array, from: number, to: number, steps: Int32Array, place: number): boolean {
  const [kind, first, length] = [steps[place], place + 2, steps[place + 1] as number];
  for (let at = from; at < to; at++) {
    const key = keys[at] as number;
    if (kind === STEP.words) {
      for (let other = first; other < first + length; other++) if (steps[other] === key) return true;
    } else if (
      key >>> 5 < (steps[first] as number) &&
      (((steps[length + (key >>> 5)] as number) >>> (key & 31)) & 1) === 1
    ) {
      return true;
    }
  }
  return false;
}
