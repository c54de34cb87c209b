import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeLoadShedding, SAMPLE_MS } from "./load-shedding.ts";

const COST_MS = 20;

/** A process in which each admitted request costs 20 ms, and that looks at its requests between two samples. */
function simulate() {
  let time = 0;
  let work = 0;
  const shedding = makeLoadShedding({ clock: () => time, work: () => work });

  function request(client: string): boolean {
    const end = shedding.admit(client);
    if (end === undefined) return false;
    time += COST_MS;
    work += COST_MS;
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

const ONE = ["one"];
const MANY = Array.from({ length: 100 }, (_, index) => `client ${index}`);

describe("makeLoadShedding()", () => {
  test("admits all requests while they are answered in time, however many a client sends", () => {
    const { shedding, turns } = simulate();
    turns(100, Array(20).fill("one"));
    turns(100, MANY.slice(0, 20));
    assert.equal(shedding.refused(), 0);
  });

  test("refuses no request because the machine is busy, or after a single long pause of its own", () => {
    const { shedding, stall, turns } = simulate();
    for (let count = 0; count < 100; count += 1) {
      stall(2_000);
      turns(1, ONE);
    }
    turns(1, MANY);
    turns(20, ONE);
    assert.equal(shedding.refused(), 0);
  });

  test("brings the delay down to its target and keeps it there, and goes on answering", () => {
    const { turns } = simulate();
    const [first] = turns(1, MANY).delays;
    assert.ok((first ?? 0) >= 1.9, `${first} s when nobody is refused`);
    turns(20, MANY);
    const { delays, admitted } = turns(100, MANY);
    assert.ok((delays.toSorted((a, b) => a - b)[50] ?? 9) < 0.6, String(delays));
    assert.ok(admitted.size > 0);
  });

  test("refuses the rest of a turn that answers requests for seconds, and fewer are admitted from the next on", () => {
    const { turns } = simulate();
    const first = turns(1, Array(3_000).fill("one"));
    assert.ok((first.delays[0] ?? 0) < 2.6, `${first.delays[0]} s in one turn`);
    const second = turns(20, Array(3_000).fill("one"));
    assert.ok(second.delays.every((delay) => delay < 2.6));
    assert.ok((second.delays.at(-1) ?? 9) < 0.6, String(second.delays));
  });

  test("limits the clients that ask for much, and not the others", () => {
    const { turns } = simulate();
    const crowd = [...Array(200).fill("greedy"), ...MANY.slice(0, 10)];
    turns(30, crowd);
    const { admitted } = turns(100, crowd);
    const others = MANY.slice(0, 10).map((client) => admitted.get(client) ?? 0);
    assert.ok(Math.min(...others) >= 95, `${others} of 100`);
    assert.ok((admitted.get("greedy") ?? 0) < 0.1 * 200 * 100, `${admitted.get("greedy")} of 20,000`);
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
