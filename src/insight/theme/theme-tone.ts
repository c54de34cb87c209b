/**
 * What a text says of a thing that it names, not only in the same clause: "we had booked a table and waited an hour" is no
 * criticism of the table. The clause must judge, and something must tie the judgement to the word.
 */
import type { AspectMention } from "../../insights-document.ts";
import type { Finding } from "../engine/clause-features.ts";
import type { Frame } from "../sentiment/polarity.ts";
import { TONE } from "./theme-words.ts";

/** A clause and what it says. */
interface JudgedClause {
  readonly from: number;
  readonly to: number;
  /** Of `TONE`. */
  readonly tone: number;
  /** Whether it is shown as the evidence of an aspect, or judges as surely. */
  readonly isSure: boolean;
  /** Whether the owner has corrected what it says. */
  readonly isCorrected: boolean;
}

/** A clause with the log odds that it praises. */
export interface ScoredClause {
  readonly from: number;
  readonly to: number;
  readonly polarity: number;
}

/** The log odds of praise from which a clause praises, and those of blame from which it criticises; and surely so. */
const [MIN_POLARITY, SURE_POLARITY] = [1, 4];
/** Judging words and negations up to this many words away are of the word. */
const NEAR = 4;
/** The first words of a clause are what it speaks of, and all of a short one. */
const [SUBJECT_WORDS, SHORT_CLAUSE] = [3, 7];

interface Judgements {
  readonly found: readonly Finding[];
  readonly scored: readonly ScoredClause[];
  /** What was read, and the same with the owner's corrections. */
  readonly read: readonly AspectMention[];
  readonly aspects: readonly AspectMention[];
}

/** Makes the function that says of the word at a place what is said of it (of `TONE`). Places are asked in their order. */
export function makeToneAt(frame: Frame, judgements: Judgements): (at: number) => number {
  const clauses = judgedClauses(frame, judgements);
  let next = 0;
  return (at) => {
    while (next < clauses.length && at >= (clauses[next] as JudgedClause).to) next++;
    const clause = clauses[next];
    if (clause === undefined || at < clause.from || clause.tone === TONE.neutral) return TONE.neutral;
    return clause.isCorrected || isOf(at, clause, frame, judgements.found) ? clause.tone : TONE.neutral;
  };
}

/** The clauses, of which those that show an aspect say what is said of that. */
function judgedClauses(
  { tokens: { text, starts, ends } }: Frame,
  { scored, read, aspects }: Judgements,
): JudgedClause[] {
  const shown = aspects.map(({ id, evidence, sentiment }) => {
    const from = text.indexOf(evidence);
    const isCorrected = !read.some((one) => one.id === id && one.sentiment === sentiment);
    return { from, to: from + evidence.length, tone: SENTIMENT_TONES[sentiment], isCorrected };
  });
  return scored.map(({ from, to, polarity }) => {
    const [start, end] = [starts[from] as number, ends[to - 1] as number];
    const own = shown.find((mention) => mention.from <= start && end <= mention.to);
    const isSure = own !== undefined || Math.abs(polarity) >= SURE_POLARITY;
    return { from, to, tone: own?.tone ?? toneOf(polarity), isSure, isCorrected: own?.isCorrected === true };
  });
}

const SENTIMENT_TONES = { neutral: TONE.neutral, positive: TONE.praise, negative: TONE.criticism } as const;

function toneOf(polarity: number): number {
  return polarity >= MIN_POLARITY ? TONE.praise : polarity <= -MIN_POLARITY ? TONE.criticism : TONE.neutral;
}

/** Whether what the clause says is said of the word: by a judging word or a negation near it, a pattern, or its place. */
function isOf(at: number, clause: JudgedClause, { valences, negators }: Frame, found: readonly Finding[]): boolean {
  const [first, end] = [Math.max(clause.from, at - NEAR), Math.min(clause.to, at + NEAR + 1)];
  const sign = clause.tone === TONE.praise ? 1 : -1;
  let hasOther = false;
  for (let near = first; near < end; near++) {
    const valence = valences[near] as number;
    // "Security" is a good word that praises nothing, "noise" a bad one that says enough.
    if (near === at && valence > 0) continue;
    if (valence * sign > 0) return true;
    if (valence !== 0) hasOther = true;
  }
  const stance = clause.tone === TONE.praise ? "positive" : "negative";
  if (found.some((one) => one.stance === stance && one.from <= at + 1 && one.to >= at)) return true;
  if (hasOther) return false;
  if (clause.tone === TONE.criticism && negators.some((negator) => negator >= first && negator < end)) return true;
  return clause.isSure && (at - clause.from < SUBJECT_WORDS || clause.to - clause.from <= SHORT_CLAUSE);
}
