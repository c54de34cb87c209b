import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeLoadShedding, SAMPLE_MS } from "./load-shedding.ts";

const COST_MS = 20;

/** A process in which each admitted request costs 20 ms, and that looks at its requests between two samples. */
function simulate() {
  let time = 0;
  let work = 0;
  const shedding = makeLoadShedding({ clock: () => time, work: () => work });

  function request(client: string, costMs = COST_MS): boolean {
    const end = shedding.admit(client);
    if (end === undefined) return false;
    time += costMs;
    work += costMs;
    end();
    return true;
  }

  /** So many requests arrive in each turn of the event loop. Returns how many of each client were admitted. */
  function turns(count: number, clientsOfTurn: readonly string[]): { admitted: Map<string, number>; delays: number[] } {
    const admitted = new Map<string, number>();
    const delays: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      for (const client of clientsOfTurn) if (request(client)) admitted.set(client, (admitted.get(client) ?? 0) + 1);
      time += SAMPLE_MS;
      shedding.sample();
      delays.push(shedding.delaySeconds());
    }
    return { admitted, delays };
  }

  /** The machine does something else: time passes without any work of ours. */
  function stall(milliseconds: number): void {
    time += milliseconds;
    shedding.sample();
  }
  return { shedding, turns, stall, request };
}

interface Arrivals {
  readonly perSecond: number;
  readonly seconds?: number;
  readonly costMs?: number;
  readonly refusalMs?: number;
  /** How many times as long as its work everything takes, because others use the processor. */
  readonly slowness?: number;
  readonly clients?: number;
}

/**
 * Requests arrive at their times and wait in their connections until a turn of the event loop reads all that are there.
 * Half of them are one client's. Returns what was answered: when, and how long after it had arrived.
 */
function simulateArrivals({
  perSecond,
  seconds = 20,
  costMs = 2.4,
  refusalMs = 0.1,
  slowness = 1,
  clients = 40,
}: Arrivals) {
  let time = 0;
  let work = 0;
  let nextSample = SAMPLE_MS;
  const shedding = makeLoadShedding({ clock: () => time, work: () => work });
  const answered: { client: string; at: number; ms: number }[] = [];
  const spend = (ms: number) => {
    work += ms;
    time += ms * slowness;
  };
  const total = perSecond * seconds;
  for (let arrived = 0; arrived < total; ) {
    if (time >= nextSample) {
      shedding.sample();
      nextSample = time + SAMPLE_MS;
    }
    const there = Math.min(total, Math.floor((time / 1000) * perSecond));
    if (there === arrived) time = Math.min(nextSample, ((there + 1) / perSecond) * 1000 + 1e-6);
    for (; arrived < there; arrived++) {
      const client = arrived % 2 === 0 ? "greedy" : `client ${Math.floor(arrived / 2) % clients}`;
      const end = shedding.admit(client);
      spend(end === undefined ? refusalMs : costMs);
      end?.();
      if (end !== undefined) answered.push({ client, at: time, ms: time - (arrived / perSecond) * 1000 });
    }
  }
  return answered;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

const ONE = ["one"];
const MANY = Array.from({ length: 100 }, (_, index) => `client ${index}`);

describe("makeLoadShedding()", () => {
  test("admits all requests while they are answered in time, however many a client sends", () => {
    const { shedding, turns } = simulate();
    turns(100, Array(20).fill("one"));
    turns(100, MANY.slice(0, 20));
    assert.equal(shedding.refused(), 0);
  });

  test("admits a burst of half a second's work", () => {
    const { shedding, turns } = simulate();
    turns(1, MANY.slice(0, 25));
    turns(40, ONE);
    turns(1, Array(25).fill("one"));
    assert.equal(shedding.refused(), 0);
  });

  test("refuses no request because the machine is busy, or after a single long pause of its own", () => {
    const { request, shedding, stall, turns } = simulate();
    for (let count = 0; count < 100; count += 1) {
      stall(2_000);
      turns(1, ONE);
    }
    request("one", 2_000);
    turns(20, ONE);
    assert.equal(shedding.refused(), 0);
  });

  test("brings the delay down to its target and keeps it there, and goes on answering", () => {
    const { turns } = simulate();
    const [first] = turns(1, MANY).delays;
    assert.ok((first ?? 0) < 0.6, `${first} s, and 2 s if nobody were refused`);
    turns(20, MANY);
    const { delays, admitted } = turns(100, MANY);
    assert.ok(
      delays.every((delay) => delay < 0.15),
      String(delays),
    );
    assert.ok([...admitted.values()].reduce((sum, count) => sum + count, 0) > 200, "about two of each turn");
  });

  test("refuses the rest of a turn that answers requests for seconds, and fewer are admitted from the next on", () => {
    const { turns } = simulate();
    const first = turns(1, Array(3_000).fill("one"));
    assert.ok((first.delays[0] ?? 0) < 0.6, `${first.delays[0]} s in one turn`);
    const second = turns(20, Array(3_000).fill("one"));
    assert.ok(
      second.delays.every((delay) => delay < 0.15),
      String(second.delays),
    );
  });

  for (const [name, options] of Object.entries({
    "four times what": { perSecond: 1_670 },
    "ten times what": { perSecond: 4_170, refusalMs: 0.05 },
    "one and a half times what": { perSecond: 625 },
    "four times what, by costly searches,": { perSecond: 80, costMs: 50 },
    "four times what, on a shared processor,": { perSecond: 835, slowness: 2 },
  })) {
    test(`${name} can be answered: what is answered waits little, and is most of what can be`, () => {
      const { perSecond, costMs = 2.4, refusalMs = 0.1, slowness = 1 } = { ...options } as Arrivals;
      const answered = simulateArrivals({ seconds: 20, ...options });
      const waits = answered.map(({ ms }) => ms);
      assert.ok(quantile(waits, 0.99) < 1_100, `${quantile(waits, 0.99)} ms with the first second`);
      const lasting = answered.filter(({ at }) => at > 2_000).map(({ ms }) => ms);
      assert.ok(Math.max(...lasting) < 250, `${Math.max(...lasting)} ms after it`);
      const most = (1_000 / slowness - perSecond * refusalMs) / (costMs - refusalMs);
      const share = lasting.length / 18 / most;
      assert.ok(share > 0.8, `${share} of what can be answered`);
    });
  }

  test("limits the clients that ask for much, and not the others", () => {
    const answered = simulateArrivals({ perSecond: 400, seconds: 30, costMs: 20, clients: 100 });
    const byClient = Map.groupBy(answered, ({ client }) => client);
    const ofGreedy = byClient.get("greedy")?.length ?? 0;
    byClient.delete("greedy");
    const others = [...byClient.values()].map(({ length }) => length);
    assert.ok(others.length === 100 && Math.min(...others) > 0.5 * Math.max(...others), others.join());
    assert.ok(ofGreedy < 10 * Math.max(...others), `${ofGreedy} of 6,000, and a hundred times as many as another asks`);
  });

  test("admits everybody again within two seconds after the load has gone", () => {
    const { shedding, turns } = simulate();
    turns(40, MANY);
    assert.ok(shedding.refused() > 0);
    turns(30, ONE);
    const before = shedding.refused();
    turns(50, MANY.slice(0, 15));
    assert.equal(shedding.refused(), before);
  });

  test("bounds the bodies in progress, each client's when there are many, and counts each end once", () => {
    const { shedding } = simulate();
    const post = (client: string) => shedding.admit(client, { hasBody: true });
    const ends = Array.from({ length: 300 }, () => post("slow"));
    assert.equal(ends.filter((end) => end !== undefined).length, 256);
    const others = Array.from({ length: 200 }, (_, index) => Array.from({ length: 5 }, () => post(`client ${index}`)));
    assert.equal(others.flat().filter((end) => end !== undefined).length, 1_024 - 256, "until all are taken");
    const [first] = others;
    assert.equal(post("new"), undefined);
    first?.[0]?.();
    first?.[0]?.();
    assert.notEqual(post("new"), undefined);
    assert.equal(post("new"), undefined);
  });

  test("admits requests without a body while slow bodies take all that there is", () => {
    const { shedding } = simulate();
    for (let count = 0; count < 1_100; count += 1) shedding.admit(`sender ${count % 100}`, { hasBody: true });
    assert.equal(shedding.admit("sender 0", { hasBody: true }), undefined);
    const searches = Array.from({ length: 2_000 }, () => shedding.admit("reader"));
    assert.ok(searches.every((end) => end !== undefined));
  });
});
