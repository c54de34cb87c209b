import assert from "node:assert/strict";
import { test } from "node:test";
import { readDate, type ShownOrder, shownOrder } from "./free-form-date.ts";

/** A text, and the day that it names whatever the order. */
const DAYS: readonly [string, string][] = [
  ["2024-04-03", "2024-04-03"],
  ["2024/4/3", "2024-04-03"],
  ["2024.04.03 14:05", "2024-04-03"],
  ["April 3, 2024", "2024-04-03"],
  ["Apr 3rd, 2024", "2024-04-03"],
  ["Sept. 3, 2024", "2024-09-03"],
  ["3 April 2024", "2024-04-03"],
  ["3rd of April 2024", "2024-04-03"],
  ["3-Apr-24", "2024-04-03"],
  ["2024-Apr-03", "2024-04-03"],
  ["3. März 2024", "2024-03-03"],
  ["Montag, 3. März 2024, 14:05 Uhr", "2024-03-03"],
  ["1er févr. 2024", "2024-02-01"],
  ["3 de agosto de 2024", "2024-08-03"],
  ["3 dicembre 2024", "2024-12-03"],
  ["3 mei 2024", "2024-05-03"],
  ["12 de março de 2024", "2024-03-12"],
  ["Wednesday, April 3, 2024", "2024-04-03"],
  ["April 3, 2024 at 12:30 AM", "2024-04-03"],
  ["Apr 3, 2024, 11:59:59 p.m.", "2024-04-03"],
  ["3-Apr-70", "1970-04-03"],
];

for (const [text, day] of DAYS) {
  test(`readDate() reads ${text}`, () => {
    for (const order of ["dmy", "mdy", undefined] as const) assert.deepEqual(readDate(text, order), { day });
  });
}

test("readDate() knows the instant of a time with an offset", () => {
  for (const text of [
    "Wed, 03 Apr 2024 22:30:00 GMT",
    "Wed Apr 03 2024 22:30:00 GMT+0000 (Coordinated Universal Time)",
    "April 3, 2024 10:30 PM UTC",
    "Apr 4, 2024 00:30:00 +02:00",
  ]) {
    assert.deepEqual(readDate(text, undefined), { instant: "2024-04-03T22:30:00Z" }, text);
  }
});

test("readDate() reads dates of three numbers in the order that is given", () => {
  for (const text of [
    "3/4/2024",
    "03.04.2024",
    "3-4-24",
    "03/04/2024 2:05 PM",
    "3/4/2024, 14:05:33",
    "03/04/2024T14:05",
  ]) {
    assert.deepEqual(readDate(text, "dmy"), { day: "2024-04-03" }, text);
    assert.deepEqual(readDate(text, "mdy"), { day: "2024-03-04" }, text);
    assert.match(JSON.stringify(readDate(text, undefined)), /one day or another depending on the country/, text);
  }
  assert.match(
    JSON.stringify(readDate("13/05/2024", "mdy")),
    /month is not between.*read as month-day-year; see --dates/,
  );
  assert.match(JSON.stringify(readDate("31/02/2024", "dmy")), /February 2024 has 29 days/);
});

test("readDate() refuses what is no date, and says what it seems to be", () => {
  const cases: [unknown, RegExp][] = [
    ["45385", /spreadsheet's own number for a day: format the column as a date/],
    ["April 31, 2024", /April 2024 has 30 days/],
    ["April 3, 2024 13:05 PM", /not a valid time of day/],
    ["April 3, 2024 25:05", /not a valid time of day/],
    ["3 weeks ago", /an age, not a date/],
    ["3 Brumaire 2024", /must be a day/],
    ["April 2024", /must be a day/],
    [`3 ${"a".repeat(1_000_000)}`, /must be a day/],
    [45385, /must be a day/],
    [null, /is missing/],
  ];
  for (const [value, expected] of cases) assert.match(JSON.stringify(readDate(value, "dmy")), expected);
});

test("shownOrder() says what a date shows of the order", () => {
  const cases: [unknown, ShownOrder | undefined][] = [
    ["13/05/2024", "dmy"],
    ["05/13/2024 2:05 PM", "mdy"],
    ["03/04/2024", "ambiguous"],
    ["13/13/2024", "ambiguous"],
    ["03.04.2024", "custom"],
    ["2024-04-03", undefined],
    ["3 April 2024", undefined],
    ["", undefined],
    [null, undefined],
  ];
  for (const [value, expected] of cases) assert.equal(shownOrder(value), expected, JSON.stringify(value));
});
