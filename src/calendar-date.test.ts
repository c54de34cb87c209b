import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../test/support/properties.ts";
import { calendarDateFault, dayInZone, formattedClock, isTimeZone, noonInZone, wallClock } from "./calendar-date.ts";

const FAULTS: readonly [string, RegExp][] = [
  ["2026-02-30", /February 2026 has 28 days/],
  ["2024-02-30", /February 2024 has 29 days/],
  ["1900-02-29", /has 28 days/],
  ["2026-13-01", /month/],
  ["2026-00-10", /month/],
  ["2026-04-00", /April 2026 has 30 days/],
  ["2026-1-1", /form/],
  ["2026-01-01T00:00:00Z", /form/],
  ["yesterday", /form/],
];

for (const [text, reason] of FAULTS) {
  test(`calendarDateFault() says what is wrong with ${text}`, () => {
    assert.match(calendarDateFault(text) ?? "", reason);
  });
}

test("calendarDateFault() finds nothing wrong with any real day", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      assert.equal(calendarDateFault(date.toISOString().slice(0, 10)), undefined);
    }),
  );
});

test("dayInZone() is the day that a clock there shows", () => {
  const instant = new Date("2026-01-01T03:30:00Z");
  assert.equal(dayInZone(instant, "UTC"), "2026-01-01");
  assert.equal(dayInZone(instant, "America/Chicago"), "2025-12-31");
  assert.equal(dayInZone(instant, "Asia/Kolkata"), "2026-01-01");
});

test("noonInZone() carries the offset of that day", () => {
  assert.equal(noonInZone("2026-07-01", "America/Chicago"), "2026-07-01T12:00:00-05:00");
  assert.equal(noonInZone("2026-01-01", "America/Chicago"), "2026-01-01T12:00:00-06:00");
  assert.equal(noonInZone("2026-01-01", "Asia/Kolkata"), "2026-01-01T12:00:00+05:30");
  assert.equal(noonInZone("2026-01-01", "UTC"), "2026-01-01T12:00:00Z");
  assert.equal(noonInZone("2026-01-01", "Pacific/Kiritimati"), "2026-01-01T12:00:00+14:00");
});

test("noonInZone() and dayInZone() agree", () => {
  const zones = fc.constantFrom("UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "Europe/Berlin");
  const days = fc.date({ min: new Date("1990-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(days, zones, (date, zone) => {
      const day = date.toISOString().slice(0, 10);
      assert.equal(dayInZone(new Date(noonInZone(day, zone)), zone), day);
    }),
  );
});

test("isTimeZone() knows IANA names only", () => {
  assert.ok(isTimeZone("America/New_York"));
  assert.ok(!isTimeZone("Mars/Olympus"));
  assert.ok(!isTimeZone(""));
});

test("wallClock() shows the same time as the formats of Intl, in every zone", () => {
  const zones = [
    ...Intl.supportedValuesOf("timeZone"),
    "US/Pacific",
    "Asia/Calcutta",
    "Etc/GMT+5",
    "EST5EDT",
    "+05:30",
  ];
  const DAY_MS = 86_400_000;
  for (const zone of zones) {
    for (let time = Date.UTC(1996, 0, 3, 7); time < Date.UTC(2040, 0, 1); time += 151 * DAY_MS + 7_000) {
      const instant = new Date(time);
      const { year, month, day, hour, minute, second } = wallClock(instant, zone);
      assert.deepEqual({ year, month, day, hour, minute, second }, timeOf(formattedClock(instant, zone)), zone);
    }
  }
  for (const zone of ["Nowhere/Else", "", "local", "UTC+1", "America/New_York "]) assert.equal(isTimeZone(zone), false);
  for (const zone of ["UTC", "utc", "+01:00", "CET", "America/Phoenix"]) assert.equal(isTimeZone(zone), true);
});

function timeOf({ year, month, day, hour, minute, second }: ReturnType<typeof formattedClock>) {
  return { year, month, day, hour, minute, second };
}
