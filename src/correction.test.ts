/** Corrections in public figures. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CORRECTED, countCorrections } from "./correction.ts";
import { SENTIMENTS } from "./insights-document.ts";

test("countCorrections() counts each correction once: criticism hidden, praise hidden, or changed", () => {
  const counted = SENTIMENTS.flatMap((was) =>
    CORRECTED.map((is) => `${was}, ${is}: ${Object.values(countCorrections([{ was, is }])).join(" ")}`),
  );
  assert.deepEqual(counted, [
    "positive, none: 0 1 0",
    "positive, positive: 0 0 1",
    "positive, negative: 0 0 1",
    "neutral, none: 0 0 1",
    "neutral, positive: 0 0 1",
    "neutral, negative: 0 0 1",
    "negative, none: 1 0 0",
    "negative, positive: 0 0 1",
    "negative, negative: 0 0 1",
  ]);
});
