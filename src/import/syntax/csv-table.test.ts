import assert from "node:assert/strict";
import { test } from "node:test";
import { countingWork } from "../../../test/support/counted-work.ts";
import fc from "../../../test/support/properties.ts";
import { csvBody, readCsvHeader } from "./csv-table.ts";
import type { CsvRow } from "./table-end.ts";

async function* pieces(text: string, size = 7): AsyncGenerator<string> {
  const points = [...text];
  for (let at = 0; at < points.length; at += size) yield points.slice(at, at + size).join("");
}

async function table(text: string, size?: number): Promise<{ columns: readonly string[]; rows: CsvRow[] }> {
  const header = readCsvHeader(text);
  assert.ok(header);
  return { columns: header.columns, rows: (await Array.fromAsync(csvBody(pieces(text, size), header))).flat() };
}

for (const [name, delimiter] of [
  ["commas", ","],
  ["semicolons", ";"],
  ["tabs", "\t"],
] as const) {
  test(`readCsvHeader() finds out about ${name}`, async () => {
    const { columns, rows } = await table(`id,rating,date\n1,5,"x, y"\n`.replace(/,(?! y)/g, delimiter));
    assert.deepEqual(columns, ["id", "rating", "date"]);
    assert.deepEqual(rows, [{ line: 2, cells: ["1", "5", "x, y"] }]);
  });
}

test("readCsvHeader() takes prose and broken quotes for no table", async () => {
  for (const text of ["", "hello", "one column\nonly", '"never closed,a,b'])
    assert.equal(readCsvHeader(text), undefined);
});

test("csvBody() counts lines as an editor does: quoted ones, empty ones, any line end", async () => {
  const text = 'a,b\r\n1,"x\r\ny ""z"""\r\n\r\n\n2,c\r,\r3,d';
  for (const size of [1, 2, 5, 1000]) {
    assert.deepEqual((await table(text, size)).rows, [
      { line: 2, cells: ["1", 'x\ny "z"'] },
      { line: 6, cells: ["2", "c"] },
      { line: 8, cells: ["3", "d"] },
    ]);
  }
});

test("csvBody() names a row with too many or too few fields and reads on", async () => {
  const { rows } = await table("a,b\n1\n1,2,3\n1,2\n");
  assert.deepEqual(
    rows.map((row) => ("cells" in row ? row.cells : "fault" in row && row.fault)),
    [
      'has 1 fields, but the header names 2 columns (it begins with "1")',
      'has 3 fields, but the header names 2 columns (it begins with "1")',
      ["1", "2"],
    ],
  );
});

test("csvBody() gives the rows before a fault of quoting, and the line of the fault", async () => {
  for (const [end, fault] of [
    ['"open\nfor ever', /never closed/],
    ['"a"b,c\n', /inside a field/],
    ['a"b,c\n', /inside a field/],
  ] as const) {
    const { rows } = await table(`a,b\n1,2\n3,4\n${end}`, 1000);
    const lines = rows.slice(0, 2).map(({ line }) => line);
    assert.deepEqual(lines, [2, 3]);
    const last = rows.at(-1);
    assert.ok(last !== undefined && "fault" in last && rows.length === 3);
    assert.equal(last.line, 4);
    assert.match(last.fault, fault);
  }
});

test("csvBody() counts the blank lines above a fault", async () => {
  const { rows } = await table('a,b\n1,2\n\n\r\n"x"y,z\n');
  const lines = rows.map(({ line }) => line);
  assert.deepEqual(lines, [2, 5]);
});

test("csvBody() gives back what was written, wherever the text is cut", async () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "\n", " ", "é", "👍") });
  const rowsOf = fc.array(fc.tuple(cell, cell), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rowsOf, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = `a,b\n${rows.map((row) => `${row.map(quoted).join(",")}\n`).join("")}`;
      const expected = rows.filter((row) => row.some((one) => one.trim() !== ""));
      const read = (await table(text, size)).rows.map((row) => ("cells" in row ? row.cells : row));
      assert.deepEqual(read, expected);
    }),
  );
});

const LARGE = 40_000;
for (const [name, text] of [
  ["marks that are doubled", `"${'""'.repeat(LARGE / 2)}",b\n`],
  ["a mark that is never closed", `"${"word ".repeat(LARGE / 5)}`],
  ["line ends within a cell", `"${"\n".repeat(LARGE)}",b\n`],
  ["separators", `${",".repeat(LARGE)}\n`],
  ["one plain cell", `${"a".repeat(LARGE)},b\n`],
] as const) {
  test(`csvBody() looks at each character a few times at most, wherever a long record is cut: ${name}`, async () => {
    const header = readCsvHeader("a,b\n");
    assert.ok(header);
    const given = pieces(`a,b\n${text}`, 100);
    const { result, work } = await countingWork(() => Array.fromAsync(csvBody(given, header)));
    assert.equal(result.flat().length, name === "separators" ? 0 : 1);
    assert.ok(work < 4 * text.length, `${work} looks at ${text.length} characters`);
  });
}

test("csvBody() counts the cells of a row without keeping those that the header does not name", async () => {
  const { rows } = await table(`a,b\nx${",".repeat(100_000)}\n1,2\n`, 1000);
  assert.deepEqual(rows, [
    { line: 2, fault: 'has 100001 fields, but the header names 2 columns (it begins with "x")' },
    { line: 3, cells: ["1", "2"] },
  ]);
});

test("csvBody() says so when the header itself is a record without an end", async () => {
  const header = readCsvHeader("a,b");
  assert.ok(header);
  const [[row] = []] = await Array.fromAsync(csvBody(pieces(`a,b${"c".repeat(8_000_001)}`, 1_000_000), header));
  assert.ok(row !== undefined && "fault" in row && row.line === 1);
  assert.match(row.fault, /longer than 8000000 characters/);
});

test("csvBody() takes a record of as many characters as a record may have, whether or not a line end follows", async () => {
  const record = `1,${"x".repeat(7_999_998)}`;
  for (const end of ["", "\n", "\r\n"]) {
    const rows = csvBody(pieces(`a,b\n${record}${end}`, 1_000_000), {
      columns: ["a", "b"],
      delimiter: ",",
      rowsAbove: 0,
      line: 1,
      titles: [],
    });
    const [row] = (await Array.fromAsync(rows)).flat();
    assert.ok(row !== undefined && "cells" in row, JSON.stringify(end));
  }
});
