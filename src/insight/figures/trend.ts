/** Reviews over time: monthly figures without gaps, and the trend. */
import type { Month, Trend } from "../../insights-document.ts";
import type { Analysed } from "./analysed.ts";
import { meanOf } from "./figures.ts";

const FEWEST = 10;
const RECENT_MONTHS = 6;
const EARLIER_MONTHS = 12;
const LEAST_CHANGE = 0.1;

/** Every month from the first review's to the last one's; averages of empty months are null. */
export function monthly(analysed: readonly Analysed[]): Month[] {
  const groups = new Map<string, { count: number; stars: number; scores: number }>();
  for (let at = 0; at < analysed.length; ) {
    const month = analysed[at]?.review.date.slice(0, 7) ?? "";
    const group = groups.getOrInsertComputed(month, () => ({ count: 0, stars: 0, scores: 0 }));
    for (let next = analysed[at]; next?.review.date.startsWith(month); next = analysed[++at]) {
      group.count++;
      group.stars += next.review.rating;
      group.scores += next.analysis.score;
    }
  }
  const known = [...groups.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const months: Month[] = [];
  for (let month = first; month <= last; month = monthAfter(month, 1)) {
    const { count, stars, scores } = groups.get(month) ?? { count: 0, stars: 0, scores: 0 };
    months.push({ month, review_count: count, average_rating: meanOf(stars, count), score: meanOf(scores, count) });
  }
  return months;
}

/**
 * The score's trend. The reviews of the newest six months (counted from the newest review's month) are compared with
 * those of the twelve months before. With fewer than ten reviews on either side, the trend is `insufficient_data`. It
 * is `improving` or `declining` if the means differ by at least 0.1 and by at least twice the standard error of their
 * difference, otherwise `steady`.
 */
export function trend(analysed: readonly Analysed[]): Trend {
  const newest = analysed.reduce((latest, { review }) => (review.date > latest ? review.date : latest), "");
  if (newest === "") return "insufficient_data";
  const recentFrom = monthAfter(newest.slice(0, 7), 1 - RECENT_MONTHS);
  const earlierFrom = monthAfter(recentFrom, -EARLIER_MONTHS);
  const recent: number[] = [];
  const earlier: number[] = [];
  for (const { review, analysis } of analysed) {
    // A day is not before a month if it is in it or later: "2026-02-03" is greater than "2026-02".
    if (review.date >= recentFrom) recent.push(analysis.score);
    else if (review.date >= earlierFrom) earlier.push(analysis.score);
  }
  if (recent.length < FEWEST || earlier.length < FEWEST) return "insufficient_data";
  const change = average(recent) - average(earlier);
  const error = Math.sqrt(variance(recent) / recent.length + variance(earlier) / earlier.length);
  if (Math.abs(change) < LEAST_CHANGE || Math.abs(change) < 2 * error) return "steady";
  return change > 0 ? "improving" : "declining";
}

/** The month `count` months after `month` (YYYY-MM), or before it if `count` is negative. */
function monthAfter(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  const year = Math.floor(months / 12);
  return `${String(year).padStart(4, "0")}-${String(months - year * 12 + 1).padStart(2, "0")}`;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const center = average(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}
