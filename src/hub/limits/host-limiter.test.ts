import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeCircuitBreaker } from "./circuit-breaker.ts";
import { makeHostLimiter, type Ticket, type Verdict } from "./host-limiter.ts";

/** A gate whose attempts end when the test says so. */
function makeScene({ inAll = 6, slowLane = 2, perHost = 2 } = {}) {
  const clock = { ms: 0 };
  const limits = { failures: 3, shortestHoldMs: 1000, longestHoldMs: 1000, hosts: 100 };
  const limiter = makeHostLimiter(
    { inAll, slowLane, perHost, slowMs: 2000 },
    makeCircuitBreaker(limits, () => clock.ms),
    () => clock.ms,
  );
  const running = new Map<string, (verdict: Verdict) => void>();
  let count = 0;
  function enter(host: string): Ticket {
    const id = `${host}${count++}`;
    return limiter.enter(host, id, () => {
      const { promise, resolve } = Promise.withResolvers<Verdict>();
      running.set(id, (verdict) => {
        running.delete(id);
        resolve(verdict);
      });
      return promise;
    });
  }
  async function finish(id: string, verdict: Verdict): Promise<void> {
    running.get(id)?.(verdict);
    await setImmediate();
  }
  const begun = async () => {
    await setImmediate();
    return [...running.keys()];
  };
  return { clock, limiter, enter, finish, begun };
}

describe("makeHostGate()", () => {
  test("lets few to one host, and hosts in turn", async () => {
    const { enter, begun, finish } = makeScene();
    for (const host of ["a", "a", "a", "a", "b", "c"]) enter(host);
    assert.deepEqual(await begun(), ["a0", "a1", "b4", "c5"]);
    await finish("a0", "good");
    assert.deepEqual(await begun(), ["a1", "b4", "c5", "a2"]);
  });

  test("never lets more than so many in all, some of them kept for slow hosts", async () => {
    const { enter, begun } = makeScene();
    for (const host of ["a", "b", "c", "d", "e", "f", "g"]) enter(host);
    assert.deepEqual(await begun(), ["a0", "b1", "c2", "d3"]);
  });

  test("attempts that turn out slow make room, as far as the slow lane has some", async () => {
    const { clock, enter, begun, limiter } = makeScene();
    for (const host of ["a", "b", "c", "d", "e", "f", "g"]) enter(host);
    await begun();
    clock.ms = 2001;
    limiter.tick();
    assert.deepEqual(await begun(), ["a0", "b1", "c2", "d3", "e4", "f5"]);
    limiter.tick();
    assert.equal((await begun()).length, 6);
  });

  test("a host that was slow waits in the slow lane until it is quick again", async () => {
    const { clock, enter, begun, finish } = makeScene({ slowLane: 1 });
    enter("a");
    await begun();
    clock.ms = 3000;
    await finish("a0", "good");
    for (const host of ["a", "a", "b"]) enter(host);
    assert.deepEqual(await begun(), ["a1", "b3"]);
    await finish("a1", "good");
    assert.deepEqual(await begun(), ["b3", "a2"]);
  });

  test("a host that is left alone keeps nobody in line", async () => {
    const { clock, enter, begun, finish } = makeScene({ perHost: 3 });
    const tickets = ["a", "a", "a", "a", "a"].map(enter);
    await begun();
    for (const id of ["a0", "a1", "a2"]) await finish(id, "bad");
    assert.deepEqual(await Promise.all(tickets.slice(0, 3).map(({ end }) => end)), ["done", "done", "done"]);
    // Those who had begun in the meantime run to their end; whoever comes now is held.
    assert.equal(await enter("a").end, "held");
    clock.ms = 1000;
    enter("a");
    assert.ok((await begun()).includes("a6"));
  });

  test("who leaves the line is never begun", async () => {
    const { limiter, enter, begun, finish } = makeScene({ perHost: 1 });
    enter("a");
    const second = enter("a");
    limiter.leave(second);
    assert.equal(await second.end, "left");
    await begun();
    await finish("a0", "good");
    assert.deepEqual(await begun(), []);
  });

  test("tells whether the host holds somebody up, or the crowd does", async () => {
    const { clock, limiter, enter, begun } = makeScene({ inAll: 3, slowLane: 0, perHost: 2 });
    const tickets = ["a", "a", "a", "b", "c"].map(enter);
    await begun();
    clock.ms = 500;
    assert.deepEqual(
      tickets.map((ticket) => limiter.delayMs(ticket)),
      [500, 500, 500, 500, 0],
    );
    assert.deepEqual(
      tickets.map(({ begunAt }) => begunAt !== undefined),
      [true, true, false, true, false],
    );
  });

  test("an attempt that throws frees its place", async () => {
    const { limiter, enter, begun } = makeScene({ inAll: 1, slowLane: 0 });
    const ticket = limiter.enter("a", "1", () => Promise.reject(new Error("a fault")));
    await assert.rejects(ticket.end, /a fault/);
    enter("b");
    assert.equal((await begun()).length, 1);
    assert.equal(limiter.running(), 1);
  });

  test("names the origins with a long line", () => {
    const { limiter, enter } = makeScene();
    for (let index = 0; index < 66; index++) enter("a");
    enter("b");
    assert.deepEqual(limiter.busyOrigins(), ["a"]);
  });
});
