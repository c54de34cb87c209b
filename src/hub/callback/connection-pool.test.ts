import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openConnectionPool } from "./connection-pool.ts";

describe("suffices()", () => {
  test("a full pool suffices for an origin's own connections, and gives up those idle for ten seconds", () => {
    const clock = { ms: 0 };
    const pool = openConnectionPool<{ origin: string }>(
      3,
      () => clock.ms,
      () => {},
    );
    const suffices = () => [pool.suffices("a", 2), pool.suffices("a", 3), pool.suffices("b", 2)];
    const [one, two] = [pool.add({ origin: "a" }), pool.add({ origin: "a" })];
    assert.deepEqual(suffices(), [true, true, true], "there is room for one more");
    const other = pool.add({ origin: "b" });
    assert.deepEqual(suffices(), [true, false, false]);
    pool.close(two);
    assert.deepEqual(suffices(), [true, true, true]);
    pool.add({ origin: "c" });
    assert.deepEqual(suffices(), [false, false, false]);
    pool.release(one);
    clock.ms = 9_999;
    pool.release(other);
    assert.deepEqual(suffices(), [false, false, false]);
    clock.ms = 10_000;
    assert.deepEqual(suffices(), [true, true, true]);
  });
});
