/** One dead host with a thousand callbacks keeps nobody waiting: the others are told while it still says nothing. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { HUB_LIMITS } from "../src/hub/limits/hub-limits.ts";
import { openStore } from "../src/store/store.ts";
import { insertActive } from "./active-subscriptions.ts";
import { chosenStoreUrl } from "./engines.ts";
import { openHarness } from "./hub-harness.ts";
import { openSubscribers } from "./subscriber.ts";

const HEALTHY = 300;
const DEAD = 1000;

/** A host that takes connections and never says a word on them. */
async function openSilentHost() {
  const sockets = new Set<Socket>();
  let mostAtOnce = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    mostAtOnce = Math.max(mostAtOnce, sockets.size);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    mostAtOnce: () => mostAtOnce,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("healthy subscribers are notified before a dead host's first attempts end, and the host takes no more than its share", async (t) => {
  const subscribers = await openSubscribers();
  const silent = await openSilentHost();
  const store = await openStore(await chosenStoreUrl());
  const healthy = Array.from({ length: HEALTHY }, (_, index) => `/${index}`);
  await insertActive(
    store,
    healthy.map((path, index) => `https://h${index % 25}.test.localhost:${subscribers.port}${path}`),
  );
  await insertActive(
    store,
    Array.from({ length: DEAD }, () => `https://dead.test.localhost:${silent.port}/${randomUUID()}`),
  );
  // The deadline lies beyond the test's end: whoever waits for one attempt with the dead host waits in vain.
  const hub = await openHarness({ store, settings: { timeoutSeconds: 600 } });
  t.after(async () => {
    await hub.hub.close(10);
    await store.close();
    silent.close();
    await subscribers.close();
  });
  // The first document is one that everybody has; only then a change is one.
  while ((await store.database.selectFrom("fan_out").selectAll().execute()).length < 48)
    await new Promise(setImmediate);
  // Once to begin with, while everything is new, and once more while the dead host's attempts are still under way.
  for (const change of [1, 2]) {
    hub.publisher.publish(`change ${change}`);
    const isTold = () => subscribers.deliveries().length === change * HEALTHY;
    await subscribers.until(isTold, `all healthy were told of change ${change}`);
    for (const path of healthy) assert.equal(subscribers.deliveries(path).length, change);
  }
  assert.equal(hub.events.filter(({ event }) => event === "delivery failed").length, 0, "no attempt has ended yet");
  assert.ok(silent.mostAtOnce() >= 1 && silent.mostAtOnce() <= HUB_LIMITS.perHost, `${silent.mostAtOnce()} at once`);
});
