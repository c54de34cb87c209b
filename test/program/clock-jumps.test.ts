/**
 * The machine's clock jumps a year ahead or a day back while everything runs: leases, due deliveries and limits of the hub,
 * sessions of agents, and the dates of answers.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeSessions } from "../../src/mcp/protocol/session-ids.ts";
import { openSteadyClock } from "../../src/store/engine/steady-clock.ts";
import { BASE_URL, openHarness } from "../support/hub-harness.ts";
import { openSubscribers } from "../support/subscriber.ts";

const DAY_MS = 86_400_000;

for (const [name, jumpMs] of [
  ["a year ahead", 365 * DAY_MS],
  ["a day back", -DAY_MS],
] as const) {
  test(`a clock that jumps ${name} and back ends no lease, delays no delivery and changes no limit`, async (t) => {
    let jumped = 0;
    const machine = () => Date.now() + jumped;
    const clock = openSteadyClock({ machine, steady: () => performance.now() });
    const harness = await openHarness({
      settings: { retrySeconds: [1, 1] },
      parts: { now: clock.now, limits: { clientBurst: 5, clientPerSecond: 0.001 } },
    });
    const subscribers = await openSubscribers();
    t.after(async () => void (await Promise.all([harness.close(), subscribers.close()])));
    const callback = (path: string) => `https://localhost:${subscribers.port}${path}`;
    const ask = async (path: string) => {
      const topic = { "hub.mode": "subscribe", "hub.topic": `${BASE_URL}/feed.xml`, "hub.callback": callback(path) };
      return (await harness.ask(topic)).status;
    };
    const sessions = makeSessions({
      keys: [{ secret: randomBytes(32), made_at: new Date(0) }],
      now: clock.now,
      randomBytes,
    });
    const session = sessions.open();
    await harness.subscribe(callback("/steady"));
    await harness.subscribe(callback("/failing"));
    let failures = 0;
    subscribers.behave("/failing", ({ method }, response) => {
      if (method !== "POST" || failures > 0) return false;
      failures += 1;
      return response.writeHead(500).end();
    });
    harness.publisher.publish("before the jump");
    await harness.event("delivery failed");
    const delivered = (path: string, text: string) =>
      subscribers.deliveries(path).some(({ body }) => body.toString().endsWith(text));

    const ends = async () => {
      const rows = await harness.store.database
        .selectFrom("subscription")
        .select(["callback", "lease_ends_at"])
        .execute();
      return rows
        .filter(({ callback: url }) => /steady|failing/.test(url))
        .toSorted((a, b) => (a.callback < b.callback ? -1 : 1));
    };
    const endsBefore = await ends();
    for (const by of [jumpMs, 0]) {
      jumped = by;
      assert.ok(Math.abs(clock.now().getTime() - Date.now()) < 5_000, "the clock goes on as before");
      harness.publisher.publish(`at ${by}`);
      for (const path of ["/steady", "/failing"])
        await subscribers.until(() => delivered(path, `at ${by}`), `${path} hears at ${by}`);
      assert.equal(sessions.accepts(session), true);
      assert.equal(sessions.accepts(sessions.open()), true);
      assert.equal(await ask(`/new-${by}`), 202);
    }
    assert.equal(await ask("/another"), 202);
    for (const by of [jumpMs, 0]) {
      jumped = by;
      assert.equal(await ask("/too-many"), 429, "the limit of a client is what it was");
    }
    assert.equal(endsBefore.length, 2);
    assert.deepEqual(await ends(), endsBefore);
    const bad = harness.events.filter(({ event }) => ["lease ended", "subscription removed", "fault"].includes(event));
    assert.deepEqual(bad, []);
  });
}
