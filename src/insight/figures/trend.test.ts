import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trend } from "../../insights-document.ts";
import type { Analysed } from "./analysed.ts";
import { percentages } from "./figures.ts";
import { trend } from "./trend.ts";

/** So many reviews of a score in the month. */
function month(name: string, count: number, score: number): Analysed[] {
  return Array.from({ length: count }, () => ({ review: { date: `${name}-15` }, analysis: { score } }) as Analysed);
}

const TRENDS: readonly (readonly [string, readonly Analysed[], Trend])[] = [
  ["nothing", [], "insufficient_data"],
  [
    "nine recent reviews",
    [...month("2025-01", 20, -1), ...month("2025-06", 4, 1), ...month("2025-08", 5, 1)],
    "insufficient_data",
  ],
  ["nine earlier reviews", [...month("2025-01", 9, -1), ...month("2025-08", 20, 1)], "insufficient_data"],
  [
    "what is older than eighteen months",
    [...month("2023-01", 50, -1), ...month("2025-08", 20, 1)],
    "insufficient_data",
  ],
  ["better reviews", [...month("2025-01", 20, 0.2), ...month("2025-08", 20, 0.8)], "improving"],
  ["worse reviews", [...month("2025-01", 20, 0.8), ...month("2025-08", 20, 0.2)], "declining"],
  ["a change below a tenth", [...month("2025-01", 200, 0.5), ...month("2025-08", 200, 0.59)], "steady"],
  [
    "a change within the scatter",
    [...month("2025-01", 6, -1), ...month("2025-01", 6, 1), ...month("2025-08", 5, -1), ...month("2025-08", 7, 1)],
    "steady",
  ],
];

for (const [name, analysed, expected] of TRENDS) {
  test(`trend() of ${name} is ${expected}`, () => {
    assert.equal(trend(analysed), expected);
    assert.equal(trend(analysed.toReversed()), expected);
  });
}

test("percentages() sum to 100, the tenths left over going to the largest remainders", () => {
  assert.deepEqual(percentages([1, 1, 1]), [33.4, 33.3, 33.3]);
  assert.deepEqual(percentages([2, 1, 0]), [66.7, 33.3, 0]);
  assert.deepEqual(percentages([0, 0, 0]), [0, 0, 0]);
});
