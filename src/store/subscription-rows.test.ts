/** What the hub asks of a store. Every engine has to pass. */
import assert from "node:assert/strict";
import { describe } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { at, intent, LEASE, NOW, storeTests, subscription, TOPIC } from "../../test/support/hub-rows.ts";
import type { Subscription } from "../subscription.ts";
import { shardsWithWork } from "./due-work-rows.ts";
import {
  advanceFanOuts,
  beginFanOut,
  type FanOut,
  type FanOutProgress,
  finishWithoutSubscribers,
  readFanOuts,
  readTag,
  readUnfinished,
  SHARDS,
  startFanOut,
  versionKey,
} from "./fan-out-rows.ts";
import { readIntent } from "./intent-rows.ts";
import type { Store } from "./store.ts";
import {
  changeSubscription,
  clampDueTimes,
  countWaiting,
  isSiteFull,
  listSubscriptions,
  makeDueNow,
  readDueDeliveries,
  readEnded,
  readListed,
  readNext,
} from "./subscription-rows.ts";

releaseEngines();
for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    const storeTest = storeTests(engine);
    function change(
      store: Store,
      id: string,
      transition: (current: Subscription | undefined) => Subscription | undefined,
    ) {
      return store.database.transaction().execute((transaction) => changeSubscription(transaction, id, transition));
    }
    const readSubscription = async (store: Store, id: string) => (await change(store, id, (current) => current)).before;
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

    storeTest("a subscription comes back as it was written", [], async (store) => {
      const owed = { secret: "s", endsAt: at(9), failures: 2, dueAt: NOW };
      for (const state of [subscription("a"), subscription("a", { lease: owed })]) {
        await change(store, "a", () => state);
        assert.deepEqual(await readSubscription(store, "a"), state);
      }
      await change(store, "a", () => undefined);
      assert.equal(await readSubscription(store, "a"), undefined);
    });

    storeTest(
      "a change tells what was before and after, and one that changes nothing writes nothing",
      [subscription("a")],
      async (store) => {
        const failed = { ...LEASE, failures: 1 };
        const { before, after } = await change(store, "a", (current) => current && { ...current, lease: failed });
        assert.deepEqual([before?.lease, after?.lease], [LEASE, failed]);
        const version = () => store.database.selectFrom("subscription").select("version").executeTakeFirstOrThrow();
        const known = await version();
        await change(store, "a", (current) => current);
        assert.deepEqual(await version(), known);
        assert.deepEqual(await change(store, "b", (current) => current), { before: undefined, after: undefined });
      },
    );

    storeTest(
      "readNext() and readListed() give leased subscriptions to which nothing is owed, in the order of their ids",
      [
        subscription("d", { lease: LEASE }),
        subscription("a", { lease: LEASE }),
        subscription("b", { lease: { ...LEASE, dueAt: NOW } }),
        subscription("c", { lease: { ...LEASE, endsAt: NOW } }),
        subscription("e", { lease: LEASE, topic: "/reviews.json" }),
        subscription("f", { lease: LEASE, shard: 4 }),
        intent("g"),
        subscription("h"),
        intent("h"),
        subscription("i", { lease: { ...LEASE, acknowledged: versionKey({ tag: "B", revision: 2 }) } }),
      ],
      async (store) => {
        const version = versionKey({ tag: "B", revision: 2 });
        const question = { topic: TOPIC, shard: 3, version, after: "", now: NOW };
        assert.deepEqual(ids(await readNext(store, question, 9)), ["a", "d", "h"]);
        assert.deepEqual(ids(await readNext(store, question, 1)), ["a"]);
        assert.deepEqual(ids(await readNext(store, { ...question, after: "a" }, 9)), ["d", "h"]);
        assert.deepEqual(ids(await readListed(store, question, ["h", "b", "c", "i", "a", "none"])), ["a", "h"]);
        const later = { ...question, after: "d", version: versionKey({ tag: "B", revision: 3 }) };
        assert.deepEqual(ids(await readNext(store, later, 9)), ["h", "i"], "the same bytes as a later version");
      },
    );

    storeTest(
      "readDueDeliveries() gives what is due, the longest waiting first, but not what is left out",
      [
        subscription("a", { lease: { ...LEASE, dueAt: at(-1) } }),
        subscription("b", { lease: { ...LEASE, dueAt: at(-5) } }),
        subscription("c", { lease: { ...LEASE, dueAt: at(1) } }),
        subscription("d", { lease: { ...LEASE, dueAt: at(-1) }, topic: "/reviews.json" }),
        ...[intent("a", { client: "x" }), intent("a", { client: "y" }), intent("b")],
      ],
      async (store) => {
        const question = { shard: 3, now: NOW, topics: [TOPIC], exceptOrigins: [] };
        assert.deepEqual(ids(await readDueDeliveries(store, question, 9)), ["b", "a"]);
        assert.deepEqual(
          ids(await readDueDeliveries(store, { ...question, exceptOrigins: ["https://b.example"] }, 9)),
          ["a"],
        );
        assert.deepEqual(ids(await readDueDeliveries(store, { ...question, topics: [] }, 9)), []);
        assert.deepEqual(await countWaiting(store), { pending: 3, owed: 4, oldestDueAt: at(-5) });
        await store.database.transaction().execute((transaction) => makeDueNow(transaction, TOPIC, NOW));
        assert.deepEqual(ids(await readDueDeliveries(store, question, 9)), ["b", "a", "c"]);
      },
    );

    storeTest(
      "readEnded() gives ended leases, and isSiteFull() counts subscriptions, not requests that nobody has confirmed",
      [
        subscription("a", { lease: { ...LEASE, endsAt: at(-1) } }),
        subscription("b"),
        subscription("c", { site: "other" }),
        ...["d", "e", "f"].map((id) => intent(id)),
      ],
      async (store) => {
        assert.deepEqual(ids(await readEnded(store, NOW, 9)), ["a"]);
        const isFull = (max: number) => isSiteFull(store.database, "example", max);
        assert.deepEqual([await isFull(1), await isFull(2), await isFull(3)], [true, true, false]);
      },
    );

    storeTest(
      "listSubscriptions() names every state, and of the callback no more than its host",
      [
        subscription("a", { lease: { ...LEASE, failures: 2, dueAt: NOW } }),
        intent("b"),
        ...[subscription("c"), intent("c", { client: "x", mode: "unsubscribe", dueAt: at(9) }), intent("c")],
        ...[subscription("d"), intent("d", { mode: "unsubscribe" })],
        subscription("e", { lease: { ...LEASE, endsAt: NOW } }),
      ],
      async (store) => {
        const lines = await listSubscriptions(store, NOW);
        assert.deepEqual(
          lines.map(({ callback_host, state, failures }) => [callback_host, state, failures]),
          [
            ["a.example", "active", 2],
            ["b.example", "pending verification", 0],
            ["c.example", "renewing", 0],
            ["d.example", "awaiting unsubscribe verification", 0],
          ],
        );
        assert.deepEqual(
          lines.map(({ lease_ends_at }) => lease_ends_at !== null),
          [true, false, true, true],
        );
        assert.deepEqual(
          lines.map(({ next_attempt_at }) => next_attempt_at),
          Array(4).fill(NOW.toISOString()),
        );
        assert.ok(!JSON.stringify(lines).includes("secret"));
      },
    );

    storeTest(
      "a fan-out begins finished, starts once for each change, and continues where it was",
      [],
      async (store) => {
        const { database } = store;
        const first = { tag: "A", revision: 1 };
        const next = { tag: "B", revision: 2 };
        await beginFanOut(database, TOPIC, first, NOW);
        await beginFanOut(database, TOPIC, next, at(1));
        assert.deepEqual(await readTag(database, TOPIC), first);
        const all = async () => (await readFanOuts(store)).filter(({ finished }) => !finished).length;
        assert.deepEqual([(await readFanOuts(store)).length, await all()], [SHARDS, 0]);
        assert.equal(await startFanOut(database, TOPIC, { previous: first, next, now: at(1) }), true);
        assert.equal(
          await startFanOut(database, TOPIC, { previous: first, next: { tag: "C", revision: 3 }, now: at(1) }),
          false,
        );
        assert.deepEqual([await readTag(database, TOPIC), await all()], [next, SHARDS]);

        const here = async () => (await readFanOuts(store)).find(({ shard }) => shard === 5);
        const start = await here();
        assert.ok(start);
        const advance = (from: FanOut, to: FanOutProgress) => advanceFanOuts(database, [{ from, to }]);
        await advance(start, { cursor: "m", unfinished: ["b", "k"], finished: false });
        assert.equal((await here())?.cursor, "m");
        assert.deepEqual(await readUnfinished(store, start), ["b", "k"]);
        await advance(start, { cursor: "z", unfinished: [], finished: true });
        assert.equal((await here())?.cursor, "m", "progress is not recorded twice from the same place");
        await advance({ ...start, cursor: "m", revision: 1 }, { cursor: "z", unfinished: [], finished: true });
        assert.equal((await here())?.finished, false, "nor that of another revision");
        const other = (await readFanOuts(store)).find(({ shard }) => shard === 6);
        assert.ok(other);
        await advanceFanOuts(database, [
          { from: { ...start, cursor: "m" }, to: { cursor: "z", unfinished: [], finished: true } },
          { from: other, to: { cursor: "c", unfinished: ["a"], finished: false } },
        ]);
        assert.equal((await here())?.finished, true);
        assert.deepEqual(await readUnfinished(store, other), ["a"]);
      },
    );

    storeTest(
      "finishWithoutSubscribers() finishes a fan-out in the shards without a subscription",
      [
        subscription("a", { shard: 3, lease: LEASE }),
        intent("b", { shard: 5 }),
        subscription("c", { shard: 7, topic: "/feed.json", lease: LEASE }),
      ],
      async (store) => {
        const { database } = store;
        const first = { tag: "A", revision: 1 };
        for (const topic of [TOPIC, "/feed.json"]) {
          await beginFanOut(database, topic, first, NOW);
          await startFanOut(database, topic, { previous: first, next: { tag: "B", revision: 2 }, now: at(1) });
        }
        await finishWithoutSubscribers(database, TOPIC);
        const unfinished = (await readFanOuts(store)).filter(({ finished }) => !finished);
        const shardsOf = (topic: string) =>
          unfinished.filter((fanOut) => fanOut.topic === topic).map(({ shard }) => shard);
        if (engine.name === "PostgreSQL") assert.equal(shardsOf(TOPIC).length, SHARDS);
        else
          assert.deepEqual(shardsOf(TOPIC), [3], "a subscription that is confirmed later compares with the document");
        assert.equal(shardsOf("/feed.json").length, SHARDS, "another topic's is left alone");
      },
    );

    storeTest(
      "clampDueTimes() makes due what was put off before the clock was set back by a year, and nothing else",
      [
        subscription("a", { lease: { ...LEASE, failures: 1, dueAt: at(365 * 86_400) } }),
        intent("b", { dueAt: at(365 * 86_400) }),
        subscription("c", { lease: { ...LEASE, failures: 1, dueAt: at(30 * 86_400) } }),
        subscription("d", { lease: LEASE }),
      ],
      async (store) => {
        assert.equal(await clampDueTimes(store, NOW), 2);
        const dueAt = async (id: string) => {
          const dueAt = (await readSubscription(store, id))?.lease.dueAt;
          return (dueAt ?? (await readIntent(store, intent(id)))?.dueAt)?.toISOString();
        };
        assert.deepEqual(
          [await dueAt("a"), await dueAt("b"), await dueAt("c"), await dueAt("d")],
          [NOW.toISOString(), NOW.toISOString(), at(30 * 86_400).toISOString(), undefined],
        );
        assert.equal(await clampDueTimes(store, NOW), 0);
      },
    );

    storeTest(
      "shardsWithWork() finds the shards with work for these documents",
      [
        intent("a", { shard: 1, dueAt: NOW }),
        subscription("b", { shard: 2, lease: { ...LEASE, dueAt: NOW } }),
        intent("c", { shard: 3, dueAt: at(1) }),
        subscription("d", { shard: 4, lease: { ...LEASE, dueAt: NOW }, topic: "/reviews.json" }),
      ],
      async (store) => {
        const find = async (topics: readonly string[], tags: readonly string[]) =>
          (await shardsWithWork(store, { now: NOW, topics, tags })).toSorted((one, other) => one.shard - other.shard);
        const toVerify = { shard: 1, verifications: true, deliveries: false };
        const owed = { shard: 2, verifications: false, deliveries: true };
        assert.deepEqual(await find([], []), [toVerify]);
        assert.deepEqual(await find([TOPIC], ["B"]), [toVerify, owed]);
        const first = { tag: "A", revision: 1 };
        await beginFanOut(store.database, TOPIC, first, NOW);
        await startFanOut(store.database, TOPIC, { previous: first, next: { tag: "B", revision: 2 }, now: NOW });
        assert.equal((await find([TOPIC], ["B"])).length, SHARDS);
        assert.deepEqual((await find([TOPIC], ["B"]))[0], { shard: 0, verifications: false, deliveries: false });
        assert.deepEqual(await find([TOPIC], ["A"]), [toVerify, owed]);
      },
    );
  });
}
