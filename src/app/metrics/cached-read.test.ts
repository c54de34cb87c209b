import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeCachedRead } from "./cached-read.ts";

describe("makeCachedRead()", () => {
  test("caches a result while it is fresh, and an error too", async () => {
    let count = 0;
    const read = async () => {
      count++;
      if (count === 1) throw new Error("away");
      return count;
    };
    const fresh = makeCachedRead(read, { keepMs: 60_000 });
    await assert.rejects(fresh(), /away/);
    await assert.rejects(fresh(), /away/);
    assert.equal(count, 1);
    const stale = makeCachedRead(read, { keepMs: -1 });
    assert.deepEqual([await stale(), await stale()], [2, 3]);
  });

  test("gives up at the deadline on a read that hangs, and starts no second one", async () => {
    let count = 0;
    const hanging = Promise.withResolvers<string>();
    const read = makeCachedRead(
      () => {
        count++;
        return hanging.promise;
      },
      { keepMs: -1, deadlineMs: 5 },
    );
    await assert.rejects(read(), /No answer in 5 ms/);
    await assert.rejects(read(), /No answer/);
    assert.equal(count, 1);
    hanging.resolve("there again");
    assert.equal(await read(), "there again");
  });
});
