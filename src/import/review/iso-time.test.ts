import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { compareInstants, dayOf, dayOfInstant, epochTime, finerInstant, isoTime } from "./iso-time.ts";

const READINGS: readonly [unknown, object][] = [
  ["2025-08-06", { day: "2025-08-06" }],
  [" 2025-08-06 ", { day: "2025-08-06" }],
  ["2025-08-06T04:57:47Z", { instant: "2025-08-06T04:57:47Z" }],
  ["2025-08-06T04:57:47.3Z", { instant: "2025-08-06T04:57:47.3Z" }],
  ["2025-08-06T04:57:47.356238Z", { instant: "2025-08-06T04:57:47.356238Z" }],
  ["2025-08-06T04:57:47.123456789Z", { instant: "2025-08-06T04:57:47.123456789Z" }],
  ["2025-08-06T04:57:47.100Z", { instant: "2025-08-06T04:57:47.1Z" }],
  ["2025-08-06T04:57:47.000Z", { instant: "2025-08-06T04:57:47Z" }],
  ["2025-08-06T00:30:00+05:30", { instant: "2025-08-05T19:00:00Z" }],
  ["2025-08-06 22:30:00-0400", { instant: "2025-08-07T02:30:00Z" }],
  ["2025-08-06 22:30 UTC", { instant: "2025-08-06T22:30:00Z" }],
  ["2025-08-06T22:30:00", { day: "2025-08-06" }],
  ["2024-02-29", { day: "2024-02-29" }],
];

for (const [value, expected] of READINGS) {
  test(`isoWritten() reads ${JSON.stringify(value)}`, () => assert.deepEqual(isoTime(value), expected));
}

const FAULTS: readonly [unknown, RegExp][] = [
  ["2026-02-30", /"2026-02-30".*February 2026 has 28 days/],
  ["2026-13-01", /month is not between/],
  ["2026-01-01T25:00:00Z", /not a valid time of day/],
  ["3 months ago", /"3 months ago", which gives an age, not a date/],
  ["a year ago", /an age, not a date/],
  ["in the last week", /an age, not a date/],
  ["yesterday", /an age, not a date/],
  ["08/06/2025", /one day or another depending on the country/],
  ["6.8.2025", /one day or another/],
  ["", /must be a day/],
  [undefined, /is missing, but must be a day/],
  [null, /is missing, but must be a day/],
  [1754456267, /is 1754456267, but must be a day/],
];

for (const [value, expected] of FAULTS) {
  test(`isoWritten() refuses ${JSON.stringify(value)}`, () => {
    const written = isoTime(value);
    assert.match("fault" in written ? written.fault : JSON.stringify(written), expected);
  });
}

test("epochWritten() reads seconds, as a number or as digits", () => {
  for (const value of [1754456267, "1754456267", "1754456267.0"]) {
    assert.deepEqual(epochTime(value), { instant: "2025-08-06T04:57:47Z" });
  }
  for (const value of [null, undefined, "", "soon", Number.NaN, "08/06/2025 04:57:47"])
    assert.ok("fault" in epochTime(value));
});

test("dayOf() keeps to the years 1970 to 2099", () => {
  for (const day of ["1970-01-02", "2099-12-31"]) assert.deepEqual(dayOf({ day }, "UTC"), { day });
  for (const day of ["1969-12-31", "2100-01-01", "0000-01-01"]) assert.ok("fault" in dayOf({ day }, "UTC"));
  assert.ok("fault" in dayOf(epochTime(1e13), "UTC"));
  assert.ok("fault" in dayOf(epochTime(-1), "UTC"));
});

test("dayOfInstant() is the day of the business's clock", () => {
  assert.equal(dayOfInstant("2025-08-06T04:57:47.356238Z", "UTC"), "2025-08-06");
  assert.equal(dayOfInstant("2025-08-06T04:57:47.356238Z", "America/Chicago"), "2025-08-05");
  assert.equal(dayOfInstant("2025-08-06T23:57:47Z", "Asia/Kolkata"), "2025-08-07");
});

test("compareInstants() does not count decimals that only one of two has", () => {
  assert.equal(compareInstants("2025-08-06T04:57:47Z", "2025-08-06T04:57:47.356238Z"), 0);
  assert.equal(compareInstants("2025-08-06T04:57:47.356Z", "2025-08-06T04:57:47.356238Z"), 0);
  assert.equal(compareInstants("2025-08-06T04:57:47.355Z", "2025-08-06T04:57:47.356238Z"), -1);
  assert.equal(compareInstants("2025-08-06T04:57:48Z", "2025-08-06T04:57:47.9Z"), 1);
  assert.equal(finerInstant("2025-08-06T04:57:47Z", "2025-08-06T04:57:47.35Z"), "2025-08-06T04:57:47.35Z");
});

test("isoWritten() gives back every instant that it is given", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date("1970-01-02"), max: new Date("2099-12-31"), noInvalidDate: true }), (date) => {
      const written = isoTime(date.toISOString());
      assert.equal("instant" in written && Date.parse(written.instant), date.getTime());
    }),
  );
});
