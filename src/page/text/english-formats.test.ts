import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ENGLISH_FORMATS } from "./english-formats.ts";
import { platformFormats } from "./locale.ts";

const platform = platformFormats("en");

test("ENGLISH_FORMATS.number() and percent() are those of the platform", () => {
  const number = fc.oneof(
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    fc.integer({ min: -10_000_000, max: 10_000_000 }).map((whole) => whole / 1_000), // halves among them
    fc.integer(),
  );
  fc.assert(
    fc.property(number, fc.integer({ min: 0, max: 2 }), (value, digits) => {
      assert.equal(ENGLISH_FORMATS.number(value, digits), platform.number(value, digits));
      assert.equal(ENGLISH_FORMATS.percent(value / 1e6), platform.percent(value / 1e6));
    }),
    {
      numRuns: 2_000,
      examples: [
        [1.005, 2],
        [0, 0],
        [-0, 1],
        [1e-7, 2],
        [2.5, 0],
        [999.995, 2],
        [1e15, 0],
      ],
    },
  );
});

test("ENGLISH_FORMATS.date(), shortDate() and month() are those of the platform", () => {
  const years = ["0000", "0099", "1582", "1999", "2000", "2026", "9999"];
  for (const year of years) {
    for (let month = 1; month <= 12; month++) {
      for (const day of ["01", "09", "15", "28"]) {
        const date = `${year}-${String(month).padStart(2, "0")}-${day}`;
        assert.equal(ENGLISH_FORMATS.date(date), platform.date(date));
        assert.equal(ENGLISH_FORMATS.shortDate(date), platform.shortDate(date));
        assert.equal(ENGLISH_FORMATS.month(date.slice(0, 7)), platform.month(date.slice(0, 7)));
      }
    }
  }
});

test("ENGLISH_FORMATS.weekday() and time() are those of the platform", () => {
  for (let number = 0; number < 7; number++) {
    assert.equal(ENGLISH_FORMATS.weekday(number), platform.weekday(number));
    assert.equal(ENGLISH_FORMATS.weekday(number, "short"), platform.weekday(number, "short"));
  }
  for (let hour = 0; hour <= 24; hour++) {
    const time = `${String(hour).padStart(2, "0")}:${hour === 24 ? "00" : "05"}`;
    assert.equal(ENGLISH_FORMATS.time(time), platform.time(time));
  }
});
