/**
 * What figures of all reviews count and add up, in arrays: with a hundred thousand reviews, finding each of them in
 * memory again for every figure takes longer than all the figures.
 */
import type { Sentiment } from "../../insights-document.ts";
import type { Analysed } from "./analysed.ts";

/** One value for each review, in the order of the reviews. */
export interface Columns {
  /** The months since the year 0. */
  readonly months: Int32Array;
  readonly stars: Uint8Array;
  readonly scores: Float64Array;
  /** Places in `SENTIMENTS`. */
  readonly sentiments: Uint8Array;
}

export const SENTIMENTS: readonly Sentiment[] = ["positive", "neutral", "negative"];

const known = new WeakMap<readonly Analysed[], Columns>();

/** The columns of `analysed`, a list that no longer changes. */
export function columnsOf(analysed: readonly Analysed[]): Columns {
  return known.getOrInsertComputed(analysed, makeColumns);
}

function makeColumns(analysed: readonly Analysed[]): Columns {
  const count = analysed.length;
  const [months, scores] = [new Int32Array(count), new Float64Array(count)];
  const [stars, sentiments] = [new Uint8Array(count), new Uint8Array(count)];
  for (const [at, { review, analysis }] of analysed.entries()) {
    months[at] = monthNumber(review.date);
    stars[at] = review.rating;
    scores[at] = analysis.score;
    sentiments[at] = SENTIMENTS.indexOf(analysis.sentiment);
  }
  return { months, stars, scores, sentiments };
}

/** The month of a day, YYYY-MM-DD. */
function monthNumber(day: string): number {
  const digit = (at: number) => day.charCodeAt(at) - 48;
  const year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3);
  return year * 12 + digit(5) * 10 + digit(6) - 1;
}

/** A month's name, YYYY-MM. */
export function nameOfMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
}
