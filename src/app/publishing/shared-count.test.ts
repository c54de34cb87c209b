import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedCount } from "./shared-count.ts";

test("an edition is counted once nothing has come for a while, or when a second one comes before that", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const counted: (readonly object[])[] = [];
  const count = sharedCount((editions) => counted.push(editions));
  const [first, second, third] = [{ number: 1 }, { number: 2 }, { number: 3 }];
  count(first);
  t.mock.timers.tick(1_249);
  assert.deepEqual(counted, [], "readers of the new edition come first");
  t.mock.timers.tick(1);
  assert.deepEqual(counted, [[first]]);
  count(second);
  count(third);
  t.mock.timers.tick(1);
  assert.deepEqual(counted, [[first], [second, third]], "no more than one edition of the past waits for the collector");
  t.mock.timers.tick(10_000);
  assert.equal(counted.length, 2);
});

test("of two editions that come at nearly the same time both count: neither's memory is overlooked", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const before = process.memoryUsage().arrayBuffers;
  const editions = [1, 2].map(() => ({ bytes: new Uint8Array(new SharedArrayBuffer(50_000_000)) }));
  editions.forEach(sharedCount());
  t.mock.timers.tick(1);
  const counted = process.memoryUsage().arrayBuffers - before;
  assert.ok(counted > 99_000_000, `${counted} bytes`);
});

test("memory that two threads see counts in the one that holds it, once", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const columns = { bytes: new Uint8Array(new SharedArrayBuffer(50_000_000)), count: 1 };
  const before = process.memoryUsage().arrayBuffers;
  const count = sharedCount();
  for (let time = 0; time < 4; time++) {
    count(columns);
    t.mock.timers.tick(1_250);
  }
  const counted = process.memoryUsage().arrayBuffers - before;
  assert.ok(counted > 49_000_000 && counted < 100_000_000, `${counted} bytes`);
});

test("room that nothing was written to does not count", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const buffer = new SharedArrayBuffer(100_000_000);
  const columns = { head: new Uint8Array(buffer, 0, 10), bytes: new Uint8Array(buffer, 10, 40_000_000) };
  const before = process.memoryUsage().arrayBuffers;
  sharedCount()(columns);
  t.mock.timers.tick(1_250);
  const counted = process.memoryUsage().arrayBuffers - before;
  assert.ok(counted > 39_000_000 && counted < 60_000_000, `${counted} bytes`);
});
