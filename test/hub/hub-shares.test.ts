/** What one client can take from the others at the hub: nothing that they need (contract §4, decisions/hub-limits.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openStore, type Store } from "../../src/store/store.ts";
import { chosenStoreUrl } from "../support/engines.ts";
import { BASE_URL } from "../support/hub-harness.ts";
import {
  callbackOf,
  form,
  hubTest,
  isSignedWith,
  newPath,
  subscribers,
  told,
  withHub,
} from "../support/hub-subscribers.ts";
import { challengeOf, queryOf } from "../support/subscriber.ts";

const HONEST = "203.0.113.9";
const STRANGER = "198.51.100.7";

/** A subscriber that confirms what it has asked for, each request once (WebSub §5.3). */
function confirmRequests(path: string, requests: { mode: string; lease: string }[]): void {
  subscribers.behave(path, ({ method, target }, response) => {
    if (method !== "GET") return false;
    const query = queryOf(target);
    const index = requests.findIndex(({ mode }) => mode === query.get("hub.mode"));
    if (index >= 0) requests.splice(index, 1);
    response.writeHead(index >= 0 ? 200 : 404).end(challengeOf(target));
    return true;
  });
}

describe("a stranger's request for a callback that waits for its own verification", { concurrency: true }, () => {
  hubTest(
    "does not replace it: each is verified as its own client made it, in order",
    { startsLater: true },
    async (hub) => {
      const path = newPath();
      confirmRequests(path, [{ mode: "subscribe", lease: "7200" }]);
      const own = { "hub.secret": "own", "hub.lease_seconds": "7200" };
      await hub.ask(form(callbackOf(path), own), HONEST);
      await hub.ask(form(callbackOf(path), { "hub.secret": "stranger's", "hub.lease_seconds": "60" }), STRANGER);
      await hub.ask(form(callbackOf(path), { "hub.mode": "unsubscribe" }), "192.0.2.200");
      hub.hub.start();
      await hub.event("subscription activated");
      await hub.event("verification refused", 2);
      const asked = subscribers.verifications(path).map(({ target }) => queryOf(target));
      assert.deepEqual(
        asked.map((query) => [query.get("hub.mode"), query.get("hub.lease_seconds")]),
        [
          ["subscribe", "7200"],
          ["subscribe", "60"],
          ["unsubscribe", "864000"],
        ],
      );
      const [{ lease_ends_at } = { lease_ends_at: null }] = await hub.lines();
      assert.ok(Date.parse(lease_ends_at ?? "") > Date.now() + 3_600_000, "the lease is the one that was asked for");
      hub.publisher.publish("second");
      await told(path, 1);
      assert.ok(isSignedWith("own", subscribers.deliveries(path)[0]));
    },
  );

  hubTest(
    "does not hold it up while the stranger's own waits for others of his",
    { settings: { timeoutSeconds: 600 }, startsLater: true },
    async (hub) => {
      const path = newPath();
      const hanging = Array.from({ length: 5 }, newPath);
      for (const each of hanging) subscribers.behave(each, () => true);
      for (const each of hanging) await hub.ask(form(callbackOf(each)), STRANGER);
      await hub.ask(form(callbackOf(path), { "hub.lease_seconds": "60" }), STRANGER);
      hub.hub.start();
      await subscribers.until(
        () => hanging.filter((each) => subscribers.verifications(each).length > 0).length === 2,
        "he has his share of the host",
      );
      await hub.ask(form(callbackOf(path), { "hub.lease_seconds": "7200" }), HONEST);
      await hub.event("subscription activated");
      const asked = subscribers.verifications(path).map(({ target }) => queryOf(target).get("hub.lease_seconds"));
      assert.deepEqual(asked, ["7200"]);
    },
  );

  hubTest("from many networks at once is one verification after the other", { startsLater: true }, async (hub) => {
    const path = newPath();
    let [atOnce, mostAtOnce] = [0, 0];
    subscribers.behave(path, ({ target }, response) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      setImmediate(() => {
        atOnce--;
        response.end(challengeOf(target));
      });
    });
    for (let network = 0; network < 20; network++) await hub.ask(form(callbackOf(path)), `192.0.2.${network}`);
    hub.hub.start();
    await hub.event("subscription renewed", 19);
    assert.deepEqual([mostAtOnce, subscribers.verifications(path).length], [1, 20]);
  });
});

describe("one client's requests", { concurrency: true }, () => {
  hubTest(
    "do not fill the queue of requests that wait for verification",
    { startsLater: true, parts: { limits: { pending: 200 } } },
    async (hub) => {
      const statuses = [];
      for (let time = 0; time < 60; time++)
        statuses.push((await hub.ask(form(callbackOf(`/hangs${time}`)), STRANGER)).status);
      assert.deepEqual([statuses.indexOf(503), statuses.lastIndexOf(202)], [20, 19], "it gets a tenth");
      const refused = await hub.ask(form(callbackOf(newPath())), STRANGER);
      assert.deepEqual([refused.status, refused.headers.get("Retry-After")], [503, "60"]);
      assert.equal((await hub.ask(form(callbackOf("/hangs0")), STRANGER)).status, 202, "its own can be repeated");
      assert.equal((await hub.ask(form(callbackOf(newPath())), HONEST)).status, 202);
    },
  );

  hubTest(
    "from thirty networks leave places to clients that hold none",
    { startsLater: true, parts: { limits: { pending: 200, siteBurst: 1000 } } },
    async (hub) => {
      const ask = async (network: number) => (await hub.ask(form(callbackOf(newPath())), `192.0.2.${network}`)).status;
      const last = [];
      for (let time = 0; time < 8; time++) for (let network = 0; network < 30; network++) last.push(await ask(network));
      assert.deepEqual(last.slice(-30), Array(30).fill(503), "they have all that they get");
      for (let network = 100; network < 110; network++) assert.equal(await ask(network), 202);
    },
  );

  hubTest(
    "about a site do not count as its subscriptions while nobody has confirmed them",
    { parts: { limits: { subscriptionsOfSite: 3 } } },
    async (hub) => {
      const hanging = Array.from({ length: 9 }, newPath);
      for (const path of hanging) subscribers.behave(path, () => true);
      for (const path of hanging) assert.equal((await hub.ask(form(callbackOf(path)), STRANGER)).status, 202);
      for (let time = 0; time < 3; time++) await hub.ask(form(callbackOf(newPath())), HONEST);
      await hub.event("subscription activated", 3);
      assert.equal((await hub.ask(form(callbackOf(newPath())), HONEST)).status, 429, "of those there are three");
    },
  );

  hubTest(
    "that are confirmed at once give a site no more subscriptions than it may have",
    { startsLater: true, parts: { limits: { subscriptionsOfSite: 3 } } },
    async (hub) => {
      for (let time = 0; time < 8; time++) await hub.ask(form(callbackOf(newPath())));
      hub.hub.start();
      await hub.event("verification refused", 5);
      assert.equal((await hub.lines()).length, 3);
      assert.match((await hub.event("verification refused")).reason ?? "", /There are 3 subscriptions of this host/);
    },
  );

  hubTest(
    "about a site leave others' requests about it",
    { startsLater: true, parts: { limits: { siteBurst: 20, sitePerSecond: 0.01 } } },
    async (hub) => {
      let last = 202;
      for (let time = 0; time < 60 && last === 202; time++)
        last = (await hub.ask(form(callbackOf(newPath(), "a.shared.test"), {}), STRANGER)).status;
      assert.equal(last, 429, "the stranger has used up what the site may have");
      for (const topic of ["/feed.xml", "/api/feed.json", "/reviews.json"]) {
        const fields = form(callbackOf("/own", "b.shared.test"), { "hub.topic": BASE_URL + topic });
        assert.equal((await hub.ask(fields, HONEST)).status, 202);
      }
    },
  );
});

/** A store of which each statement takes a turn of the event loop, as one far away does, and a count of them. */
async function openFarStore(): Promise<{ store: Store; statements(): number; hold(until: Promise<void>): void }> {
  const store = await openStore(await chosenStoreUrl());
  let statements = 0;
  let held: Promise<void> = Promise.resolve();
  const database = store.database.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements++;
      await new Promise(setImmediate);
      await held;
      return result;
    },
  });
  return {
    store: { ...store, database },
    statements: () => statements,
    hold: (until) => {
      held = until;
    },
  };
}

describe("a store that is far away", () => {
  test("takes twenty requests at a time in a few statements, not a few for each", async () => {
    const { store, statements } = await openFarStore();
    await withHub({ store, startsLater: true }, async (hub) => {
      const before = statements();
      for (let round = 0; round < 3; round++) {
        const asked = Array.from({ length: 20 }, (_, index) =>
          hub.ask(form(callbackOf(newPath())), `192.0.2.${index}`),
        );
        for (const response of await Promise.all(asked)) assert.equal(response.status, 202);
      }
      const made = statements() - before;
      assert.ok(made <= 45, `${made} statements for 60 requests`);
    });
    await store.close();
  });

  test("and hangs takes only so many requests into memory, and others' although one client sends most", async () => {
    const { store, hold } = await openFarStore();
    const released = Promise.withResolvers<void>();
    await withHub({ store, startsLater: true, parts: { limits: { unstored: 40, siteBurst: 1000 } } }, async (hub) => {
      hold(released.promise);
      const statuses: number[] = [];
      const strangers = Array.from({ length: 30 }, () => hub.ask(form(callbackOf(newPath())), STRANGER));
      const settled = Promise.all(strangers.map(async (each) => statuses.push((await each).status)));
      for (let turn = 0; turn < 1000 && statuses.length < 26; turn++) await new Promise(setImmediate);
      const honest = hub.ask(form(callbackOf(newPath())), HONEST);
      await new Promise(setImmediate);
      assert.deepEqual(statuses, Array(26).fill(503));
      released.resolve();
      assert.equal((await honest).status, 202);
      await settled;
      assert.deepEqual(statuses.slice(26), Array(4).fill(202));
    });
    await store.close();
  });
});
