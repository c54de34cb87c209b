/** Reviews over time: months without gaps, and the trend. */
import type { Month, Trend } from "../../insights-document.ts";
import type { AnalysedReviews } from "./analysed-reviews.ts";
import { meanOf } from "./arithmetic.ts";

const MIN_REVIEWS = 10;
const RECENT_MONTHS = 6;
const EARLIER_MONTHS = 12;
const MIN_CHANGE = 0.1;

/** Every month from the first review's to the last one's; averages of empty months are null. */
export function monthly({ days, ratings, scores }: Pick<AnalysedReviews, "days" | "ratings" | "scores">): Month[] {
  if (days.length === 0) return [];
  const months = monthsOf(days);
  const [first, last] = rangeOf(months);
  const counts = new Uint32Array(last - first + 1);
  const [stars, sums] = [new Float64Array(counts.length), new Float64Array(counts.length)];
  const scored = new Uint32Array(counts.length);
  for (let at = 0; at < months.length; at++) {
    const month = (months[at] as number) - first;
    counts[month] = (counts[month] as number) + 1;
    stars[month] = (stars[month] as number) + (ratings[at] as number);
    const score = scores[at] as number;
    if (Number.isNaN(score)) continue; // its text was not read
    scored[month] = (scored[month] as number) + 1;
    sums[month] = (sums[month] as number) + score;
  }
  return Array.from(counts, (count, month) => ({
    month: nameOfMonth(first + month),
    review_count: count,
    average_rating: meanOf(stars[month] as number, count),
    score: meanOf(sums[month] as number, scored[month] as number),
  }));
}

/** The months of days, in months since the year 0. */
function monthsOf(days: Uint32Array): Int32Array {
  const months = new Int32Array(days.length);
  for (let at = 0; at < days.length; at++) {
    const month = Math.floor((days[at] as number) / 100);
    months[at] = Math.floor(month / 100) * 12 + (month % 100) - 1;
  }
  return months;
}

/** A month's name, YYYY-MM. */
function nameOfMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
}

function rangeOf(months: Int32Array): [first: number, last: number] {
  let [first, last] = [Infinity, -Infinity];
  for (let at = 0; at < months.length; at++) {
    first = Math.min(first, months[at] as number);
    last = Math.max(last, months[at] as number);
  }
  return [first, last];
}

/**
 * The score's trend, of the reviews that were read. Those of the newest six months (counted from the newest review's month) are compared with
 * those of the twelve months before. With fewer than ten reviews on either side, the trend is `insufficient_data`. It
 * is `improving` or `declining` if the means differ by at least 0.1 and by at least twice the standard error of their
 * difference, otherwise `steady`.
 */
export function trend({ days, scores }: Pick<AnalysedReviews, "days" | "scores">): Trend {
  if (days.length === 0) return "insufficient_data";
  const months = monthsOf(days);
  const [, newest] = rangeOf(months);
  const recentFrom = newest + 1 - RECENT_MONTHS;
  const earlierFrom = recentFrom - EARLIER_MONTHS;
  const recent: number[] = [];
  const earlier: number[] = [];
  for (let at = 0; at < months.length; at++) {
    const month = months[at] as number;
    if (Number.isNaN(scores[at])) continue; // its text was not read
    if (month >= recentFrom) recent.push(scores[at] ?? 0);
    else if (month >= earlierFrom) earlier.push(scores[at] ?? 0);
  }
  if (recent.length < MIN_REVIEWS || earlier.length < MIN_REVIEWS) return "insufficient_data";
  const change = average(recent) - average(earlier);
  const error = Math.sqrt(variance(recent) / recent.length + variance(earlier) / earlier.length);
  if (Math.abs(change) < MIN_CHANGE || Math.abs(change) < 2 * error) return "steady";
  return change > 0 ? "improving" : "declining";
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const center = average(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}
