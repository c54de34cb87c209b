/** A fan-out to a hundred hosts with the true limits, over the callback client's pool (decisions/hub-limits.md). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openConnectionPool } from "../callback/connection-pool.ts";
import { makeHostLimiter, type Outcome, type Ticket } from "./host-limiter.ts";
import { HUB_LIMITS, makeBreakers } from "./hub-limits.ts";

const HOSTS = 100;
const DELIVERIES_OF_HOST = 20;
const ANSWERS_IN_MS = 50;
const INDICES_BY_ID = Array.from({ length: HOSTS * DELIVERIES_OF_HOST }, (_, index) => index).toSorted((one, other) =>
  idOf(one).localeCompare(idOf(other)),
);

function idOf(index: number): string {
  return createHash("sha256").update(String(index)).digest("hex");
}

/** A hub's limiter and pool under a clock of the test. */
function openScene() {
  let ms = 0;
  const clock = () => ms;
  const counts = { opened: 0, running: 0 };
  const pool = openConnectionPool(HUB_LIMITS.total, clock, () => {});
  const answers = new Map<() => void, number>();
  const limiter = makeHostLimiter(HUB_LIMITS, makeBreakers(HUB_LIMITS, clock), clock, {
    connectionsSuffice: pool.suffices,
  });
  function deliver(host: number): Ticket {
    const origin = `https://h${host}.example`;
    return limiter.enter({
      ...{ id: origin, origin, site: origin },
      async run(gate): Promise<Outcome> {
        if (!gate.claim(`192.0.2.${host}`)) return "busy";
        const idle = pool.take(origin);
        if (idle === undefined) counts.opened++;
        const connection = idle ?? pool.add({ origin });
        const { promise, resolve } = Promise.withResolvers<Outcome>();
        answers.set(() => resolve("good"), ms + ANSWERS_IN_MS + (counts.running++ % 7));
        const outcome = await promise;
        pool.release(connection);
        return outcome;
      },
    });
  }
  async function pass(duration: number): Promise<void> {
    for (const endsAt = ms + duration; ms < endsAt; ms++) {
      if (ms % 100 === 0) limiter.tick();
      for (const [answer, at] of answers) {
        if (at > ms) continue;
        answers.delete(answer);
        answer();
      }
      await setImmediate();
    }
  }
  /** Delivers to every host, in the order of the ids; returns how long that took, and the number of connections opened. */
  async function fanOut() {
    const [before, begunAt] = [counts.opened, ms];
    let tookMs = 0;
    const ends = INDICES_BY_ID.map((index) => deliver(index % HOSTS).end);
    for (const end of ends) void end.then(() => (tookMs = ms - begunAt));
    await pass(2000);
    await Promise.all(ends);
    return { tookMs, opened: counts.opened - before };
  }
  return fanOut;
}

test("a fan-out to a hundred hosts uses the connections that the one before it opened, and all of its requests", async () => {
  const fanOut = openScene();
  await fanOut();
  for (let time = 0; time < 3; time++) {
    const { tookMs, opened } = await fanOut();
    assert.equal(opened, 0);
    const leastMs = (HOSTS * DELIVERIES_OF_HOST * ANSWERS_IN_MS) / (HUB_LIMITS.total - HUB_LIMITS.slowLane);
    assert.ok(tookMs < 1.4 * leastMs, `${tookMs} of at least ${leastMs} ms`);
  }
});
