import assert from "node:assert/strict";
import { test } from "node:test";
import { collectGarbage, openIdleCollection } from "./idle-collection.ts";

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
