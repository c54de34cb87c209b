import assert from "node:assert/strict";
import { describe } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { at, intent, LEASE, NOW, storeTests, subscription } from "../../test/support/hub-rows.ts";
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
for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    const storeTest = storeTests(engine);
    async function subscribe(store: Store, id: string, endsAt: Date): Promise<void> {
      await changeSubscription(store.database, id, () => subscription(id, { lease: { ...LEASE, endsAt } }));
    }

    storeTest(
      "an intent comes back as it was written, and a later one of the same client replaces it, no other client's",
      [intent("a"), intent("a", { client: "d", secret: undefined })],
      async (store) => {
        assert.deepEqual(await readIntent(store, intent("a")), intent("a"));
        const later = intent("a", { mode: "unsubscribe", token: "u", secret: undefined, askedAt: at(9), dueAt: at(9) });
        await saveIntents(store.database, [later]);
        assert.deepEqual(await readIntent(store, later), later);
        const others = intent("a", { client: "d", secret: undefined });
        assert.deepEqual(await readIntent(store, others), others);
      },
    );

    storeTest(
      "changeIntent() changes the request that it was given, once, and no later one",
      [intent("a"), intent("a", { client: "d" })],
      async (store) => {
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
      },
    );

    storeTest(
      "takeIntent() counts a confirmation once, and leaves a later request",
      [intent("a"), intent("b", { token: "later" })],
      async (store) => {
        assert.equal(await takeIntent(store.database, intent("a")), true);
        assert.equal(await takeIntent(store.database, intent("a")), false);
        assert.equal(await takeIntent(store.database, intent("b", { token: "earlier" })), true);
        assert.ok(await readIntent(store, intent("b")));
      },
    );

    storeTest(
      "readDueIntents() gives what is due, the longest waiting first, but not what is left out",
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
    );

    storeTest(
      "readKnownPairs() tells a client's own intents, pairs that others have asked for, and leases that last",
      [intent("a"), intent("b", { client: "d" })],
      async (store) => {
        await subscribe(store, "c", at(60));
        await subscribe(store, "d", NOW);
        const asked = ["a", "b", "c", "d"].map((id) => intent(id, { mode: "unsubscribe" }));
        const { own, pending, leased } = await readKnownPairs(store.database, asked, NOW);
        assert.deepEqual([[...own], [...pending].toSorted(), [...leased]], [["a c"], ["a", "b"], ["c"]]);
      },
    );

    storeTest(
      "countHeldPlaces() counts all intents, those of clients, and the subscriptions of sites, without what is unverified",
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
    );
  });
}
