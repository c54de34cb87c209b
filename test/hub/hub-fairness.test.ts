/** Dead hosts with very many callbacks keep nobody waiting: the others are told while they still say nothing. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { parseCallback, subscriptionId } from "../../src/hub/callback/callback-url.ts";
import { HUB_LIMITS } from "../../src/hub/limits/hub-limits.ts";
import { parseAddressRanges } from "../../src/outbound/address-class.ts";
import { saveIntents } from "../../src/store/intent-rows.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { insertActive } from "../support/active-subscriptions.ts";
import { chosenStoreUrl } from "../support/engines.ts";
import { openHarness } from "../support/hub-harness.ts";
import { listening } from "../support/loopback.ts";
import { openSubscribers } from "../support/subscriber.ts";

const HEALTHY = 300;
const DEAD = 1000;

/** A host that takes connections and never says a word on them. */
async function openSilentHost() {
  let [atOnce, mostAtOnce] = [0, 0];
  const server = createServer((socket) => {
    socket.on("close", () => atOnce--);
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
  });
  return { ...(await listening(server)), mostAtOnce: () => mostAtOnce };
}

/** The names of the first hosts whose callbacks are in this shard. */
function hostsInShard(shard: number, count: number): string[] {
  const hosts: string[] = [];
  for (let index = 0; hosts.length < count; index++) {
    const host = `s${index}.test.localhost`;
    if (callbackOf(`https://${host}/`).shard === shard) hosts.push(host);
  }
  return hosts;
}

function callbackOf(text: string) {
  const callback = parseCallback(text, parseAddressRanges(["127.0.0.0/8"]));
  assert.ok(typeof callback !== "string");
  return callback;
}

/** Writes requests to subscribe into the store, all by another client than the harness is. */
async function insertPending({ database }: Store, callbacks: readonly string[]): Promise<void> {
  const asked = { mode: "subscribe", secret: undefined, leaseSeconds: 3600, knownTag: "x" } as const;
  const due = { client: "another", attempts: 0, askedAt: new Date(), dueAt: new Date(0) };
  const intents = callbacks.map((text) => {
    const { url, origin, site, shard } = callbackOf(text);
    const id = subscriptionId("/feed.xml", url);
    return { id, token: id, topic: "/feed.xml", callback: url, origin, site, shard, ...asked, ...due };
  });
  await saveIntents(database, intents);
}

/** A hub with a silent host and subscribers. Nobody's attempt with the silent host ends: who waits for it waits in vain. */
async function openScene(
  t: TestContext,
  insert: (store: Store, ports: { healthy: number; silent: number }) => Promise<void>,
) {
  const [subscribers, silent] = await Promise.all([openSubscribers(), openSilentHost()]);
  const store = await openStore(await chosenStoreUrl());
  await insert(store, { healthy: subscribers.port, silent: silent.port });
  const hub = await openHarness({ store, settings: { timeoutSeconds: 600 } });
  t.after(async () => {
    await hub.hub.close(10);
    await store.close();
    await silent.close();
    await subscribers.close();
  });
  return { subscribers, store, hub, silent };
}

/** The same, and names of hosts in one shard: a healthy one and ten that are silent. */
async function openShardScene(t: TestContext) {
  const [healthy = "", ...dead] = hostsInShard(3, 11);
  return { ...(await openScene(t, async () => {})), healthy, dead };
}

test("healthy subscribers are notified before a dead host's first attempts end, and the host takes no more than its share", async (t) => {
  const healthy = Array.from({ length: HEALTHY }, (_, index) => `/${index}`);
  const { subscribers, silent, hub } = await openScene(t, async (opened, ports) => {
    await insertActive(
      opened,
      healthy.map((path, index) => `https://h${index % 25}.test.localhost:${ports.healthy}${path}`),
    );
    await insertActive(
      opened,
      Array.from({ length: DEAD }, () => `https://dead.test.localhost:${ports.silent}/${randomUUID()}`),
    );
  });
  await hub.isWatching();
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

test("a delivery is repeated while the fan-out to a dead host of the same shard is under way", async (t) => {
  const { subscribers, store, hub, silent, healthy, dead } = await openShardScene(t);
  await hub.subscribe(`https://${healthy}:${subscribers.port}/a`);
  await insertActive(
    store,
    Array.from({ length: DEAD }, () => `https://${dead[0]}:${silent.port}/${randomUUID()}`),
  );
  let refusals = 0;
  subscribers.behave("/a", ({ method }, response) => {
    if (method !== "POST" || refusals++ > 0) return false;
    response.writeHead(503).end();
    return true;
  });
  hub.publisher.publish("a change");
  await subscribers.until(() => subscribers.deliveries("/a").length === 2, "the delivery was repeated");
});

test("owed deliveries to dead hosts keep no other owed delivery of the shard waiting", async (t) => {
  const { subscribers, store, hub, silent, healthy, dead } = await openShardScene(t);
  await hub.subscribe(`https://${healthy}:${subscribers.port}/a`);
  hub.publisher.publish("a change that is delivered, so that the host has proven itself");
  await hub.event("delivered");
  const owed = dead.flatMap((host) => Array.from({ length: 300 }, (_, i) => `https://${host}:${silent.port}/${i}`));
  await insertActive(store, owed);
  const owe = (dueAt: Date) => store.database.updateTable("subscription").set({ due_at: dueAt.toISOString() });
  await owe(new Date(0)).where("origin", "not like", `%${healthy}%`).execute();
  await owe(new Date()).where("origin", "like", `%${healthy}%`).execute();
  await subscribers.until(() => subscribers.deliveries("/a").length === 2, "the owed delivery was made");
});

test("a client's requests for dead callbacks keep nobody's verification of the shard waiting", async (t) => {
  const { subscribers, store, hub, silent, healthy, dead } = await openShardScene(t);
  const callbacks = dead.flatMap((host) =>
    Array.from({ length: 60 }, (_, index) => `https://${host}:${silent.port}/${index}`),
  );
  await insertPending(store, callbacks);
  await hub.subscribe(`https://${healthy}:${subscribers.port}/a`);
});
