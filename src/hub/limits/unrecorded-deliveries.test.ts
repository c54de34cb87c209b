import assert from "node:assert/strict";
import { test } from "node:test";
import { openUnrecordedDeliveries } from "./unrecorded-deliveries.ts";

test("a delivery may begin while those in progress and unrecorded are fewer than the limit", () => {
  const { share, mayBegin } = openUnrecordedDeliveries(3, () => 0);
  const unrecorded = share();
  const [first, second] = [{}, {}];
  assert.deepEqual([2, 3].map(mayBegin), [true, false]);
  unrecorded.add(first);
  unrecorded.add(second);
  assert.deepEqual([unrecorded.size, unrecorded.isMany()], [2, true]);
  assert.deepEqual([0, 1].map(mayBegin), [true, false]);
  unrecorded.remove([first, first]);
  assert.deepEqual([1, 2].map(mayBegin), [true, false]);
  assert.equal(unrecorded.isMany(), false);
});

test("none begins while one has been unrecorded for longer than a second", () => {
  const clock = { ms: 0 };
  const { share, mayBegin } = openUnrecordedDeliveries(256, () => clock.ms);
  const unrecorded = share();
  const [first, second] = [{}, {}];
  unrecorded.add(first);
  clock.ms = 600;
  unrecorded.add(second);
  clock.ms = 1000;
  assert.deepEqual([unrecorded.ageMs(), mayBegin(0)], [1000, true]);
  clock.ms = 1001;
  assert.equal(mayBegin(0), false);
  unrecorded.remove([first]);
  assert.deepEqual([unrecorded.ageMs(), mayBegin(0)], [401, true]);
  unrecorded.remove([second]);
  clock.ms = 9999;
  assert.deepEqual([unrecorded.ageMs(), mayBegin(0)], [0, true]);
});

test("a store that does not keep up holds back its own deliveries, and leaves half of the places to those of others", () => {
  const clock = { ms: 0 };
  const { share, mayBegin, leave } = openUnrecordedDeliveries(4, () => clock.ms);
  const [slow, other] = [share(), share()];
  slow.add({});
  slow.add({});
  assert.deepEqual([slow.isStalled(), other.isStalled(), mayBegin(1), mayBegin(2)], [true, false, true, false]);
  leave(slow);
  other.add({});
  clock.ms = 1001;
  assert.deepEqual([other.isStalled(), mayBegin(0)], [true, false]);
});
