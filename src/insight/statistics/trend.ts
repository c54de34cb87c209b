/** Reviews over time: months and years without gaps, and the trend with what it compares. */

import { lastDayOf } from "../../calendar-date.ts";
import type { Month, Trend, TrendBasis, Year } from "../../insights-document.ts";
import type { Span } from "../../lib/span.ts";
import type { AnalysedReviews } from "./analysed-reviews.ts";
import { meanOf } from "./arithmetic.ts";

const MIN_REVIEWS = 10;
const [RECENT_MONTHS, EARLIER_MONTHS] = [6, 12];
const MIN_CHANGE_STARS = 0.2;
const MONTHS_OF_YEAR = 12;

type Rated = Pick<AnalysedReviews, "days" | "ratings">;
type Scored = Rated & Pick<AnalysedReviews, "scores">;

/** Every month from the first review's to the last one's; averages of empty months are null. */
export function monthly(columns: Scored): Month[] {
  return periods(columns, 1).map(({ first, ...figures }) => ({ month: nameOfMonth(first), ...figures }));
}

/** Every year from the first review's to the last one's; averages of empty years are null. */
export function yearly(columns: Scored): Year[] {
  const years = periods(columns, MONTHS_OF_YEAR);
  return years.map(({ first, ...figures }) => ({ year: nameOfMonth(first).slice(0, 4), ...figures }));
}

/** The figures of consecutive periods of `length` months; `first` is a period's first month. */
function periods({ days, ratings, scores }: Scored, length: number) {
  if (days.length === 0) return [];
  const numbers = monthsOf(days).map((month) => Math.floor(month / length));
  const [first, last] = rangeOf(numbers);
  const counts = new Uint32Array(last - first + 1);
  const [stars, sums] = [new Float64Array(counts.length), new Float64Array(counts.length)];
  const scored = new Uint32Array(counts.length);
  for (let at = 0; at < numbers.length; at++) {
    const period = (numbers[at] as number) - first;
    counts[period] = (counts[period] as number) + 1;
    stars[period] = (stars[period] as number) + (ratings[at] as number);
    const score = scores[at] as number;
    if (Number.isNaN(score)) continue; // its text was not read
    scored[period] = (scored[period] as number) + 1;
    sums[period] = (sums[period] as number) + score;
  }
  return Array.from(counts, (count, period) => ({
    first: (first + period) * length,
    review_count: count,
    average_rating: meanOf(stars[period] as number, count),
    score: meanOf(sums[period] as number, scored[period] as number),
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
 * The trend of the stars, and what it compares: the reviews of the newest six months (counted from the newest review's
 * month) and those of the twelve months before. With fewer than ten reviews on either side, the trend is
 * `insufficient_data`. It is `improving` or `declining` if the means differ by at least 0.2 stars and by at least twice
 * the standard error of their difference, otherwise `steady`.
 */
export function trend({ days, ratings }: Rated): { readonly trend: Trend; readonly trend_basis: TrendBasis } {
  const months = monthsOf(days);
  const [, newest] = rangeOf(months);
  const start = newest + 1 - RECENT_MONTHS;
  const recent = starsOf(months, ratings, { from: start, to: newest + 1 });
  const before = starsOf(months, ratings, { from: start - EARLIER_MONTHS, to: start });
  return { trend: trendOf(recent, before), trend_basis: { recent: basisOf(recent), before: basisOf(before) } };
}

function trendOf(recent: Stars, before: Stars): Trend {
  if (recent.count < MIN_REVIEWS || before.count < MIN_REVIEWS) return "insufficient_data";
  const change = recent.sum / recent.count - before.sum / before.count;
  const error = Math.sqrt(variance(recent) / recent.count + variance(before) / before.count);
  if (Math.abs(change) < MIN_CHANGE_STARS || Math.abs(change) < 2 * error) return "steady";
  return change > 0 ? "improving" : "declining";
}

/** The stars of some months' reviews: their number, sum, and sum of squares. */
interface Stars {
  readonly months: Span;
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

function starsOf(months: Int32Array, ratings: Uint8Array, span: Span): Stars {
  let [count, sum, squares] = [0, 0, 0];
  for (let at = 0; at < months.length; at++) {
    const month = months[at] as number;
    if (month < span.from || month >= span.to) continue;
    const stars = ratings[at] as number;
    count++;
    sum += stars;
    squares += stars * stars;
  }
  return { months: span, count, sum, squares };
}

function basisOf({ months, count, sum }: Stars): TrendBasis["recent"] {
  const isDated = Number.isFinite(months.from);
  return {
    from: isDated ? `${nameOfMonth(months.from)}-01` : null,
    until: isDated ? lastDayOf(nameOfMonth(months.to - 1)) : null,
    review_count: count,
    average_rating: meanOf(sum, count),
  };
}

function variance({ count, sum, squares }: Stars): number {
  return (squares - (sum * sum) / count) / (count - 1);
}
