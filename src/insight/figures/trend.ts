/** Reviews over time: monthly figures without gaps, and the trend. */
import type { Month, Trend } from "../../insights-document.ts";
import type { Analysed } from "./analysed.ts";
import { columnsOf, nameOfMonth } from "./columns.ts";
import { meanOf } from "./figures.ts";

const FEWEST = 10;
const RECENT_MONTHS = 6;
const EARLIER_MONTHS = 12;
const LEAST_CHANGE = 0.1;

/** Every month from the first review's to the last one's; averages of empty months are null. */
export function monthly(analysed: readonly Analysed[]): Month[] {
  if (analysed.length === 0) return [];
  const { months, stars, scores } = columnsOf(analysed);
  const [first, last] = rangeOf(months);
  const sums = Array.from({ length: last - first + 1 }, () => ({ count: 0, stars: 0, scores: 0 }));
  for (const [at, month] of months.entries()) {
    const sum = sums[month - first];
    if (sum === undefined) continue;
    sum.count++;
    sum.stars += stars[at] ?? 0;
    sum.scores += scores[at] ?? 0;
  }
  return sums.map(({ count, stars, scores }, at) => ({
    month: nameOfMonth(first + at),
    review_count: count,
    average_rating: meanOf(stars, count),
    score: meanOf(scores, count),
  }));
}

function rangeOf(months: Int32Array): [first: number, last: number] {
  return [months.reduce((a, b) => Math.min(a, b)), months.reduce((a, b) => Math.max(a, b))];
}

/**
 * The score's trend. The reviews of the newest six months (counted from the newest review's month) are compared with
 * those of the twelve months before. With fewer than ten reviews on either side, the trend is `insufficient_data`. It
 * is `improving` or `declining` if the means differ by at least 0.1 and by at least twice the standard error of their
 * difference, otherwise `steady`.
 */
export function trend(analysed: readonly Analysed[]): Trend {
  if (analysed.length === 0) return "insufficient_data";
  const { months, scores } = columnsOf(analysed);
  const [, newest] = rangeOf(months);
  const recentFrom = newest + 1 - RECENT_MONTHS;
  const earlierFrom = recentFrom - EARLIER_MONTHS;
  const recent: number[] = [];
  const earlier: number[] = [];
  for (const [at, month] of months.entries()) {
    if (month >= recentFrom) recent.push(scores[at] ?? 0);
    else if (month >= earlierFrom) earlier.push(scores[at] ?? 0);
  }
  if (recent.length < FEWEST || earlier.length < FEWEST) return "insufficient_data";
  const change = average(recent) - average(earlier);
  const error = Math.sqrt(variance(recent) / recent.length + variance(earlier) / earlier.length);
  if (Math.abs(change) < LEAST_CHANGE || Math.abs(change) < 2 * error) return "steady";
  return change > 0 ? "improving" : "declining";
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const center = average(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}
