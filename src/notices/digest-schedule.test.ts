import assert from "node:assert/strict";
import { test } from "node:test";
import { nextDigest } from "./digest-schedule.ts";

const cases: readonly [string, "weekly" | "monthly", string, string][] = [
  ["2026-11-27T02:00:00Z", "weekly", "America/Chicago", "2026-11-30T14:00:00.000Z"],
  ["2026-11-30T13:59:59Z", "weekly", "America/Chicago", "2026-11-30T14:00:00.000Z"],
  ["2026-11-30T14:00:00Z", "weekly", "America/Chicago", "2026-12-07T14:00:00.000Z"],
  ["2026-11-29T21:59:00Z", "weekly", "Asia/Kathmandu", "2026-11-30T02:15:00.000Z"],
  ["2026-03-28T12:00:00Z", "weekly", "Europe/Berlin", "2026-03-30T06:00:00.000Z"], // the clocks are put forward between
  ["2026-10-24T12:00:00Z", "weekly", "Europe/Berlin", "2026-10-26T07:00:00.000Z"],
  ["2026-11-27T02:00:00Z", "monthly", "Pacific/Auckland", "2026-11-30T19:00:00.000Z"],
  ["2026-12-31T23:59:00Z", "monthly", "UTC", "2027-01-01T08:00:00.000Z"],
  ["2026-01-01T08:00:00Z", "monthly", "UTC", "2026-02-01T08:00:00.000Z"],
];

for (const [now, cadence, zone, expected] of cases)
  test(`nextDigest() after ${now}, ${cadence} in ${zone}, is ${expected}`, () => {
    assert.equal(nextDigest(cadence, new Date(now), zone).toISOString(), expected);
  });
