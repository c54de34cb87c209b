/** Cuts a text into the clauses that are classified one by one, and tells how each sounds. */
import type { Frame } from "../sentiment/polarity.ts";
import { BREAK } from "../text/tokens.ts";
import { type ClauseSpan, emptySpan, type Scratch, TONE, trimScratch } from "./scratch.ts";

/**
 * The clauses of a text, in scratch memory. A clause is also split at a pause, such as a comma, with praise on one side
 * and blame on the other.
 */
export function clauseSpans(frame: Frame, scratch: Scratch): ClauseSpan[] {
  const {
    clauses: { clause },
    tokens: { breaks },
    valences,
    negators,
  } = frame;
  trimScratch(scratch);
  let count = 0;
  let [valence, negator] = [0, 0];
  let span: ClauseSpan | undefined;
  for (let at = 0; at < clause.length; at++) {
    const turns = valence !== 0 && breaks[at] === BREAK.pause && valence * valenceAhead(at) < 0;
    if (span === undefined || clause[at] !== clause[at - 1] || turns) {
      span = emptySpan(scratch, count++, at);
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
  const spans = scratch.spans.slice(0, count);
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

function toneOf({ praise, blame }: ClauseSpan): number {
  if (praise === blame) return TONE.none;
  return praise > blame ? TONE.praise : TONE.blame;
}
