/**
 * Interface §4, *What may repeat*, in virtual time: histories that a seed chooses (`node qa/simulation.ts` runs as many
 * as wanted), and some that have led to repeated or lost deliveries.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Happening, HappeningKind, Plan } from "../support/simulation/history-plan.ts";
import { type History, runHistory } from "../support/simulation/hub-history.ts";
import { IS_WHOLE } from "../support/test-runs.ts";

const HISTORIES = IS_WHOLE ? 30 : 12;
const SEEDS = Array.from({ length: 2 }, (_, index) => index);

function happens(kind: HappeningKind, at: number, ms = 0): Happening {
  return { kind, at, ms, pick: 0 };
}

/** One process, and 300 subscribers on 40 hosts that answer soon. */
const CROWD: Partial<Plan> = {
  ...{ engine: "SQLite", distanceMs: 0, processes: 1, places: 32, subscribers: 300, faultyShare: 0 },
  hosts: Array.from({ length: 40 }, () => ({ latencyMs: 30 })),
};

/** When the fan-out of a change at 0 starts, at the latest. */
const FAN_OUT_AT = 1150;

/** Runs a plan with several seeds. */
async function runPlan(plan: Partial<Plan>): Promise<History[]> {
  const histories: History[] = [];
  for (const seed of SEEDS) {
    const history = await runHistory(seed, { plan });
    assert.deepEqual(history.violations, [], `with the seed ${seed}`);
    histories.push(history);
  }
  return histories;
}

function sumOf(histories: readonly History[], figure: "deliveries" | "repeated"): number {
  return histories.reduce((sum, history) => sum + history[figure], 0);
}

test(`${HISTORIES} histories of starved, killed and stopped processes break nothing that the interface promises`, async () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { violations, description } = await runHistory(seed);
    assert.deepEqual(violations, [], `node qa/simulation.ts 1 ${seed}: ${description}`);
  }
});

test("a write lock that another command holds for seven seconds in a fan-out has nobody notified twice", async () => {
  for (const engine of ["SQLite", "PostgreSQL"] as const) {
    const happenings = [happens("change", 0), happens("write lock held", FAN_OUT_AT + 100, 7000)];
    const histories = await runPlan({ ...CROWD, engine, processes: 2, faultyShare: 0.05, happenings });
    assert.equal(sumOf(histories, "repeated"), 0);
  }
});

test("a way to the database that holds everything for twelve seconds has nobody notified twice", async () => {
  const happenings = [happens("change", 0), happens("way held", FAN_OUT_AT + 600, 12_000)];
  const hosts = Array.from({ length: 40 }, () => ({ latencyMs: 300 }));
  const plan: Partial<Plan> = { ...CROWD, engine: "PostgreSQL", processes: 2, hosts, faultyShare: 0.05, happenings };
  assert.equal(sumOf(await runPlan(plan), "repeated"), 0);
});

test("a kill repeats no more deliveries than a process may have in progress and unrecorded", async () => {
  const locked = happens("write lock held", FAN_OUT_AT + 100, 3000);
  const histories = await runPlan({
    ...CROWD,
    happenings: [happens("change", 0), locked, happens("killed", FAN_OUT_AT + 800)],
  });
  for (const { repeated } of histories) assert.ok(repeated <= 32, `${repeated} deliveries were repeated`);
  assert.ok(sumOf(histories, "repeated") > 0);
});

test("a kill repeats the deliveries of a second at most, however long nothing could be recorded", async () => {
  const hosts = [{ latencyMs: 300 }]; // some 13 deliveries a second
  const locked = happens("write lock held", FAN_OUT_AT + 100, 5000);
  const happenings = [happens("change", 0), locked, happens("killed", FAN_OUT_AT + 4500)];
  const histories = await runPlan({ ...CROWD, hosts, subscribers: 60, places: 60, happenings });
  for (const { repeated } of histories) assert.ok(repeated <= 18, `${repeated} deliveries were repeated`);
});

test("a process that stood still for ten seconds delivers nothing under locks that have ended", async () => {
  const happenings = [happens("change", 0), happens("stands still", FAN_OUT_AT + 600, 10_000)];
  const hosts = Array.from({ length: 40 }, () => ({ latencyMs: 300 }));
  const histories = await runPlan({ ...CROWD, engine: "PostgreSQL", processes: 2, hosts, happenings });
  assert.ok(sumOf(histories, "deliveries") >= SEEDS.length * 300);
});

test("who takes over a shard while the content changes delivers the newest", async () => {
  const plan: Partial<Plan> = { ...CROWD, engine: "PostgreSQL", distanceMs: 40, processes: 4, subscribers: 30 };
  for (let killedAt = 2700; killedAt <= 3300; killedAt += 100) {
    const changes = [happens("change", 0), happens("change", 3000)];
    await runPlan({ ...plan, happenings: [...changes, happens("killed", killedAt)] });
  }
});
