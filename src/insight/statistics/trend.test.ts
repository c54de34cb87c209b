import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trend } from "../../insights-document.ts";
import { percentages } from "./arithmetic.ts";
import { trend, yearly } from "./trend.ts";

interface Rated {
  readonly day: number;
  readonly stars: number;
}

/** So many reviews with these stars in the month. */
function month(name: string, count: number, stars: number): Rated[] {
  return Array.from({ length: count }, () => ({ day: Number(`${name}-15`.replaceAll("-", "")), stars }));
}

function columnsOf(rated: readonly Rated[]) {
  return { days: Uint32Array.from(rated, ({ day }) => day), ratings: Uint8Array.from(rated, ({ stars }) => stars) };
}

const TRENDS: readonly (readonly [string, readonly Rated[], Trend])[] = [
  ["nothing", [], "insufficient_data"],
  [
    "nine recent reviews",
    [...month("2025-01", 20, 1), ...month("2025-06", 4, 5), ...month("2025-08", 5, 5)],
    "insufficient_data",
  ],
  ["nine earlier reviews", [...month("2025-01", 9, 1), ...month("2025-08", 20, 5)], "insufficient_data"],
  ["what is older than eighteen months", [...month("2023-01", 50, 1), ...month("2025-08", 20, 5)], "insufficient_data"],
  ["better reviews", [...month("2025-01", 20, 3), ...month("2025-08", 20, 5)], "improving"],
  ["worse reviews", [...month("2025-01", 20, 5), ...month("2025-08", 20, 4)], "declining"],
  [
    "a change below a fifth of a star",
    [...month("2025-01", 900, 4), ...month("2025-08", 800, 4), ...month("2025-08", 170, 5)],
    "steady",
  ],
  [
    "a change within the scatter",
    [...month("2025-01", 6, 1), ...month("2025-01", 6, 5), ...month("2025-08", 5, 1), ...month("2025-08", 7, 5)],
    "steady",
  ],
];

for (const [name, rated, expected] of TRENDS) {
  test(`trend() of ${name} is ${expected}`, () => {
    assert.equal(trend(columnsOf(rated)).trend, expected);
    assert.equal(trend(columnsOf(rated.toReversed())).trend, expected);
  });
}

test("trend_basis counts the reviews of the days that it names, and their mean stars", () => {
  const reviews = [
    ...month("2023-08", 4, 5),
    ...month("2024-02", 1, 4),
    ...month("2024-01", 2, 1),
    month("2024-03", 1, 2),
  ];
  assert.deepEqual(trend(columnsOf([...reviews.flat(), ...month("2023-07", 3, 1)])).trend_basis, {
    recent: { from: "2023-10-01", until: "2024-03-31", review_count: 4, average_rating: 2 },
    before: { from: "2022-10-01", until: "2023-09-30", review_count: 7, average_rating: 3.29 },
  });
  const none = { from: null, until: null, review_count: 0, average_rating: null };
  assert.deepEqual(trend(columnsOf([])).trend_basis, { recent: none, before: none });
});

test("yearly() has every year, empty ones with nulls, and means that no rounding of months distorts", () => {
  const rated = [...month("2025-01", 200, 5), ...month("2025-02", 1, 1), ...month("2023-11", 3, 4)];
  const scores = Float64Array.from(rated, ({ stars }) => (stars === 4 ? Number.NaN : 0.5));
  assert.deepEqual(yearly({ ...columnsOf(rated), scores }), [
    { year: "2023", review_count: 3, average_rating: 4, score: null },
    { year: "2024", review_count: 0, average_rating: null, score: null },
    { year: "2025", review_count: 201, average_rating: 4.98, score: 0.5 },
  ]);
  assert.deepEqual(yearly({ ...columnsOf([]), scores: new Float64Array() }), []);
});

test("percentages() sum to 100, the tenths left over going to the largest remainders", () => {
  assert.deepEqual(percentages([1, 1, 1]), [33.4, 33.3, 33.3]);
  assert.deepEqual(percentages([2, 1, 0]), [66.7, 33.3, 0]);
  assert.deepEqual(percentages([0, 0, 0]), [0, 0, 0]);
});
