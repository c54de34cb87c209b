/** Arithmetic for insights: means and percentages with consistent rounding. */
import type { Insights } from "../../insights-document.ts";

/** The statistics in the insights, from which the prose is written. */
export type Statistics = Pick<
  Insights,
  | "review_count"
  | "languages"
  | "unread_count"
  | "date_range"
  | "overall_sentiment"
  | "aspects"
  | "entities"
  | "topics"
  | "temporal"
>;

/** Rounds `value` to `digits` decimals, halves away from zero, never -0. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  const scaled = Math.round(Math.abs(value) * factor * (1 + Number.EPSILON)) / factor;
  return value < 0 && scaled !== 0 ? -scaled : scaled;
}

/** The mean to two decimals; null without values. What is not a number is left out. */
export function mean(values: Float64Array | Uint8Array): number | null {
  let [sum, count] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return meanOf(sum, count);
}

/** The same of the values at some positions, added in their order. */
export function meanAt(values: Float64Array | Uint8Array, positions: Uint32Array): number | null {
  let sum = 0;
  for (let at = 0; at < positions.length; at++) sum += values[positions[at] as number] as number;
  return meanOf(sum, positions.length);
}

/** The same of values that were counted and added up before. */
export function meanOf(sum: number, count: number): number | null {
  return count === 0 ? null : rounded(sum / count, 2);
}

/** `part` as a percentage of `whole`, to one decimal; 0 if `whole` is 0. */
export function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded((part * 100) / whole, 1);
}

/**
 * `counts` as percentages of their sum, to one decimal, that add up to exactly 100: the tenths lost by rounding down go
 * to the largest remainders, ties to the first. All 0 if the sum is 0.
 */
export function percentages(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const tenths = counts.map((count) => Math.floor((count * 1000) / total));
  const remainders = counts.map((count, index) => ({ index, remainder: (count * 1000) % total }));
  const missing = 1000 - tenths.reduce((sum, count) => sum + count, 0);
  const largest = remainders.toSorted((a, b) => b.remainder - a.remainder || a.index - b.index).slice(0, missing);
  for (const { index } of largest) tenths[index] = (tenths[index] ?? 0) + 1;
  return tenths.map((count) => count / 10);
}
