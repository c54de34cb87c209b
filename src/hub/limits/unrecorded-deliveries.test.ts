import assert from "node:assert/strict";
import { test } from "node:test";
import { openUnrecordedDeliveries } from "./unrecorded-deliveries.ts";

test("a delivery may begin while those in progress and unrecorded are fewer than the limit", () => {
  const unrecorded = openUnrecordedDeliveries(3, () => 0);
  const [first, second] = [{}, {}];
  assert.deepEqual([2, 3].map(unrecorded.mayBegin), [true, false]);
  unrecorded.add(first);
  unrecorded.add(second);
  assert.deepEqual([unrecorded.size, unrecorded.isMany()], [2, true]);
  assert.deepEqual([0, 1].map(unrecorded.mayBegin), [true, false]);
  unrecorded.remove([first, first]);
  assert.deepEqual([1, 2].map(unrecorded.mayBegin), [true, false]);
  assert.equal(unrecorded.isMany(), false);
});

test("none begins while one has been unrecorded for longer than a second", () => {
  const clock = { ms: 0 };
  const unrecorded = openUnrecordedDeliveries(256, () => clock.ms);
  const [first, second] = [{}, {}];
  unrecorded.add(first);
  clock.ms = 600;
  unrecorded.add(second);
  clock.ms = 1000;
  assert.deepEqual([unrecorded.ageMs(), unrecorded.mayBegin(0)], [1000, true]);
  clock.ms = 1001;
  assert.equal(unrecorded.mayBegin(0), false);
  unrecorded.remove([first]);
  assert.deepEqual([unrecorded.ageMs(), unrecorded.mayBegin(0)], [401, true]);
  unrecorded.remove([second]);
  clock.ms = 9999;
  assert.deepEqual([unrecorded.ageMs(), unrecorded.mayBegin(0)], [0, true]);
});
