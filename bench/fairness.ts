/**
 * What one dead host with a thousand callbacks costs the others: the time from a change to the 99th percentile of the
 * healthy being told, with and without it. `node bench/fairness.ts`.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { openStore } from "../src/store/store.ts";
import { insertActive } from "../test/support/active-subscriptions.ts";
import { openHarness } from "../test/support/hub-harness.ts";
import { openSubscribers } from "../test/support/subscriber.ts";

const HEALTHY = 300;
const DEAD = 1000;

/** Milliseconds from a change to the 99th percentile of the healthy being told, with so many dead callbacks. */
async function slowestHealthy(dead: number): Promise<number> {
  const subscribers = await openSubscribers();
  const sockets = new Set<Socket>();
  let knocks = 0;
  const silent = createServer((socket) => {
    knocks++;
    sockets.add(socket.on("error", () => {}));
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const silentPort = (silent.address() as AddressInfo).port;
  const store = await openStore("sqlite::memory:");
  const healthy = Array.from(
    { length: HEALTHY },
    (_, index) => `https://h${index % 25}.test.localhost:${subscribers.port}/${index}`,
  );
  await insertActive(store, healthy);
  await insertActive(
    store,
    Array.from({ length: dead }, () => `https://dead.test.localhost:${silentPort}/${randomUUID()}`),
  );
  const hub = await openHarness({ store, settings: { timeoutSeconds: 5, retrySeconds: [1, 1] } });
  // The first document is one that everybody has; only then a change is one.
  while ((await store.database.selectFrom("fan_out").selectAll().execute()).length < 48)
    await new Promise(setImmediate);
  // Once to begin with, while everything is new, and once more while the dead host is known to be slow.
  const delays: number[] = [];
  for (const change of [1, 2]) {
    const startedAt = Date.now();
    hub.publisher.publish(`change ${change}`);
    await subscribers.until(
      () => subscribers.deliveries().length === change * HEALTHY,
      "all healthy were told",
      30_000,
    );
    delays.push(
      ...subscribers
        .deliveries()
        .slice(-HEALTHY)
        .map(({ at }) => at - startedAt),
    );
  }
  assert.equal(knocks > 0, dead > 0, "the dead host was tried");
  assert.equal(hub.events.filter(({ event }) => event === "subscription removed").length, 0);
  await hub.hub.close(10);
  await store.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
  await subscribers.close();
  return delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.99)] ?? Number.NaN;
}

const without = await slowestHealthy(0);
const withDead = await slowestHealthy(DEAD);
console.log(`99th percentile of ${HEALTHY} healthy: ${without} ms without, ${withDead} ms with ${DEAD} dead callbacks`);
process.exit();
