import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inSlices, type LoadShedding, makeLoadShedding, SAMPLE_MS } from "./load-shedding.ts";

/** What a turn of the event loop costs besides the requests. */
const TURN_COST_MS = 0.05;

interface Arrivals {
  readonly perSecond: number;
  readonly seconds?: number;
  readonly costMs?: number;
  readonly refusalMs?: number;
  /** How many times as long as its work everything takes, because others use the processor. */
  readonly slowness?: number;
  readonly clients?: number;
  /** How many connections the requests come on, opened in the first moment. None: they are open already. */
  readonly connections?: number;
}

interface Answered {
  readonly client: string;
  /** Milliseconds: when it arrived, and how long it waited. */
  readonly at: number;
  readonly waitMs: number;
}

/** An event loop in virtual time, as libuv turns it: a turn accepts one connection, reads from all, and then runs the callbacks put off before. */
class EventLoop {
  time = 0;
  work = 0;
  readonly #slowness: number;
  #putOff: (() => void)[] = [];
  #nextSample = SAMPLE_MS;
  readonly shedding: LoadShedding;

  constructor(slowness = 1) {
    this.#slowness = slowness;
    this.shedding = makeLoadShedding({
      clock: () => this.time,
      work: () => this.work,
      nextTurn: (run) => void this.#putOff.push(run),
    });
  }

  get isIdle(): boolean {
    return this.#putOff.length === 0;
  }

  spend(milliseconds: number): void {
    this.work += milliseconds;
    this.time += milliseconds * this.#slowness;
  }

  /** The machine does something else meanwhile. */
  stall(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Runs one turn: `read` handles what has arrived. */
  async turn(read: () => void): Promise<void> {
    if (this.time >= this.#nextSample) {
      this.shedding.sample();
      this.#nextSample = this.time + SAMPLE_MS;
    }
    this.spend(TURN_COST_MS);
    read();
    await settled();
    for (const run of this.#putOff.splice(0)) {
      run();
      await settled();
    }
  }

  /** Turns until nothing is put off. */
  async rest(): Promise<void> {
    while (!this.isIdle) await this.turn(() => {});
  }
}

/** Lets everything run that waits for a promise which has been resolved. */
async function settled(): Promise<void> {
  for (let count = 0; count < 3; count++) await null;
}

/** A costly request: calls `onAnswer` once it has been answered. */
function ask(loop: EventLoop, client: string, costs: { costMs: number; refusalMs: number }, onAnswer: () => void) {
  const answer = (mayBeAnswered: boolean) => {
    loop.spend(mayBeAnswered ? costs.costMs : costs.refusalMs);
    if (mayBeAnswered) onAnswer();
  };
  const turn = loop.shedding.admit(client);
  if (turn instanceof Promise) void turn.then(answer);
  else answer(turn);
}

/** Costly requests at an even rate, half of them one client's, and ready documents twenty times a second beside them. */
async function simulate(arrivals: Arrivals): Promise<{ answered: Answered[]; documents: number[]; refused: number }> {
  const { perSecond, seconds = 10, costMs = 2.4, refusalMs = 0.1, slowness, clients = 40, connections = 0 } = arrivals;
  const loop = new EventLoop(slowness);
  const answered: Answered[] = [];
  const documents: number[] = [];
  const unread: number[] = []; // requests on connections that are not accepted yet
  let accepted = 0;
  let unreadDocuments: number[] = [];
  let documentsRead = 0;
  let arrived = 0;

  function request(number: number): void {
    const at = (number / perSecond) * 1000;
    const client = number % 2 === 0 ? "greedy" : `client ${Math.floor(number / 2) % clients}`;
    ask(loop, client, { costMs, refusalMs }, () => answered.push({ client, at, waitMs: loop.time - at }));
  }

  while (loop.time < seconds * 1000) {
    await loop.turn(() => {
      const elapsed = loop.time / 1000;
      if (accepted < connections) {
        accepted++;
        loop.shedding.connectionAccepted();
      }
      const isAccepted = (number: number) => connections === 0 || number % connections < accepted;
      for (const number of unread.splice(0)) isAccepted(number) ? request(number) : unread.push(number);
      for (; arrived < Math.floor(elapsed * perSecond); arrived++)
        isAccepted(arrived) ? request(arrived) : unread.push(arrived);
      for (; documentsRead < Math.floor(elapsed * 20); documentsRead++) unreadDocuments.push((documentsRead + 1) * 50);
      if (accepted < connections) return; // theirs is the last connection
      for (const at of unreadDocuments) documents.push(loop.time - at);
      unreadDocuments = [];
    });
    if (loop.isIdle) loop.time = Math.max(loop.time, (arrived + 1) * (1000 / perSecond));
  }
  return { answered, documents, refused: loop.shedding.refused() };
}

/** One request of each client at once. Returns how long the answered ones waited. */
async function burst(loop: EventLoop, clients: readonly string[], costMs: number): Promise<number[]> {
  const waits: number[] = [];
  const at = loop.time;
  await loop.turn(() => {
    for (const client of clients) ask(loop, client, { costMs, refusalMs: 0.1 }, () => waits.push(loop.time - at));
  });
  await loop.rest();
  return waits;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

const MANY = Array.from({ length: 100 }, (_, index) => `client ${index}`);

describe("makeLoadShedding()", () => {
  test("refuses none while all are answered in time, however many a client sends", async () => {
    const { refused, answered } = await simulate({ perSecond: 300 });
    assert.equal(refused, 0);
    assert.ok(
      quantile(
        answered.map(({ waitMs }) => waitMs),
        0.99,
      ) < 15,
    );
  });

  test("refuses none of a burst of four tenths of a second's work", async () => {
    const loop = new EventLoop();
    for (const clients of [MANY.slice(0, 20), Array(20).fill("one")]) {
      assert.equal((await burst(loop, clients, 20)).length, 20);
      loop.stall(2_000);
    }
    assert.equal(loop.shedding.refused(), 0);
  });

  test("refuses none because the machine is busy, or after a single long pause of its own", async () => {
    const loop = new EventLoop();
    for (let count = 0; count < 100; count++) {
      loop.stall(2_000);
      await burst(loop, MANY.slice(0, 5), 20);
    }
    await burst(loop, ["one"], 2_000);
    for (let count = 0; count < 20; count++) await burst(loop, ["one", "two"], 20);
    assert.equal(loop.shedding.refused(), 0);
  });

  test("turns the event loop between the requests that came at once", async () => {
    const loop = new EventLoop();
    await burst(loop, MANY.slice(0, 20), 20);
    const turns: number[] = [];
    const before = loop.time;
    await loop.turn(() => {
      for (const client of MANY.slice(0, 20)) ask(loop, client, { costMs: 20, refusalMs: 0.1 }, () => {});
    });
    turns.push(loop.time - before);
    while (!loop.isIdle) {
      const start = loop.time;
      await loop.turn(() => {});
      turns.push(loop.time - start);
    }
    assert.ok(Math.max(...turns) < 45, turns.join());
  });

  for (const [name, options] of Object.entries({
    "four times what": { perSecond: 1_670 },
    "ten times what": { perSecond: 4_170, refusalMs: 0.05 },
    "one and a half times what": { perSecond: 625 },
    "four times what, by costly searches,": { perSecond: 80, costMs: 50 },
    "four times what, on a shared processor,": { perSecond: 835, slowness: 2 },
    "four times what, on eighty new connections,": { perSecond: 1_670, connections: 80 },
  })) {
    test(`${name} can be answered: what is answered waits little, and is most of what can be`, async () => {
      const { perSecond, costMs = 2.4, refusalMs = 0.1, slowness = 1 } = { ...options } as Arrivals;
      const { answered, documents } = await simulate({ seconds: 10, ...options });
      const waits = answered.map(({ waitMs }) => waitMs);
      assert.ok(Math.max(...waits) < 500 * slowness, `${Math.max(...waits)} ms in the first second`);
      const lasting = answered.filter(({ at }) => at > 1_000).map(({ waitMs }) => waitMs);
      const limit = Math.max(150, 6 * costMs) * slowness;
      assert.ok(Math.max(...lasting) < limit, `${Math.max(...lasting)} ms after it`);
      const most = (1_000 / slowness - perSecond * refusalMs) / (costMs - refusalMs);
      const share = lasting.length / 9 / most;
      assert.ok(share > 0.8, `${share} of what can be answered`);
      const turn = 2 * (Math.max(5, costMs) + 10) * slowness;
      assert.ok(Math.max(...documents) < turn + 40, `${Math.max(...documents)} ms for a ready document`);
      assert.ok(quantile(documents, 0.99) < turn, `${quantile(documents, 0.99)} ms for 99 % of ready documents`);
    });
  }

  test("limits the clients that ask for much, and not the others", async () => {
    const { answered } = await simulate({ perSecond: 400, seconds: 30, costMs: 20, clients: 100 });
    const byClient = Map.groupBy(answered, ({ client }) => client);
    const ofGreedy = byClient.get("greedy")?.length ?? 0;
    byClient.delete("greedy");
    const others = [...byClient.values()].map(({ length }) => length);
    assert.ok(others.length === 100 && Math.min(...others) > 0.4 * Math.max(...others), others.join());
    assert.ok(ofGreedy < 15 * Math.max(...others), `${ofGreedy} of 6,000, and a hundred times as many as another asks`);
  });

  test("admits a burst again two seconds after an overload", async () => {
    const loop = new EventLoop();
    await burst(loop, MANY, 20);
    assert.ok(loop.shedding.refused() > 0);
    loop.stall(2_000);
    const before = loop.shedding.refused();
    await burst(loop, MANY.slice(0, 15), 20);
    assert.equal(loop.shedding.refused(), before);
  });

  test("lets no request through while others are answered in slices, of which each turn has one", async () => {
    const loop = new EventLoop();
    const slices: string[] = [];
    const answerInSlices = async (client: string) => {
      await loop.shedding.admit(client);
      for (let slice = 0; slice < 3; slice++) {
        if (slice > 0) await loop.shedding.yieldTurn();
        loop.spend(4);
        slices.push(client);
      }
    };
    await loop.turn(() => ["one", "two"].map(answerInSlices));
    const turns: number[] = [];
    await loop.turn(() => void answerInSlices("three"));
    while (!loop.isIdle) {
      const start = loop.time;
      await loop.turn(() => {});
      turns.push(loop.time - start);
    }
    assert.deepEqual(slices, ["one", "two", "one", "two", "one", "two", "three", "three", "three"]);
    assert.ok(Math.max(...turns) < 5, turns.join());
  });

  test("refuses none of a client that waits for its answers, however many it has under way at once", async () => {
    const loop = new EventLoop();
    let underWay = 0;
    while (loop.time < 3_000) {
      await loop.turn(() => {
        for (; underWay < 100; underWay++) ask(loop, "one", { costMs: 0.2, refusalMs: 0.1 }, () => underWay--);
      });
    }
    assert.equal(loop.shedding.refused(), 0);
  });

  test("bounds what waits, however little it costs", async () => {
    const loop = new EventLoop();
    await burst(loop, MANY, 0.01);
    await loop.turn(() => {
      for (let count = 0; count < 2_000; count++) ask(loop, "one", { costMs: 0.01, refusalMs: 0.01 }, () => {});
    });
    assert.ok(loop.shedding.refused() > 0);
  });

  test("bounds the bodies in progress, each client's when there are many, and counts each end once", () => {
    const { shedding } = new EventLoop();
    const post = (client: string) => shedding.holdBody(client);
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

  test("answers requests without a body while slow bodies take all that there is", async () => {
    const loop = new EventLoop();
    for (let count = 0; count < 1_100; count += 1) loop.shedding.holdBody(`sender ${count % 100}`);
    assert.equal(loop.shedding.holdBody("sender 0"), undefined);
    assert.equal((await burst(loop, Array(20).fill("reader"), 1)).length, 20);
  });
});

test("inSlices() does short work at once, and pauses in long work", async () => {
  let pauses = 0;
  const pause = async () => void pauses++;
  function* work(isOver: () => boolean): Generator<undefined, string> {
    while (!isOver()) yield;
    return "done";
  }
  assert.equal(
    inSlices(
      work(() => true),
      pause,
    ),
    "done",
  );
  assert.equal(pauses, 0);
  assert.equal(
    await inSlices(
      work(() => pauses === 3),
      pause,
    ),
    "done",
  );
  assert.equal(pauses, 3);
});

test("the delay is measured from one sample to the next, however late the first one comes", () => {
  const now = { time: 0, work: 0 };
  const shedding = makeLoadShedding({ clock: () => now.time, work: () => now.work, nextTurn: () => {} });
  const sampleAfter = (milliseconds: number) => {
    now.time += milliseconds;
    now.work += milliseconds;
    shedding.sample();
    return shedding.delaySeconds();
  };
  assert.deepEqual([sampleAfter(60_000), sampleAfter(SAMPLE_MS), sampleAfter(SAMPLE_MS + 30)], [0, 0, 0.03]);
});
