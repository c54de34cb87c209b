/**
 * Follows the steps of a pattern along a text, all alternatives at once: positions are the bits of a number, one for each
 * number of words from the start, so no text can make it slow.
 */
import { BREAK, type Tokens } from "../text/tokens.ts";
import type { NumberPool } from "./number-pool.ts";
import { MAX_MATCH_WORDS } from "./pattern-index.ts";
import { isOneOf, STEP } from "./pattern-steps.ts";

/** A word's row: where its keys begin and end. */
export const WORD = { keys: 0, end: 1 } as const;
export const WORD_WIDTH = 2;

/** In place of a step: any word matches. */
const ANY = -1;

interface PatternFollower {
  /** Takes the text to follow, and the rows of its words. */
  read(text: Pick<Tokens, "breaks" | "words">, rows: Int32Array): void;
  /** The ends of all matches from the word `start` on, by the steps at `place`; 0 if there is none. */
  endsFrom(start: number, place: number): number;
}

export function makeFollower(steps: NumberPool, keys: NumberPool): PatternFollower {
  let words: readonly number[] = [];
  let rows: Int32Array = new Int32Array();
  let breaks: readonly number[] = [];
  let start = 0;
  /** At which of the positions that `follow` returns a sentence may open. */
  let crossings = 0;
  return {
    read(text, rowsOfWords) {
      ({ breaks, words } = text);
      rows = rowsOfWords;
    },
    endsFrom(first, place) {
      start = first;
      return follow(place, 1, 0);
    },
  };

  /** Follows the steps from `place` on; at the positions in `crossing`, a sentence may open. */
  function follow(place: number, starts: number, crossing: number): number {
    const { numbers } = steps;
    let ends = starts;
    crossings = crossing;
    for (let at = place; ends !== 0; ) {
      const kind = numbers[at];
      if (kind === STEP.words || kind === STEP.set) {
        ends = moved(at, ends);
        crossings = 0;
        at += kind === STEP.set ? 3 : 2 + (numbers[at + 1] as number);
      } else if (kind === STEP.end) return ends;
      else if (kind === STEP.choice) {
        ends = followChoice(numbers[at + 1] as number, ends);
        at += 2;
      } else {
        ends = followGap(ends, numbers[at + 1] as number, numbers[at + 2] === 1);
        at += 3;
      }
    }
    return 0;
  }

  function followGap(starts: number, most: number, isCrossing: boolean): number {
    let [ends, reached] = [starts, starts];
    if (isCrossing) crossings = starts;
    for (let count = 0; count < most && ends !== 0; count++) {
      ends = moved(ANY, ends);
      crossings = isCrossing ? ends : 0;
      reached |= ends;
    }
    crossings = isCrossing ? reached : 0;
    return reached;
  }

  /** Follows each row of the choice at `place`. */
  function followChoice(place: number, starts: number): number {
    const { numbers } = steps;
    const crossing = crossings;
    const isOptional = numbers[place] === 1;
    let reached = isOptional ? starts : 0;
    let crossed = isOptional ? crossing : 0;
    const firsts = numbers[place + 1] as number;
    if (firsts === 0 || moved(firsts, starts) !== 0) {
      const end = place + 3 + (numbers[place + 2] as number);
      for (let row = place + 3; row < end; row++) {
        reached |= follow(numbers[row] as number, starts, crossing);
        crossed |= crossings;
      }
    }
    crossings = crossed;
    return reached;
  }

  /** The positions one word after `ends`, for any word or one of the step at `place`. */
  function moved(place: number, ends: number): number {
    let moves = 0;
    for (let rest = ends; rest !== 0; rest &= rest - 1) {
      const offset = 31 - Math.clz32(rest & -rest);
      const at = start + offset;
      if (at >= words.length || offset >= MAX_MATCH_WORDS) break;
      if (offset > 0 && breaks[at] === BREAK.sentence && ((crossings >>> offset) & 1) === 0) continue;
      if (place === ANY || isAt(at, place)) moves |= 1 << (offset + 1);
    }
    return moves;
  }

  /** Whether the word at `at` is one of the step at `place`. */
  function isAt(at: number, place: number): boolean {
    const row = (words[at] as number) * WORD_WIDTH;
    return isOneOf(keys.numbers, rows[row + WORD.keys] as number, rows[row + WORD.end] as number, steps.numbers, place);
  }
}
