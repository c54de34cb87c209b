import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeCircuitBreaker } from "./circuit-breaker.ts";

const LIMITS = { failures: 3, shortestHoldMs: 100, longestHoldMs: 350, hosts: 5 };

describe("makeHostHealth()", () => {
  function make() {
    const clock = { ms: 0 };
    const health = makeCircuitBreaker(LIMITS, () => clock.ms);
    const failThree = () => ["1", "2", "3"].map((id) => health.note("a", id, false));
    return { clock, health, failThree };
  }

  test("leaves a host alone when so many different subscriptions fail in a row", () => {
    const { health, failThree } = make();
    assert.deepEqual(failThree(), [false, false, true]);
    assert.equal(health.heldForMs("a"), 100);
    assert.equal(health.heldForMs("b"), 0);
  });

  test("a few bad callbacks hold nobody back, however often they fail", () => {
    const { health } = make();
    for (let time = 0; time < 50; time++) assert.equal(health.note("a", String(time % 2), false), false);
  });

  test("one success forgets what was before", () => {
    const { health, failThree } = make();
    health.note("a", "1", false);
    health.note("a", "2", false);
    health.note("a", "1", true);
    assert.deepEqual(failThree(), [false, false, true]);
    health.note("a", "9", true);
    assert.equal(health.heldForMs("a"), 0);
  });

  test("a host that fails its trial is left alone for twice as long, up to a bound", () => {
    const { clock, health, failThree } = make();
    failThree();
    const holds = [100, 200, 350, 350].map((ms) => {
      assert.equal(health.heldForMs("a"), ms);
      clock.ms += ms;
      assert.equal(health.heldForMs("a"), 0);
      return health.note("a", "1", false);
    });
    assert.deepEqual(holds, [true, true, true, true]);
  });

  test("remembers no more hosts than it was given room for", () => {
    const { health, failThree } = make();
    failThree();
    for (let host = 0; host < 5; host++) health.note(String(host), "1", false);
    assert.equal(health.heldForMs("a"), 0);
  });
});
