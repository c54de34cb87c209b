import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import type { Intent } from "../intent.ts";
import {
  changeIntent,
  clientAtOrigin,
  countHeldPlaces,
  readDueIntents,
  readIntent,
  readKnownPairs,
  saveIntents,
  takeIntent,
} from "./intent-rows.ts";
import type { Store } from "./store.ts";
import { changeSubscription } from "./subscription-rows.ts";

releaseEngines();
const NOW = new Date("2026-11-20T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

function intent(id: string, rest: Partial<Intent> = {}): Intent {
  const origin = `https://${id}.example`;
  const pair = { id, shard: 3, topic: "/feed.xml", callback: `${origin}/secret`, origin, site: "example" };
  const wanted = { mode: "subscribe", secret: "s", leaseSeconds: 60, knownTag: "A" } as const;
  return { ...pair, ...wanted, client: "c", token: "t", attempts: 0, askedAt: NOW, dueAt: NOW, ...rest };
}

for (const { name, open } of ENGINES) {
  describe(`${name}:`, () => {
    /** Runs a test on a store with intents in it. */
    function withIntents(intents: readonly Intent[], run: (store: Store) => Promise<void>): () => Promise<void> {
      return async () => {
        const store = await open();
        try {
          await saveIntents(store.database, intents);
          await run(store);
        } finally {
          await store.close();
        }
      };
    }
    async function subscribe(store: Store, id: string, endsAt: Date): Promise<void> {
      const { shard, topic, callback, origin, site } = intent(id);
      const lease = { secret: undefined, endsAt, failures: 0, dueAt: undefined };
      await changeSubscription(store.database, id, () => ({ id, shard, topic, callback, origin, site, lease }));
    }

    test(
      "an intent comes back as it was written, and a later one of the same client replaces it, no other client's",
      withIntents([intent("a"), intent("a", { client: "d", secret: undefined })], async (store) => {
        assert.deepEqual(await readIntent(store, intent("a")), intent("a"));
        const later = intent("a", { mode: "unsubscribe", token: "u", secret: undefined, askedAt: at(9), dueAt: at(9) });
        await saveIntents(store.database, [later]);
        assert.deepEqual(await readIntent(store, later), later);
        const others = intent("a", { client: "d", secret: undefined });
        assert.deepEqual(await readIntent(store, others), others);
      }),
    );

    test(
      "changeIntent() changes the request that it was given, once, and no later one",
      withIntents([intent("a"), intent("a", { client: "d" })], async (store) => {
        const once = intent("a", { attempts: 1, dueAt: at(60) });
        await changeIntent(store.database, intent("a"), once);
        assert.deepEqual(await readIntent(store, once), once);
        await changeIntent(store.database, intent("a"), intent("a", { attempts: 1, dueAt: at(99) }));
        assert.deepEqual(await readIntent(store, once), once, "the same change is not made twice");
        const later = intent("a", { token: "u" });
        await saveIntents(store.database, [later]);
        await changeIntent(store.database, once, undefined);
        assert.deepEqual(await readIntent(store, later), later);
        await changeIntent(store.database, later, undefined);
        assert.equal(await readIntent(store, later), undefined);
        assert.ok(await readIntent(store, { id: "a", client: "d" }), "another client's stays");
      }),
    );

    test(
      "takeIntent() counts a confirmation once, and leaves a later request",
      withIntents([intent("a"), intent("b", { token: "later" })], async (store) => {
        assert.equal(await takeIntent(store.database, intent("a")), true);
        assert.equal(await takeIntent(store.database, intent("a")), false);
        assert.equal(await takeIntent(store.database, intent("b", { token: "earlier" })), true);
        assert.ok(await readIntent(store, intent("b")));
      }),
    );

    test(
      "readDueIntents() gives what is due, the longest waiting first, but not what is left out",
      withIntents(
        [
          intent("a", { dueAt: at(-1) }),
          intent("b", { dueAt: at(-2) }),
          intent("c", { dueAt: at(1) }),
          intent("d", { dueAt: at(-3), shard: 4 }),
        ],
        async (store) => {
          const due = async (exceptClients: readonly string[]) =>
            (await readDueIntents(store, { shard: 3, now: NOW, exceptClients }, 9)).map(({ id }) => id);
          assert.deepEqual(await due([]), ["b", "a"]);
          assert.deepEqual(await due([clientAtOrigin(intent("b"))]), ["a"]);
          assert.deepEqual(await due([clientAtOrigin(intent("b", { client: "another" }))]), ["b", "a"]);
        },
      ),
    );

    test(
      "readKnownPairs() tells a client's own intents, pairs that others have asked for, and leases that last",
      withIntents([intent("a"), intent("b", { client: "d" })], async (store) => {
        await subscribe(store, "c", at(60));
        await subscribe(store, "d", NOW);
        const asked = ["a", "b", "c", "d"].map((id) => intent(id, { mode: "unsubscribe" }));
        const { own, pending, leased } = await readKnownPairs(store.database, asked, NOW);
        assert.deepEqual([[...own], [...pending].toSorted(), [...leased]], [["a c"], ["a", "b"], ["c"]]);
      }),
    );

    test(
      "countHeldPlaces() counts all intents, those of clients, and the subscriptions of sites, without what is unverified",
      withIntents(
        [intent("a"), intent("b"), intent("c", { client: "d" }), intent("e", { client: "f" })],
        async (store) => {
          await subscribe(store, "z", at(60));
          const { pending, ofClient, ofSite } = await countHeldPlaces(store.database, [
            intent("x"),
            intent("y", { client: "d", site: "other" }),
          ]);
          assert.equal(pending, 4);
          assert.deepEqual([...ofClient].toSorted(), [
            ["c", 2],
            ["d", 1],
          ]);
          assert.deepEqual([...ofSite], [["example", 1]]);
        },
      ),
    );
  });
}
