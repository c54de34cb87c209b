import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeTokenBuckets } from "./token-bucket.ts";

function at(seconds: number): Date {
  return new Date(seconds * 1000);
}

describe("take()", () => {
  test("gives a burst, then says how long to wait, then fills again", () => {
    const buckets = makeTokenBuckets({ burst: 3, perSecond: 0.5 });
    assert.deepEqual(
      Array.from({ length: 4 }, () => buckets.take("a", at(0))),
      [0, 0, 0, 2],
    );
    assert.deepEqual([buckets.take("a", at(1)), buckets.take("a", at(2)), buckets.take("a", at(2))], [1, 0, 2]);
  });

  test("never holds more than a burst, and survives a clock set back", () => {
    const buckets = makeTokenBuckets({ burst: 2, perSecond: 1 });
    buckets.take("a", at(0));
    assert.deepEqual(
      Array.from({ length: 3 }, () => buckets.take("a", at(1000))),
      [0, 0, 1],
    );
    assert.equal(buckets.take("a", at(0)), 1);
  });

  test("counts each name separately, and remembers a limited number of names", () => {
    const buckets = makeTokenBuckets({ burst: 1, perSecond: 1, maxNames: 2 });
    assert.deepEqual(
      ["a", "b", "a"].map((name) => buckets.take(name, at(0))),
      [0, 0, 1],
    );
    buckets.take("c", at(0));
    assert.deepEqual(
      ["a", "b"].map((name) => buckets.take(name, at(0))),
      [1, 0],
      "b was not seen for longest",
    );
  });
});
