import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../test/support/properties.ts";
import { parseHttpDate } from "./http-date.ts";

const NOW = new Date("2026-06-01T00:00:00Z");
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;

const CASES: readonly [string, number | undefined][] = [
  ["Sun, 06 Nov 1994 08:49:37 GMT", MOMENT],
  ["Sunday, 06-Nov-94 08:49:37 GMT", MOMENT],
  ["Sun Nov  6 08:49:37 1994", MOMENT],
  ["Sunday, 06-Nov-77 08:49:37 GMT", Date.UTC(1977, 10, 6, 8, 49, 37) / 1000],
  ["Saturday, 06-Nov-76 08:49:37 GMT", Date.UTC(2076, 10, 6, 8, 49, 37) / 1000],
  ["Sun, 06 Nov 1994 08:49:60 GMT", MOMENT + 22],
  ["Sun, 6 Nov 1994 08:49:37 GMT", undefined],
  ["Sun, 06 Nov 1994 08:49:37 +0100", undefined],
  ["Sun, 06 Nov 1994 08:49:37 UTC", undefined],
  ["Wed, 30 Feb 1994 08:49:37 GMT", undefined],
  ["Sun, 06 Nov 1994 24:00:00 GMT", undefined],
  ["1994-11-06T08:49:37Z", undefined],
  ["784111777", undefined],
  ["", undefined],
];

for (const [text, expected] of CASES) {
  test(`parseHttpDate() reads ${JSON.stringify(text)} as ${expected}`, () => {
    assert.equal(parseHttpDate(text, NOW), expected);
  });
}

test("parseHttpDate() reads back what toUTCString() writes", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("2099-12-31T23:59:59Z"), noInvalidDate: true }), (date) => {
      assert.equal(parseHttpDate(date.toUTCString(), NOW), Math.floor(date.getTime() / 1000));
    }),
  );
});
