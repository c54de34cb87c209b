import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeCircuitBreaker } from "./circuit-breaker.ts";
import { makeHostLimiter, type Outcome, type Ticket } from "./host-limiter.ts";

interface JobOptions {
  readonly client?: string;
  readonly address?: string;
  readonly addresses?: readonly string[];
}

/** A limiter whose jobs end when the test says so. */
function makeScene({ total = 6, slowLane = 2, perHost = 2 } = {}) {
  const clock = { ms: 0 };
  const connections = { ofHost: 10 };
  const limits = { failures: 3, failuresOfAll: 3, minPauseMs: 1000, maxPauseMs: 1000, maxHosts: 100 };
  const breaker = () => makeCircuitBreaker(limits, () => clock.ms);
  const limiter = makeHostLimiter(
    { total, slowLane, verifications: 2 * total, perHost, perAddress: 4, slowMs: 2000 },
    { deliveries: breaker(), verifications: breaker(), addresses: breaker() },
    () => clock.ms,
    { connectionsSuffice: (_origin, requests) => requests <= connections.ofHost },
  );
  const running = new Map<string, (outcome: Outcome) => void>();
  let count = 0;
  /** Puts a job in line. Hosts of a site are named `a.site`; a job claims the first free one of `addresses`, if any. */
  function enter(
    host: string,
    { client, address, addresses = address === undefined ? [] : [address] }: JobOptions = {},
  ): Ticket {
    const id = `${host}${count++}`;
    const site = host.split(".").at(-1) ?? "";
    return limiter.enter({
      ...{ id, origin: host, site, ...(client === undefined ? {} : { client }) },
      run(gate) {
        if (addresses.length > 0 && !addresses.some((each) => gate.claim(each))) return Promise.resolve("busy");
        const { promise, resolve } = Promise.withResolvers<Outcome>();
        running.set(id, (outcome) => {
          running.delete(id);
          resolve(outcome);
        });
        return promise;
      },
    });
  }
  async function finish(id: string, outcome: Outcome): Promise<void> {
    running.get(id)?.(outcome);
    await setImmediate();
  }
  const begun = async () => {
    await setImmediate();
    return [...running.keys()];
  };
  return { clock, connections, limiter, enter, finish, begun };
}

describe("makeHostLimiter()", () => {
  test("limits the concurrent jobs of a host, and hosts take turns", async () => {
    const { enter, begun, finish } = makeScene();
    for (const host of ["a", "a", "a", "a", "b", "c"]) enter(host);
    assert.deepEqual(await begun(), ["a0", "a1", "b4", "c5"]);
    await finish("a0", "good");
    assert.deepEqual(await begun(), ["a1", "b4", "c5", "a2"]);
    const verified = makeScene();
    for (const options of [{ client: "c" }, {}, {}]) verified.enter("a", options);
    assert.deepEqual(await verified.begun(), ["a0", "a1"], "a verification counts as well");
  });

  test("of the hosts that wait, one with fewer jobs under way comes first", async () => {
    const { enter, begun, finish } = makeScene();
    for (const host of ["a", "a", "b", "c", "b", "d"]) enter(host);
    assert.deepEqual(await begun(), ["a0", "a1", "b2", "c3"]);
    await finish("c3", "good");
    assert.deepEqual(await begun(), ["a0", "a1", "b2", "d5"]);
  });

  describe("a host's turn", () => {
    /** Four proven hosts with a delivery under way at an address, and a fifth that waits for it. */
    async function openTurn() {
      const scene = makeScene({ total: 50, perHost: 4 });
      const hosts = ["a.s", "b.t", "c.u", "d.v", "e.w"];
      for (const [index, host] of hosts.entries()) {
        scene.enter(host, { address: "A" });
        await scene.begun();
        await scene.finish(`${host}${index}`, "good");
      }
      for (const host of hosts) scene.enter(host, { address: "A" });
      assert.deepEqual(await scene.begun(), ["a.s5", "b.t6", "c.u7", "d.v8"]);
      return scene;
    }

    test("goes on for eight deliveries", async () => {
      const { clock, enter, begun, finish } = await openTurn();
      for (let index = 0; index < 12; index++) enter("a.s", { address: "A" });
      await finish("a.s5", "good");
      for (let index = 10; index < 16; index++) {
        clock.ms += 40;
        assert.deepEqual(await begun(), ["b.t6", "c.u7", "d.v8", `a.s${index}`]);
        await finish(`a.s${index}`, "good");
      }
      await finish("a.s16", "good");
      assert.deepEqual(await begun(), ["b.t6", "c.u7", "d.v8", "e.w9"]);
    });

    for (const [what, outcome, ms] of [
      ["an answer after three tenths of a second", "good", 300],
      ["a failure", "bad", 0],
      ["a local failure", undefined, 0],
    ] as const) {
      test(`ends with ${what}`, async () => {
        const { clock, enter, begun, finish } = await openTurn();
        enter("a.s", { address: "A" });
        clock.ms += ms;
        await finish("a.s5", outcome);
        assert.equal((await begun())[3], "e.w9");
      });
    }

    test("ends when a verification waits at the host", async () => {
      const { enter, begun, finish } = await openTurn();
      enter("a.s", { address: "A" });
      enter("a.s", { address: "A", client: "c" });
      await finish("a.s5", "good");
      assert.equal((await begun())[3], "e.w9");
    });

    test("is not given to a host that has another delivery under way", async () => {
      const { enter, begun, finish } = await openTurn();
      await finish("b.t6", "good");
      await finish("c.u7", "good");
      assert.deepEqual(await begun(), ["a.s5", "d.v8", "e.w9"]);
      for (const host of ["a.s", "b.t", "a.s"]) enter(host, { address: "A" });
      assert.deepEqual(await begun(), ["a.s5", "d.v8", "e.w9", "a.s10"]);
      await finish("a.s5", "good");
      assert.equal((await begun())[3], "b.t11");
    });

    test("is not given in a slot for unproven origins", async () => {
      const { enter, begun, finish } = makeScene({ total: 50, perHost: 4 });
      for (const host of ["a.s", "b.t", "c.u", "d.v", "a.s"]) enter(host, { address: "A" });
      assert.deepEqual(await begun(), ["a.s0", "b.t1", "c.u2"]);
      await finish("a.s0", "good");
      assert.equal((await begun())[2], "d.v3");
    });

    test("leaves its slot to others when the host's next delivery goes to another address", async () => {
      const { enter, begun, finish, limiter } = await openTurn();
      enter("a.s", { address: "B" });
      await finish("a.s5", "good");
      assert.deepEqual(await begun(), ["b.t6", "c.u7", "d.v8", "a.s10", "e.w9"]);
      assert.equal(limiter.running(), 5);
    });

    test("never exceeds the limit of requests", async () => {
      const { enter, begun, finish, limiter } = makeScene({ total: 6, slowLane: 2, perHost: 2 });
      for (let index = 0; index < 60; index++) enter(`h${index % 5}`, { address: index % 2 === 0 ? "A" : "B" });
      let served = 0;
      for (let jobs = await begun(); jobs.length > 0; jobs = await begun()) {
        assert.ok(limiter.running() <= 4, jobs.join());
        await finish(jobs[0] ?? "", "good");
        served++;
      }
      assert.equal(served, 60);
    });
  });

  test("a host short of connections gets a second delivery only when the first one hangs", async () => {
    const { clock, connections, enter, begun, finish, limiter } = makeScene();
    connections.ofHost = 1;
    const tickets = ["a", "a", "b", "b"].map((host) => enter(host));
    assert.deepEqual(await begun(), ["a0", "b2"]);
    clock.ms = 500;
    assert.deepEqual(
      tickets.map((ticket) => limiter.delayMs(ticket)),
      [500, 0, 500, 0],
      "it waits for others, not for its host",
    );
    await finish("b2", "good");
    assert.deepEqual(await begun(), ["a0", "b3"]);
    clock.ms = 2001;
    limiter.tick();
    assert.deepEqual(await begun(), ["a0", "b3", "a1"]);
  });

  test("neither a verification nor a delivery waits for a connection of the other", async () => {
    const { connections, enter, begun, finish } = makeScene({ perHost: 4 });
    connections.ofHost = 1;
    enter("a", { client: "c" });
    enter("a");
    assert.deepEqual(await begun(), ["a0", "a1"]);
    enter("a");
    enter("a", { client: "d" });
    await finish("a0", "good");
    await finish("a1", "good");
    assert.deepEqual(await begun(), ["a3", "a2"]);
  });

  test("a verification begins at once, even if its host is short of connections", async () => {
    const { connections, enter, begun, finish } = makeScene({ perHost: 4 });
    connections.ofHost = 1;
    enter("a");
    assert.deepEqual(await begun(), ["a0"]);
    enter("a", { client: "c" });
    assert.deepEqual(await begun(), ["a0", "a1"]);
    await finish("a1", "good");
    enter("a");
    assert.deepEqual(await begun(), ["a0"], "another delivery waits");
    enter("a", { client: "c" });
    assert.deepEqual(await begun(), ["a0", "a3"], "a verification does not wait behind it");
    await finish("a0", "good");
    assert.deepEqual(await begun(), ["a3", "a2"]);
  });

  test("a host short of connections keeps no slot of its address from others", async () => {
    const { connections, enter, begun, finish } = makeScene({ total: 50, perHost: 4 });
    enter("a.x", { address: "A" });
    await begun();
    await finish("a.x0", "good");
    for (const host of ["b.s", "c.t", "d.u"]) enter(host, { address: "A" });
    await begun();
    for (const host of ["a.x", "a.x", "e.v"]) enter(host, { address: "A" });
    assert.deepEqual(await begun(), ["b.s1", "c.t2", "d.u3", "a.x4"]);
    connections.ofHost = 1;
    await finish("b.s1", "good");
    assert.deepEqual(await begun(), ["c.t2", "d.u3", "a.x4", "e.v6"]);
  });

  test("limits the concurrent jobs of all hosts, and reserves some for slow hosts", async () => {
    const { enter, begun } = makeScene();
    for (const host of ["a", "b", "c", "d", "e", "f", "g"]) enter(host);
    assert.deepEqual(await begun(), ["a0", "b1", "c2", "d3"]);
  });

  test("jobs that turn out slow move to the slow lane while it has room", async () => {
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

  test("a paused host keeps no job in its queue", async () => {
    const { clock, enter, begun, finish } = makeScene({ perHost: 3 });
    const tickets = ["a", "a", "a", "a", "a"].map((host) => enter(host));
    await begun();
    for (const id of ["a0", "a1", "a2"]) await finish(id, "bad");
    assert.deepEqual(await Promise.all(tickets.slice(0, 3).map(({ end }) => end)), ["done", "done", "done"]);
    // Jobs that have begun run to their end; a new one is not begun.
    assert.deepEqual(await enter("a").end, { pausedMs: 1000 });
    clock.ms = 1000;
    enter("a");
    assert.ok((await begun()).includes("a6"));
  });

  test("a job that leaves the queue is never started", async () => {
    const { limiter, enter, begun, finish } = makeScene({ perHost: 1 });
    enter("a");
    const second = enter("a");
    limiter.leave(second);
    assert.equal(await second.end, "left");
    await begun();
    await finish("a0", "good");
    assert.deepEqual(await begun(), []);
  });

  test("tells whether a job waits for its own host or for others", async () => {
    const { clock, limiter, enter, begun } = makeScene({ total: 3, slowLane: 0, perHost: 2 });
    const tickets = ["a", "a", "a", "b", "c"].map((host) => enter(host));
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

  test("a job that throws frees its slot", async () => {
    const { limiter, enter, begun } = makeScene({ total: 1, slowLane: 0 });
    const ticket = limiter.enter({ id: "1", origin: "a", site: "a", run: () => Promise.reject(new Error("a fault")) });
    await assert.rejects(ticket.end, /a fault/);
    enter("b");
    assert.equal((await begun()).length, 1);
    assert.equal(limiter.running(), 1);
  });

  test("a job that waits for its client's or its address's share is delayed by its host", async () => {
    const { clock, limiter, enter, begun } = makeScene({ perHost: 4 });
    const ofClient = [1, 2, 3].map(() => enter("a", { client: "c" }));
    const atAddress = [1, 2].map(() => enter("b", { address: "192.0.2.1" }));
    assert.deepEqual(await begun(), ["a0", "a1", "b3"]);
    clock.ms = 500;
    assert.deepEqual(
      [...ofClient, ...atAddress].map((ticket) => limiter.delayMs(ticket)),
      [500, 500, 500, 500, 500],
    );
  });

  test("verifications leave room for a delivery, and no client takes all of a host's", async () => {
    const { enter, begun, finish } = makeScene({ perHost: 4 });
    for (const client of ["x", "x", "x", "y", "z"]) enter("a", { client });
    assert.deepEqual(await begun(), ["a0", "a1", "a3"]);
    enter("a");
    enter("a");
    assert.deepEqual(await begun(), ["a0", "a1", "a3", "a5"]);
    await finish("a0", "refused");
    assert.deepEqual(await begun(), ["a1", "a3", "a5", "a6"]);
    await finish("a1", "refused");
    assert.deepEqual(await begun(), ["a3", "a5", "a6", "a2"]);
  });

  test("verifications that fail pause their client only, and no delivery", async () => {
    const { enter, begun, finish } = makeScene({ perHost: 4 });
    for (let index = 0; index < 3; index++) {
      enter("a", { client: "stranger" });
      await begun();
      await finish(`a${index}`, "refused");
    }
    assert.deepEqual(await enter("a", { client: "stranger" }).end, { pausedMs: 1000 });
    enter("a", { client: "honest" });
    enter("a");
    assert.deepEqual(await begun(), ["a4", "a5"]);
  });

  test("limits the concurrent jobs of an address, across all hosts that resolve to it", async () => {
    const { enter, begun, finish, limiter } = makeScene({ total: 50, perHost: 4 });
    for (let index = 0; index < 30; index++) enter(`h${index % 10}.s${index % 10}`, { address: "A" });
    const served = new Set<string>();
    for (let jobs = await begun(); jobs.length > 0; jobs = await begun()) {
      assert.ok(jobs.length <= 4 && limiter.running() <= 4, jobs.join());
      await finish(jobs[0] ?? "", "good");
      served.add(jobs[0] ?? "");
    }
    assert.equal(served.size, 30);
  });

  test("a host whose addresses all lack room continues at the first that has some", async () => {
    const { enter, begun, finish } = makeScene({ total: 50, perHost: 4 });
    for (const [host, address] of Object.entries({ "a.s": "A", "b.s": "A", "c.s": "B", "d.s": "B" }))
      enter(host, { address });
    await begun();
    for (const host of ["e.s", "f.s"]) enter(host, { addresses: ["A", "B"] });
    assert.deepEqual(await begun(), ["a.s0", "b.s1", "c.s2", "d.s3"]);
    await finish("a.s0", "good");
    assert.deepEqual(await begun(), ["b.s1", "c.s2", "d.s3", "e.s4"]);
    await finish("c.s2", "good");
    assert.deepEqual(await begun(), ["b.s1", "d.s3", "e.s4", "f.s5"]);
  });

  test("hanging hosts leave a slot of their address to proven origins", async () => {
    const { enter, begun, finish } = makeScene({ total: 50, perHost: 4 });
    enter("honest.x", { address: "A" });
    await begun();
    await finish("honest.x0", "good");
    for (let index = 0; index < 60; index++) enter(`h${index}.hanging`, { address: "A" });
    assert.deepEqual(await begun(), ["h0.hanging1", "h1.hanging2"], "unproven hosts of one site take two slots");
    enter("other.y", { address: "A" });
    assert.deepEqual((await begun()).slice(2), ["other.y61"], "an unproven host of another site takes the third");
    enter("one.z", { address: "A" });
    assert.deepEqual((await begun()).slice(3), [], "the last one is not for an unproven host of any site");
    enter("honest.x", { address: "A" });
    assert.deepEqual((await begun()).slice(3), ["honest.x63"], "but for one that has acknowledged");
    await finish("other.y61", "good");
    assert.deepEqual((await begun()).slice(2), ["honest.x63", "one.z62"]);
  });

  test("a job that leaves the queue of a busy address wakes the next host", async () => {
    const { enter, begun, finish, limiter } = makeScene({ total: 50, perHost: 4 });
    const [first, second] = ["a.s", "b.s", "c.s", "d.s"].map((host) => enter(host, { address: "A" })).slice(2);
    assert.ok(first && second);
    assert.deepEqual(await begun(), ["a.s0", "b.s1"]);
    limiter.leave(first);
    await finish("a.s0", "good");
    assert.deepEqual(await begun(), ["b.s1", "d.s3"]);
  });
});
