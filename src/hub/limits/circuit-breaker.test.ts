import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeCircuitBreaker } from "./circuit-breaker.ts";

const LIMITS = { failures: 3, failuresOfAll: 5, minPauseMs: 100, maxPauseMs: 350, maxHosts: 5 };

describe("makeCircuitBreaker()", () => {
  function make() {
    const clock = { ms: 0 };
    const breaker = makeCircuitBreaker(LIMITS, () => clock.ms);
    const note = (host: string, id: string, succeeded: boolean) => breaker.note({ host, party: "", id }, succeeded);
    const failThree = () => ["1", "2", "3"].map((id) => note("a", id, false));
    return { clock, breaker, note, failThree };
  }

  test("pauses a host after consecutive failures of many different subscriptions", () => {
    const { breaker, failThree } = make();
    assert.deepEqual(failThree(), [false, false, true]);
    assert.equal(breaker.pausedForMs("a", ""), 100);
    assert.equal(breaker.pausedForMs("b", ""), 0);
  });

  test("a few failing callbacks pause no host, however often they fail", () => {
    const { note } = make();
    for (let time = 0; time < 50; time++) assert.equal(note("a", String(time % 2), false), false);
  });

  test("one success resets the count", () => {
    const { breaker, note, failThree } = make();
    note("a", "1", false);
    note("a", "2", false);
    note("a", "1", true);
    assert.deepEqual(failThree(), [false, false, true]);
    note("a", "9", true);
    assert.equal(breaker.pausedForMs("a", ""), 0);
  });

  test("a host that fails again is paused for twice as long, up to a bound", () => {
    const { clock, breaker, note, failThree } = make();
    failThree();
    const pauses = [100, 200, 350, 350].map((ms) => {
      assert.equal(breaker.pausedForMs("a", ""), ms);
      clock.ms += ms;
      assert.equal(breaker.pausedForMs("a", ""), 0);
      return note("a", "1", false);
    });
    assert.deepEqual(pauses, [true, true, true, true]);
  });

  test("remembers a limited number of hosts", () => {
    const { breaker, note, failThree } = make();
    failThree();
    for (let host = 0; host < 5; host++) note(String(host), "1", false);
    assert.equal(breaker.pausedForMs("a", ""), 0);
  });

  test("counts failures per party: those of one do not pause the others of the same host", () => {
    const { breaker } = make();
    for (const id of ["1", "2", "3"]) breaker.note({ host: "a", party: "stranger", id }, false);
    assert.deepEqual([breaker.pausedForMs("a", "stranger"), breaker.pausedForMs("a", "honest")], [100, 0]);
    breaker.note({ host: "a", party: "honest", id: "9" }, true);
    assert.equal(breaker.pausedForMs("a", "stranger"), 100);
  });

  test("pauses every failing party at once when very many fail among all, and lets the others through", () => {
    const { breaker } = make();
    for (const party of ["p1", "p2"]) for (const id of ["1", "2"]) breaker.note({ host: "a", party, id }, false);
    assert.deepEqual([breaker.pausedForMs("a", "p1"), breaker.pausedForMs("a", "p2")], [0, 0]);
    breaker.note({ host: "a", party: "p3", id: "1" }, false);
    assert.deepEqual([breaker.pausedForMs("a", "p3"), breaker.pausedForMs("a", "p4")], [100, 0]);
  });
});
