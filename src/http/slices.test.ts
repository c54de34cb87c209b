import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlices } from "./slices.ts";

test("inSlices() does short work at once, and pauses in long work", async () => {
  let pauses = 0;
  const pause = async () => void pauses++;
  function* work(isOver: () => boolean): Generator<undefined, string> {
    while (!isOver()) yield;
    return "done";
  }
  assert.equal(
    inSlices(
      work(() => true),
      pause,
    ),
    "done",
  );
  assert.equal(pauses, 0);
  assert.equal(
    await inSlices(
      work(() => pauses === 3),
      pause,
    ),
    "done",
  );
  assert.equal(pauses, 3);
});
