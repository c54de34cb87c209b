import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trend } from "../../insights-document.ts";
import { percentages } from "./arithmetic.ts";
import { trend } from "./trend.ts";

interface Scored {
  readonly day: number;
  readonly score: number;
}

/** So many reviews of a score in the month. */
function month(name: string, count: number, score: number): Scored[] {
  return Array.from({ length: count }, () => ({ day: Number(`${name}-15`.replaceAll("-", "")), score }));
}

function columnsOf(scored: readonly Scored[]) {
  return { days: Uint32Array.from(scored, ({ day }) => day), scores: Float64Array.from(scored, ({ score }) => score) };
}

const TRENDS: readonly (readonly [string, readonly Scored[], Trend])[] = [
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

for (const [name, scored, expected] of TRENDS) {
  test(`trend() of ${name} is ${expected}`, () => {
    assert.equal(trend(columnsOf(scored)), expected);
    assert.equal(trend(columnsOf(scored.toReversed())), expected);
  });
}

test("percentages() sum to 100, the tenths left over going to the largest remainders", () => {
  assert.deepEqual(percentages([1, 1, 1]), [33.4, 33.3, 33.3]);
  assert.deepEqual(percentages([2, 1, 0]), [66.7, 33.3, 0]);
  assert.deepEqual(percentages([0, 0, 0]), [0, 0, 0]);
});
