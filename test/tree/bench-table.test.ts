import assert from "node:assert/strict";
import { test } from "node:test";
import { type Figure, figuresIn, lineOf, median, percentile, rowOf } from "../../bench/figures.ts";
import { partOf, readResults, resultsOf, tableOf } from "../../bench/results.ts";

const figure: Figure = { work: "a start", peer: "bare: 42 ms", unit: "ms", samples: [310, 290, 1_234], atMost: 300 };

/** What a bench prints of these figures, between lines for people. */
function printedBy(...figures: readonly Figure[]): string {
  return ["a title", ...figures.map(lineOf), "the end"].join("\n");
}

function part(heading: string, figures: readonly Figure[], failure?: string) {
  return partOf(heading, {
    text: printedBy(...figures),
    measured: "2026-02-03, abc1234, load 0.1–0.3",
    took: "Took 1 s.",
    failure,
  });
}

test("figuresIn() takes the figures out of what a bench has printed", () => {
  assert.deepEqual(figuresIn(printedBy(figure, figure)), { figures: [figure, figure], rest: "a title\nthe end" });
});

test("rowOf() shows median, least and most, and by how much a figure misses what is wanted", () => {
  const rows: [Partial<Figure>, string, string, string][] = [
    [{}, "310 ms (290–1,234; 3 rounds)", "≤ 300 ms", "no: 3.33 % too much"],
    [{ atMost: 310 }, "310 ms (290–1,234; 3 rounds)", "≤ 310 ms", "yes"],
    [{ samples: [299.6] }, "300 ms (1 round)", "≤ 300 ms", "yes"],
    [{ samples: [1, 2], value: 2_000, of: "changes" }, "2,000 ms (1–2; 2 changes)", "≤ 300 ms", "no: 567 % too much"],
  ];
  for (const [changed, ours, wanted, holds] of rows) {
    assert.deepEqual(rowOf({ ...figure, ...changed }).cells, ["a start", "bare: 42 ms", ours, wanted, holds]);
  }
  const ratio = { work: "push", peer: "loop = 1", unit: "", atLeast: 0.6 };
  assert.deepEqual(rowOf({ ...ratio, samples: [0.57] }).cells.slice(2), [
    "0.57 (1 round)",
    "≥ 0.6",
    "no: 5 % too little",
  ]);
  assert.equal(rowOf({ ...ratio, samples: [0.6] }).holds, true);
});

test("lineOf() refuses what was not measured, which would seem to hold", () => {
  for (const changed of [{ samples: [] }, { samples: [Number.NaN] }, { value: Number.NaN }, { atMost: Number.NaN }]) {
    assert.throws(() => lineOf({ ...figure, ...changed }), /a start: not measured/);
  }
});

test("rowOf() claims nothing without a limit", () => {
  const { atMost: _, ...unlimited } = figure;
  assert.deepEqual(rowOf(unlimited).cells.slice(3), ["", "no limit"]);
  assert.equal(rowOf(unlimited).holds, undefined);
});

test("median() is in the middle, or between the two that are", () => {
  assert.deepEqual([[3], [4, 1], [9, 1, 2], [4, 1, 2, 9]].map(median), [3, 2.5, 2, 3]);
});

test("percentile() is the least value that the part of all values does not exceed", () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  assert.deepEqual(
    [0, 0.5, 0.99, 1].map((part) => percentile(values, part)),
    [1, 50, 99, 100],
  );
});

test("one table holds the rows of all benches and counts those that hold", () => {
  const parts = new Map([
    ["Start", part("Start", [figure, { ...figure, atMost: 400 }])],
    ["Push it", part("Push it", [])],
  ]);
  assert.deepEqual(tableOf(parts), {
    table: [
      "| work | peer of the same run | goodword | wanted | holds? | measured |",
      "|---|---|---|---|---|---|",
      "| a start | bare: 42 ms | 310 ms (290–1,234; 3 rounds) | ≤ 300 ms | no: 3.33 % too much | 2026-02-03, abc1234, load 0.1–0.3, [details](#start) |",
      "| a start | bare: 42 ms | 310 ms (290–1,234; 3 rounds) | ≤ 400 ms | yes | 2026-02-03, abc1234, load 0.1–0.3, [details](#start) |",
    ].join("\n"),
    summary: "1 of 2 rows hold.",
    missed: 1,
  });
});

test("a bench that fails has a row that does not hold", () => {
  const parts = new Map([["Start", part("Start", [{ ...figure, atMost: 400 }], "it failed with the status 1")]]);
  const { table, missed } = tableOf(parts);
  assert.equal(missed, 1);
  assert.match(table, /\n\| the rest of “Start” \| {2}\| {2}\| {2}\| no: it failed with the status 1 \| .*$/);
});

test("a bench that is not run keeps its rows, its section and how it was measured, and long runs are kept", () => {
  const parts = new Map([
    ["Start, 240 reviews", part("Start, 240 reviews", [figure])],
    ["Push", part("Push", [{ ...figure, work: "a push" }])],
  ]);
  const longRuns = "## Long runs\n\nBy hand.\n\n### Soak\n\nNothing was lost.\n";
  const file = resultsOf("2026-02-03, a machine", parts, longRuns);
  const read = readResults(file, ["Start, 240 reviews", "Push"]);
  assert.deepEqual(read, { parts, longRuns });
  assert.equal(resultsOf("2026-02-03, a machine", read.parts, read.longRuns), file);
  assert.deepEqual([...readResults(file, ["Push"]).parts.keys()], ["Push"]); // a bench that is no more
});
