/** What the hub asks of a store. Every engine has to pass. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import type { Intent, Lease, Subscription } from "../subscription.ts";
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
import type { Store } from "./store.ts";
import {
  changeSubscription,
  clampDueTimes,
  clientAtOrigin,
  countOfSite,
  countWaiting,
  listSubscriptions,
  makeDueNow,
  readDueDeliveries,
  readDueVerifications,
  readEnded,
  readListed,
  readNext,
  readSubscription,
} from "./subscription-rows.ts";

releaseEngines();
const NOW = new Date("2026-11-20T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const TOPIC = "/feed.xml";

const intent: Intent = {
  mode: "subscribe",
  token: "t",
  secret: "s",
  leaseSeconds: 60,
  knownTag: "A",
  client: "c",
  attempts: 0,
  askedAt: NOW,
  dueAt: NOW,
};
const lease: Lease = { secret: undefined, endsAt: at(60), failures: 0, dueAt: undefined };

function subscription(id: string, rest: Partial<Subscription>): Subscription {
  const origin = `https://${id}.example`;
  return { id, shard: 3, topic: TOPIC, callback: `${origin}/secret`, origin, site: "example", ...rest };
}

for (const { name, open } of ENGINES) {
  describe(`${name}:`, () => {
    /** Runs a test on a store with subscriptions in it. */
    function withRows(rows: readonly Subscription[], run: (store: Store) => Promise<void>): () => Promise<void> {
      return async () => {
        const store = await open();
        try {
          for (const row of rows) await change(store, row.id, () => row);
          await run(store);
        } finally {
          await store.close();
        }
      };
    }
    function change(
      store: Store,
      id: string,
      transition: (current: Subscription | undefined) => Subscription | undefined,
    ) {
      return store.database.transaction().execute((transaction) => changeSubscription(transaction, id, transition));
    }
    const ids = (rows: readonly Subscription[]) => rows.map(({ id }) => id);

    test(
      "a subscription comes back as it was written, in each of its states",
      withRows([], async (store) => {
        const states = [
          subscription("a", { intent }),
          subscription("a", { intent, lease }),
          subscription("a", { lease }),
        ];
        for (const state of states) {
          await change(store, "a", () => state);
          assert.deepEqual(await readSubscription(store, "a"), state);
        }
        await change(store, "a", () => undefined);
        assert.equal(await readSubscription(store, "a"), undefined);
      }),
    );

    test(
      "a change tells what was before and after, and one that changes nothing writes nothing",
      withRows([subscription("a", { lease })], async (store) => {
        const { before, after } = await change(store, "a", (current) => current && { ...current, intent });
        assert.deepEqual([before?.intent, after?.intent], [undefined, intent]);
        const version = () => store.database.selectFrom("subscription").select("version").executeTakeFirstOrThrow();
        const known = await version();
        await change(store, "a", (current) => current);
        assert.deepEqual(await version(), known);
        assert.deepEqual(await change(store, "b", (current) => current), { before: undefined, after: undefined });
      }),
    );

    test(
      "readNext() and readListed() give leased subscriptions to which nothing is owed, in the order of their ids",
      withRows(
        [
          subscription("d", { lease }),
          subscription("a", { lease }),
          subscription("b", { lease: { ...lease, dueAt: NOW } }),
          subscription("c", { lease: { ...lease, endsAt: NOW } }),
          subscription("e", { lease, topic: "/reviews.json" }),
          subscription("f", { lease, shard: 4 }),
          subscription("g", { intent }),
          subscription("h", { lease, intent }),
          subscription("i", { lease: { ...lease, acknowledged: versionKey({ tag: "B", revision: 2 }) } }),
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
      ),
    );

    test(
      "readDueDeliveries() and readDueVerifications() give what is due, the longest waiting first, but not those left out",
      withRows(
        [
          subscription("a", { lease: { ...lease, dueAt: at(-1) } }),
          subscription("b", { lease: { ...lease, dueAt: at(-5) } }),
          subscription("c", { lease: { ...lease, dueAt: at(1) } }),
          subscription("d", { lease: { ...lease, dueAt: at(-1) }, topic: "/reviews.json" }),
          subscription("e", { intent: { ...intent, dueAt: at(-1) } }),
          subscription("f", { intent: { ...intent, dueAt: at(-2) } }),
          subscription("g", { intent: { ...intent, dueAt: at(1) } }),
        ],
        async (store) => {
          const question = { shard: 3, now: NOW, topics: [TOPIC], exceptOrigins: [] };
          assert.deepEqual(ids(await readDueDeliveries(store, question, 9)), ["b", "a"]);
          assert.deepEqual(
            ids(await readDueDeliveries(store, { ...question, exceptOrigins: ["https://b.example"] }, 9)),
            ["a"],
          );
          assert.deepEqual(ids(await readDueDeliveries(store, { ...question, topics: [] }, 9)), []);
          assert.deepEqual(ids(await readDueVerifications(store, { ...question, exceptClients: [] }, 9)), ["f", "e"]);
          const exceptClients = [clientAtOrigin({ origin: "https://f.example", client: "c" })];
          assert.deepEqual(ids(await readDueVerifications(store, { ...question, exceptClients }, 9)), ["e"]);
          const others = [clientAtOrigin({ origin: "https://f.example", client: "another" })];
          assert.deepEqual(ids(await readDueVerifications(store, { ...question, exceptClients: others }, 9)), [
            "f",
            "e",
          ]);
          const oldestDueAt = new Date(NOW.getTime() - 5_000);
          assert.deepEqual(await countWaiting(store), { pending: 3, owed: 4, oldestDueAt });
          await store.database.transaction().execute((transaction) => makeDueNow(transaction, TOPIC, NOW));
          assert.deepEqual(ids(await readDueDeliveries(store, question, 9)), ["b", "a", "c"]);
        },
      ),
    );

    test(
      "readEnded() and countOfSite() count what is there",
      withRows(
        [
          subscription("a", { lease: { ...lease, endsAt: at(-1) } }),
          subscription("b", { lease }),
          subscription("c", { intent, site: "other" }),
        ],
        async (store) => {
          assert.deepEqual(ids(await readEnded(store, NOW, 9)), ["a"]);
          assert.deepEqual([await countOfSite(store, "example", 9), await countOfSite(store, "example", 1)], [2, 1]);
        },
      ),
    );

    test(
      "listSubscriptions() names every state, and of the callback no more than its host",
      withRows(
        [
          subscription("a", { lease: { ...lease, failures: 2, dueAt: NOW } }),
          subscription("b", { intent }),
          subscription("c", { intent, lease }),
          subscription("d", { intent: { ...intent, mode: "unsubscribe" }, lease }),
          subscription("e", { lease: { ...lease, endsAt: NOW } }),
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
            [NOW.toISOString(), ...Array(3).fill(intent.dueAt.toISOString())],
          );
          assert.ok(!JSON.stringify(lines).includes("secret"));
        },
      ),
    );

    test(
      "a fan-out begins finished, starts once for each change, and continues where it was",
      withRows([], async (store) => {
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
      }),
    );

    test(
      "finishWithoutSubscribers() finishes a fan-out in the shards without a subscription, unless one may be added meanwhile",
      withRows(
        [
          subscription("a", { shard: 3, lease }),
          subscription("b", { shard: 5, intent }),
          subscription("c", { shard: 7, topic: "/feed.json", lease }),
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
          if (name === "PostgreSQL") assert.equal(shardsOf(TOPIC).length, SHARDS);
          else assert.deepEqual(shardsOf(TOPIC).toSorted(), [3, 5]);
          assert.equal(shardsOf("/feed.json").length, SHARDS, "another topic's is left alone");
        },
      ),
    );

    test(
      "clampDueTimes() makes due what was put off before the clock was set back by a year, and nothing else",
      withRows(
        [
          subscription("a", { lease: { ...lease, failures: 1, dueAt: at(365 * 86_400) } }),
          subscription("b", { intent: { ...intent, dueAt: at(365 * 86_400) } }),
          subscription("c", { lease: { ...lease, failures: 1, dueAt: at(30 * 86_400) } }),
          subscription("d", { lease }),
        ],
        async (store) => {
          assert.equal(await clampDueTimes(store, NOW), 2);
          const dueAt = async (id: string) => {
            const row = await readSubscription(store, id);
            return (row?.lease?.dueAt ?? row?.intent?.dueAt)?.toISOString();
          };
          assert.deepEqual(
            [await dueAt("a"), await dueAt("b"), await dueAt("c"), await dueAt("d")],
            [NOW.toISOString(), NOW.toISOString(), at(30 * 86_400).toISOString(), undefined],
          );
          assert.equal(await clampDueTimes(store, NOW), 0);
        },
      ),
    );

    test(
      "shardsWithWork() finds the shards with work for these documents",
      withRows(
        [
          subscription("a", { shard: 1, intent: { ...intent, dueAt: NOW } }),
          subscription("b", { shard: 2, lease: { ...lease, dueAt: NOW } }),
          subscription("c", { shard: 3, intent: { ...intent, dueAt: at(1) } }),
          subscription("d", { shard: 4, lease: { ...lease, dueAt: NOW }, topic: "/reviews.json" }),
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
      ),
    );
  });
}
