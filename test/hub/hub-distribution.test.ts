/** Notifications: to whom, when, how often, and what ends them (interface §4). */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { openNameResolution } from "../../src/outbound/name-resolution.ts";
import { type Claim, openClaims } from "../../src/store/claims.ts";
import { openStore } from "../../src/store/store.ts";
import { chosenStoreUrl } from "../support/engines.ts";
import { type HarnessOptions, type HubHarness, openHarness } from "../support/hub-harness.ts";
import {
  bodies,
  callbackOf,
  form,
  hubTest,
  newPath,
  subscribed,
  subscribers,
  told,
  withHub,
} from "../support/hub-subscribers.ts";
import { openNameServer } from "../support/name-server.ts";
import { temporaryFolder } from "../support/program.ts";
import { answer } from "../support/subscriber.ts";
import { makeTestPublisher } from "../support/test-publisher.ts";
import { until } from "../support/within.ts";

function refuse(path: string, status: number, headers: Record<string, string> = {}): void {
  subscribers.behave(path, ({ method }, response) => method === "POST" && response.writeHead(status, headers).end());
}

describe("three failures in a row", { concurrency: true }, () => {
  hubTest("remove the subscription: three attempts, and nothing after them", {}, async (hub) => {
    const path = await subscribed(hub);
    refuse(path, 500);
    hub.publisher.publish("second");
    await hub.event("subscription removed");
    assert.deepEqual(bodies(path), ["second", "second", "second"]);
    assert.deepEqual(await hub.lines(), []);
    const witness = await subscribed(hub);
    hub.publisher.publish("third");
    await told(witness, 1);
    assert.equal(bodies(path).length, 3);
  });

  hubTest(
    "count over changes too: a newer change uses the next attempt",
    { settings: { retrySeconds: [3600, 3600] } },
    async (hub) => {
      const path = await subscribed(hub);
      refuse(path, 503);
      for (const [index, text] of ["a", "b", "c"].entries()) {
        hub.publisher.publish(text);
        await hub.event("delivery failed", index + 1);
      }
      await hub.event("subscription removed");
      assert.deepEqual(bodies(path), ["a", "b", "c"]);
    },
  );

  hubTest("with a success between them are not three in a row", {}, async (hub) => {
    const path = await subscribed(hub);
    let answers = 0;
    subscribers.behave(
      path,
      ({ method }, response) => method === "POST" && response.writeHead(++answers % 3 === 0 ? 200 : 500).end(),
    );
    for (const text of ["a", "b", "c"]) {
      hub.publisher.publish(text);
      await told(path, bodies(path).length + 3);
    }
    assert.deepEqual(bodies(path), [..."aaabbbccc"]);
    assert.equal((await hub.lines()).length, 1);
  });

  hubTest("are repeated after the configured delays", { settings: { retrySeconds: [0.2, 0.5] } }, async (hub) => {
    const path = await subscribed(hub);
    refuse(path, 500);
    hub.publisher.publish("second");
    await hub.event("subscription removed");
    const [first = 0, second = 0, third = 0] = subscribers.deliveries(path).map(({ at }) => at);
    assert.ok(second - first >= 200 && third - second >= 500, `${second - first}, ${third - second}`);
  });

  hubTest("may be of any kind: no answer, redirects, hanging up", { settings: { timeoutSeconds: 3 } }, async (hub) => {
    const path = await subscribed(hub);
    let attempts = 0;
    subscribers.behave(path, ({ method }, response) => {
      if (method === "GET") return false;
      attempts++;
      if (attempts === 2) response.writeHead(307, { Location: callbackOf("/elsewhere") }).end();
      if (attempts === 3) response.destroy();
      return true;
    });
    hub.publisher.publish("second");
    await hub.event("subscription removed");
    assert.equal(attempts, 3);
    assert.equal(subscribers.deliveries("/elsewhere").length, 0);
  });
});

describe("an answer", { concurrency: true }, () => {
  hubTest("of 410 ends the subscription at once", {}, async (hub) => {
    const path = await subscribed(hub);
    refuse(path, 410);
    hub.publisher.publish("second");
    const { reason } = await hub.event("subscription removed");
    assert.match(reason ?? "", /410/);
    assert.equal(bodies(path).length, 1);
    assert.deepEqual(await hub.lines(), []);
  });

  hubTest("of 2xx acknowledges although its body never ends", { settings: { timeoutSeconds: 6 } }, async (hub) => {
    const path = await subscribed(hub);
    subscribers.behave(path, ({ method }, response) => {
      if (method === "GET") return false;
      response.writeHead(200).write("thank you");
      return true;
    });
    hub.publisher.publish("second");
    await told(path, 1);
    hub.publisher.publish("third");
    await told(path, 2);
    assert.deepEqual(bodies(path), ["second", "third"]);
    assert.equal(hub.events.filter(({ event }) => event === "delivery failed").length, 0);
  });
});

describe("changes", { concurrency: true }, () => {
  let ms = Date.now();
  const parts = { now: () => new Date(ms), limits: { intervalMs: 5000 } };
  hubTest("in a burst are combined into few notifications, the newest last", { parts }, async (hub) => {
    const path = await subscribed(hub);
    ms += 5000;
    for (let change = 1; change <= 50; change++) {
      hub.publisher.publish(String(change));
      await new Promise(setImmediate);
    }
    await told(path, 1);
    ms += 5000;
    await subscribers.until(() => bodies(path).at(-1) === "50", "it has the newest");
    assert.ok(bodies(path).length <= 2, bodies(path).join());
  });

  hubTest("that are reverted before delivery send nothing", { parts: { limits: { intervalMs: 300 } } }, async (hub) => {
    const path = await subscribed(hub);
    hub.publisher.publish("there");
    hub.publisher.publish("first");
    hub.publisher.publish("first", 9);
    hub.publisher.publish("new");
    await told(path, 1);
    assert.deepEqual(bodies(path), ["new"]);
  });

  hubTest("during a delivery are sent after it, so that the newest version arrives last", {}, async (hub) => {
    const path = await subscribed(hub);
    const held: (() => void)[] = [];
    subscribers.behave(path, (arrival, response) => {
      if (arrival.method === "POST" && held.length === 0) return held.push(() => answer(arrival, response));
      return false;
    });
    const witness = await subscribed(hub, "witness.test.localhost"); // at another host, because one that has not proven itself gets one request at a time
    hub.publisher.publish("second");
    await subscribers.until(() => held.length === 1, "a delivery is under way");
    hub.publisher.publish("third");
    await subscribers.until(() => bodies(witness).at(-1) === "third", "the witness has the newest");
    assert.deepEqual(bodies(path), ["second"]);
    held[0]?.();
    await told(path, 2);
    assert.deepEqual(bodies(path), ["second", "third"]);
  });

  test("while the program was down are delivered after its start; without a change nothing is", async () => {
    using folder = temporaryFolder();
    await using store = await openStore(await chosenStoreUrl(folder.path));
    const path = newPath();
    const first = await openHarness({ store, publisher: makeTestPublisher("one") });
    await first.subscribe(callbackOf(path));
    await first.close();
    const unchanged = await openHarness({ store, publisher: makeTestPublisher("one") });
    const witness = await subscribed(unchanged);
    await unchanged.close();
    const publisher = makeTestPublisher("one");
    publisher.publish("two");
    const second = await openHarness({ store, publisher });
    await told(path, 1);
    await told(witness, 1);
    await second.close();
    assert.deepEqual([bodies(path), bodies(witness)], [["two"], ["two"]]);
  });

  test("that were being delivered when the program stopped are delivered after its next start, and count against no subscriber", async () => {
    using folder = temporaryFolder();
    await using store = await openStore(await chosenStoreUrl(folder.path));
    const path = newPath();
    const publisher = makeTestPublisher("one");
    const first = await openHarness({ store, publisher, settings: { timeoutSeconds: 60 } });
    await first.subscribe(callbackOf(path));
    subscribers.behave(path, ({ method }) => method === "POST");
    publisher.publish("two");
    await told(path, 1);
    await first.hub.close(50);
    assert.equal((await first.lines())[0]?.failures, 0);
    subscribers.behave(path, () => false);
    const second = await openHarness({ store, publisher });
    await told(path, 2);
    await second.close();
    assert.deepEqual(bodies(path), ["two", "two"]);
  });
});

describe("our own outage", { concurrency: true }, () => {
  test("of the resolver counts against no subscriber", async () => {
    const names = await openNameServer(() => ["127.0.0.1"]);
    const resolution = openNameResolution({ servers: [names.address], hostsFile: "/nowhere", timeoutMs: 100 });
    const path = newPath();
    await withHub({ parts: { resolution } }, async (hub) => {
      await names.close();
      await hub.ask(form(callbackOf(path, "somebody.example")));
      await hub.event("local failure");
      await hub.subscribe(callbackOf(path));
      const lines = await hub.lines();
      assert.deepEqual(lines.map(({ state }) => state).sort(), ["active", "pending verification"]);
      assert.equal(hub.events.filter(({ event }) => event === "verification unanswered").length, 0);
    });
  });
});

describe("several processes on one store", { concurrency: true }, () => {
  /** Hubs with connections of their own to one store. */
  async function openHubs(
    t: TestContext,
    number: number,
    parts: NonNullable<HarnessOptions["parts"]> = {},
  ): Promise<HubHarness[]> {
    const folder = temporaryFolder();
    const hubs: HubHarness[] = [];
    t.after(async () => {
      for (const { close, store } of hubs) {
        await close();
        await store.close();
      }
      folder[Symbol.dispose]();
    });
    const url = await chosenStoreUrl(folder.path);
    for (let index = 0; index < number; index++) {
      hubs.push(await openHarness({ store: await openStore(url), parts }));
    }
    return hubs;
  }

  /** Subscribes by way of one hub; whichever verifies it. */
  async function subscribe(hub: HubHarness | undefined, callback: string): Promise<void> {
    await hub?.ask(form(callback));
    await until(async () => (await hub?.lines())?.every(({ state }) => state === "active") ?? true);
  }

  test("share the work: each subscriber is notified once", async (t) => {
    const hubs = await openHubs(t, 3);
    const paths = Array.from({ length: 30 }, newPath);
    for (const [index, path] of paths.entries()) {
      await subscribe(hubs[index % hubs.length], callbackOf(path, `h${index}.test.localhost`));
    }
    for (const text of ["second", "third"]) {
      for (const { publisher } of hubs) publisher.publish(text);
      await subscribers.until(() => paths.every((path) => bodies(path).includes(text)), "all were told");
    }
    for (const path of paths) {
      assert.deepEqual([path, ...bodies(path)], [path, "second", "third"]);
      assert.equal(subscribers.verifications(path).length, 1);
    }
  });

  test("take over what another one held, when that has ended and not before, whatever their clocks say", async (t) => {
    let skewMs = 0;
    const [hub] = await openHubs(t, 1, { now: () => new Date(Date.now() + skewMs) });
    const [path, witness] = [newPath(), newPath()];
    await subscribe(hub, callbackOf(path));
    await subscribe(hub, callbackOf(witness, "h1.test.localhost"));
    const { store, publisher } = hub as HubHarness;
    const rows = await store.database.selectFrom("subscription").select(["callback", "shard"]).execute();
    const shards = rows.map(({ shard }) => shard);
    assert.equal(new Set(shards).size, 2);
    const others = openClaims(store);
    t.after(others.close);
    // The hub gives its own claims back when it has nothing to do.
    const held: Claim[] = [];
    while (held.length < shards.length) {
      await new Promise(setImmediate);
      held.push(...(await others.take(shards)));
    }
    for (const [index, day] of [0, 1, -1, 0].entries()) {
      skewMs = day * 86_400_000;
      publisher.publish(`change ${index}`);
      await hub?.event("fan-out started", index + 1);
      assert.deepEqual([...bodies(path), ...bodies(witness)], []);
    }
    await others.release(held);
    await told(path, 1);
    await told(witness, 1);
    assert.deepEqual([bodies(path), bodies(witness)], [["change 3"], ["change 3"]]);
  });

  test("never deliver an older version than one whose fan-out has started", async (t) => {
    const [late, early] = await openHubs(t, 2);
    const [path, witness] = [newPath(), newPath()];
    await subscribe(late, callbackOf(path));
    early?.publisher.publish("newest", 9);
    await told(path, 1);
    late?.publisher.publish("older", 5);
    late?.publisher.publish("older still", 4);
    await subscribe(early, callbackOf(witness));
    early?.publisher.publish("newer than newest", 10);
    await told(path, 2);
    late?.publisher.publish("newer than newest", 10);
    late?.publisher.publish("last", 11);
    await told(path, 3);
    assert.deepEqual(bodies(path), ["newest", "newer than newest", "last"]);
    await subscribers.until(() => bodies(witness).at(-1) === "last", "the witness has the last");
  });
});
