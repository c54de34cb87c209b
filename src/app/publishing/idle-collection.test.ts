import assert from "node:assert/strict";
import { test } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import { collectGarbage, collectYoungGarbage, openIdleCollection } from "./idle-collection.ts";

test("garbage is collected twice, when nothing has been done for a while", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let collections = 0;
  const collection = openIdleCollection(() => void collections++);
  collection.begin();
  collection.begin();
  collection.end();
  t.mock.timers.tick(60_000);
  assert.equal(collections, 0, "work is still in progress");
  collection.end();
  t.mock.timers.tick(2_000);
  collection.begin();
  t.mock.timers.tick(60_000);
  assert.equal(collections, 0, "more work came in time");
  collection.end();
  t.mock.timers.tick(3_000);
  assert.equal(collections, 1);
  t.mock.timers.tick(60_000);
  t.mock.timers.tick(60_000);
  assert.equal(collections, 2);
});

test("what nobody refers to is collected", async () => {
  const kept = new WeakRef({});
  await new Promise(setImmediate); // a reference is strong until the end of the turn that made it
  collectGarbage();
  assert.equal(kept.deref(), undefined);
});

test("what was made recently leaves its room", () => {
  const used = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_used_size ?? Number.NaN;
  collectYoungGarbage();
  for (let count = 0; count < 5_000; count++) Array.from({ length: 4 }, () => ({ count }));
  const before = used();
  collectYoungGarbage();
  assert.ok(used() < before / 2, `${before} → ${used()} bytes`);
});
