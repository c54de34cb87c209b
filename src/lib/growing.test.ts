import assert from "node:assert/strict";
import { test } from "node:test";
import { grown } from "./growing.ts";

test("grown() returns the array itself if it is long enough, otherwise a longer copy of the same kind", () => {
  const numbers = Float64Array.of(1, 2.5, 3);
  assert.equal(grown(numbers, 3), numbers);
  const longer = grown(numbers, 4);
  assert.deepEqual([...longer], [1, 2.5, 3, 0, 0, 0]);
  assert.equal(grown(longer, 100).length, 100);
  assert.ok(grown(new Int32Array(1), 2) instanceof Int32Array);
});
