/**
 * Memory that the engine reuses for every text, because allocating it costs more than the arithmetic. The clauses and
 * scores of a text are valid until the next text is read with the same scratch.
 */
import { emptyList, type NumberList } from "./number-list.ts";
import { type ClauseScores, emptyScores } from "./trained-model.ts";

/** Whether a clause has more praise or more blame. */
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

/** A clause's scores, and the probabilities that follow from them, each `NOT_COMPUTED` until it is needed. */
export interface ScoredClause extends ClauseScores {
  /** By aspect. */
  readonly chances: Float64Array;
  /** The most probable aspect, its log odds, and those of the second. */
  first: number;
  most: number;
  second: number;
  /** Blame with and without the stars, for every aspect without cues of its own. */
  blame: number;
  blameByWords: number;
  /** Blame without the stars, for the aspect that is being read. */
  blameOfAspect: number;
}

export interface Scratch {
  spans: ClauseSpan[];
  scores: ScoredClause[];
}

/** After a text with more clauses, the memory is released. */
const MAX_REUSED_CLAUSES = 1_000;
/** The cues of every clause without any. */
export const NO_CUES: number[] = [];

export function emptyScratch(): Scratch {
  return { spans: [], scores: [] };
}

/** Releases the memory of a very long text. */
export function trimScratch(scratch: Scratch): void {
  if (scratch.spans.length > MAX_REUSED_CLAUSES) scratch.spans = [];
  if (scratch.scores.length > MAX_REUSED_CLAUSES) scratch.scores = [];
}

/** An empty clause at `index` that begins at the word `from`. */
export function emptySpan({ spans }: Scratch, index: number, from: number): ClauseSpan {
  let span = spans[index];
  if (span === undefined) {
    const [keys, stars, around, vectors] = [emptyList(), emptyList(), emptyList(), emptyList()];
    span = { from, to: from, keys, stars, around, vectors, cues: NO_CUES, denies: false, praise: 0, blame: 0, tone: 0 };
    spans.push(span);
  }
  span.from = from;
  span.cues = NO_CUES;
  span.denies = false;
  span.praise = 0;
  span.blame = 0;
  return span;
}

/** Scores for at least `clauses` clauses, with old contents. A scratch serves one number of outputs and aspects. */
export function allocateScores({ scores }: Scratch, clauses: number, outputs: number, aspects: number): ScoredClause[] {
  while (scores.length < clauses) {
    const { presence, stars } = emptyScores(outputs);
    scores.push({
      presence: presence.length < aspects ? new Float64Array(aspects) : presence,
      polarity: new Float64Array(aspects),
      stars,
      chances: new Float64Array(aspects),
      first: 0,
      most: 0,
      second: 0,
      shared: 0,
      blame: 0,
      blameByWords: 0,
      blameOfAspect: 0,
    });
  }
  return scores;
}
