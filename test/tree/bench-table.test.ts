import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Figure, lineOf, median, parseFigure, percentile, rowOf } from "../../bench/figures.ts";
import { type Measurement, renderResults, tableOf } from "../../bench/results.ts";

const figure: Figure = { work: "a start", peer: "bare: 42 ms", unit: "ms", samples: [310, 290, 1_234], atMost: 300 };

const measurement: Measurement = {
  day: "2026-02-03",
  commit: "abc1234",
  load: [0.1, 0.3],
  seconds: 80,
  figures: [figure, { ...figure, atMost: 400 }],
};

test("parseFigure() reads what lineOf() wrote, and no other line", () => {
  assert.deepEqual([lineOf(figure), "a title", ""].map(parseFigure), [figure, undefined, undefined]);
});

test("rowOf() shows median, least and most, and by how much a figure misses its limit", () => {
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

test("lineOf() refuses a figure that was not measured", () => {
  for (const changed of [{ samples: [] }, { samples: [Number.NaN] }, { value: Number.NaN }, { atMost: Number.NaN }]) {
    assert.throws(() => lineOf({ ...figure, ...changed }), /a start: not measured/);
  }
});

test("rowOf() claims nothing without a limit", () => {
  const { atMost: _, ...unlimited } = figure;
  assert.deepEqual(rowOf(unlimited).cells.slice(3), ["", "no limit"]);
  assert.equal(rowOf(unlimited).holds, undefined);
});

test("median() is the middle value, or the mean of the two in the middle", () => {
  assert.deepEqual([[3], [4, 1], [9, 1, 2], [4, 1, 2, 9]].map(median), [3, 2.5, 2, 3]);
});

test("percentile() is the least value that this part of the values does not exceed", () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  assert.deepEqual(
    [0, 0.5, 0.99, 1].map((part) => percentile(values, part)),
    [1, 50, 99, 100],
  );
});

test("tableOf() holds the rows of all benches and counts those that hold", () => {
  const push = { ...measurement, figures: [{ ...figure, work: "a push", samples: [200] }] };
  assert.deepEqual(tableOf([measurement, push]), {
    table: [
      "| work | peer of the same run | goodword | wanted | holds? |",
      "|---|---|---|---|---|",
      "| a start | bare: 42 ms | 310 ms (290–1,234; 3 rounds) | ≤ 300 ms | no: 3.33 % too much |",
      "| a start | bare: 42 ms | 310 ms (290–1,234; 3 rounds) | ≤ 400 ms | yes |",
      "| a push | bare: 42 ms | 200 ms (1 round) | ≤ 300 ms | yes |",
    ].join("\n"),
    summary: "2 of 3 rows hold.",
    missed: 1,
  });
});

test("tableOf() has a row that does not hold for a bench that fails", () => {
  const { table, missed } = tableOf([{ ...measurement, figures: [], failure: "start failed" }]);
  assert.equal(missed, 1);
  assert.match(table, /\n\| the rest \| {2}\| {2}\| {2}\| no: start failed \|$/);
});

test("renderResults() tells of each bench when, of which commit and at which load it was measured", () => {
  const page = renderResults({ machine: "a machine", benches: { start: measurement, push: measurement } });
  for (const name of ["start", "push"])
    assert.ok(page.includes(`| ${name} | 2026-02-03 | abc1234 | 0.1–0.3 | 80 s |\n`), page);
  assert.ok(page.includes(`${tableOf([measurement, measurement]).table}\n`), page);
});

test("the page of the results is made from the data beside it", () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, "../../bench", name), "utf8");
  assert.equal(renderResults(JSON.parse(read("RESULTS.json"))), read("RESULTS.md"));
});
