/** Cuts a text into the clauses that are classified one by one, and tells how each sounds. */

import type { Frame } from "../sentiment/polarity.ts";
import { BREAK } from "../text/tokens.ts";
import { emptyList, type NumberList } from "./number-list.ts";

/** Whether a clause's words are rather those of praise or of blame. */
export const TONE = { none: 0, praise: 1, blame: 2, noClause: 3 } as const;

/** A clause while its features are collected. */
export interface ClauseSpan {
  from: number;
  to: number;
  readonly keys: NumberList;
  readonly stars: NumberList;
  readonly around: NumberList;
  readonly vectors: NumberList;
  cues: number[];
  denies: boolean;
  /** Sums of the valences above and below zero, both positive. */
  praise: number;
  blame: number;
  tone: number;
}

/** The clauses of the last text, which are used again for the next one: nothing else keeps them. */
const room: ClauseSpan[] = [];
/** For more clauses there is room as long as their text is read. */
const MOST_CLAUSES_KEPT = 1_000;
/** The cues of all clauses without any. */
export const NO_CUES: number[] = [];

/**
 * The clauses of a text, valid until the next text is cut. A clause is also split at a pause, such as a comma, with
 * praise on one side and blame on the other.
 */
export function clauseSpans({ clauses: { clause }, tokens: { breaks }, valences, negators }: Frame): ClauseSpan[] {
  if (room.length > MOST_CLAUSES_KEPT) room.length = 0;
  let count = 0;
  let [valence, negator] = [0, 0];
  let span: ClauseSpan | undefined;
  for (let at = 0; at < clause.length; at++) {
    const turns = valence !== 0 && breaks[at] === BREAK.pause && valence * valenceAhead(at) < 0;
    if (span === undefined || clause[at] !== clause[at - 1] || turns) {
      span = opened(count++, at);
      valence = 0;
    }
    span.to = at + 1;
    const value = valences[at] as number;
    valence += value;
    if (value > 0) span.praise += value;
    else span.blame -= value;
    if (at === negators[negator]) {
      span.denies = true;
      negator++;
    }
  }
  const spans = room.slice(0, count);
  for (const open of spans) open.tone = toneOf(open);
  return spans;

  function valenceAhead(from: number): number {
    let sum = 0;
    for (let at = from; at < clause.length && clause[at] === clause[from]; at++) {
      if (at > from && breaks[at] !== BREAK.none) break;
      sum += valences[at] as number;
    }
    return sum;
  }
}

/** Makes the clause at `index`, which begins at the word `from`, an empty one. */
function opened(index: number, from: number): ClauseSpan {
  let span = room[index];
  if (span === undefined) {
    const [keys, stars, around, vectors] = [emptyList(), emptyList(), emptyList(), emptyList()];
    const { none } = TONE;
    span = {
      from,
      to: from,
      keys,
      stars,
      around,
      vectors,
      cues: NO_CUES,
      denies: false,
      praise: 0,
      blame: 0,
      tone: none,
    };
    room.push(span);
  }
  span.from = from;
  span.cues = NO_CUES;
  span.denies = false;
  span.praise = 0;
  span.blame = 0;
  return span;
}

function toneOf({ praise, blame }: ClauseSpan): number {
  if (praise === blame) return TONE.none;
  return praise > blame ? TONE.praise : TONE.blame;
}
