/** The clock that processes over one store share. Time passes when a test says so. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type DatabaseClock, makeReadingChoice, openDatabaseClock } from "./database-clock.ts";
import { openStore } from "./store.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-11-26T12:00:00Z");

/** An embedded store on a machine whose clock is set by hand. */
async function openMachine(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const store = await openStore("sqlite::memory:");
  const machine = { steady: 20_000, jump: 0, boot: "a" };
  const clocks: DatabaseClock[] = [];
  t.after(async () => {
    for (const clock of clocks) clock.close();
    await store.close();
  });
  return {
    machine,
    /** Starts a process. */
    async start() {
      const { boot } = machine;
      const clock = await openDatabaseClock(store.database, undefined, {
        machine: () => START + machine.steady + machine.jump,
        steady: () => machine.steady,
        boot,
      });
      clocks.push(clock);
      await settle();
      return clock;
    },
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        machine.steady += 1000;
        for (const clock of clocks) clock.now();
        t.mock.timers.tick(1000);
        await settle();
      }
    },
    /** How far a clock is from the time that has really passed. */
    error: (clock: DatabaseClock) => clock.now().getTime() - START - machine.steady,
  };

  async function settle(): Promise<void> {
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  }
}

for (const jump of [2 * HOUR, -2 * HOUR]) {
  test(`a clock that is set by ${jump / HOUR} hours between the starts of two processes is the same for both, before and after it is believed`, async (t) => {
    const { machine, start, pass, error } = await openMachine(t);
    const first = await start();
    await pass(300);
    machine.jump = jump;
    const second = await start();
    assert.deepEqual([error(first), error(second)], [0, 0]);
    await pass(300);
    const third = await start();
    await pass(290);
    assert.deepEqual([error(first), error(second), error(third)], [0, 0, 0]);
    await pass(20);
    assert.deepEqual([error(first), error(second), error(third)], [jump, jump, jump]);
  });
}

test("a clock that is set while no process runs is believed by none before it has stayed so for ten minutes", async (t) => {
  const { machine, start, pass, error } = await openMachine(t);
  const first = await start();
  await pass(60);
  first.close();
  machine.jump = 365 * 24 * HOUR;
  const second = await start();
  await pass(590);
  assert.equal(error(second), 0);
  await pass(20);
  assert.equal(error(second), machine.jump);
});

for (const [name, first, second] of [
  ["another boot id", "a", "b"],
  ["no boot id, and less time since the start", "", ""],
] as const) {
  test(`a machine that was started again begins with its own time: ${name}`, async (t) => {
    const { machine, start, pass, error } = await openMachine(t);
    machine.boot = first;
    (await start()).close();
    await pass(60);
    machine.steady = first === second ? 5_000 : 500_000;
    machine.boot = second;
    machine.jump = 5 * HOUR;
    const clock = await start();
    assert.equal(error(clock), 5 * HOUR);
    const next = await start();
    machine.jump = 0;
    assert.deepEqual([error(clock), error(next)], [5 * HOUR, 5 * HOUR]);
  });
}

test("corrections of some seconds are followed by all, and stored for later processes", async (t) => {
  const { machine, start, pass, error } = await openMachine(t);
  const first = await start();
  for (let times = 1; times <= 10; times++) {
    machine.jump -= 30_000;
    await pass(2);
    assert.equal(error(first), machine.jump);
  }
  const second = await start();
  assert.equal(error(second), machine.jump);
});

test("a reading of the server's clock that took long is not used, but the fastest of four in a row is", () => {
  const choose = makeReadingChoice();
  const at = (readAt: number, tookMs: number) => ({ time: readAt, readAt, tookMs });
  assert.deepEqual(choose(at(1, 250)), at(1, 250));
  assert.equal(choose(at(2, 6000)), undefined, "the process was stopped meanwhile");
  assert.deepEqual(choose(at(3, 20)), at(3, 20));
  for (const tookMs of [400, 300, 6000]) assert.equal(choose(at(tookMs, tookMs)), undefined);
  assert.deepEqual(choose(at(9, 500)), at(300, 300), "a distant database is not without a clock");
  assert.equal(choose(at(10, 300)), undefined);
});
