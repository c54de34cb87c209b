/** Subscriptions and intents for tests, and a test on a store that holds some. */
import { test } from "node:test";
import type { Intent } from "../../src/intent.ts";
import { saveIntents } from "../../src/store/intent-rows.ts";
import type { Store } from "../../src/store/store.ts";
import { changeSubscription } from "../../src/store/subscription-rows.ts";
import type { Lease, Subscription } from "../../src/subscription.ts";
import type { Engine } from "./engines.ts";

export const TOPIC = "/feed.xml";
export const NOW = new Date("2026-11-20T12:00:00.000Z");
/** So many seconds after `NOW`. */
export const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
/** A lease to which nothing is owed. */
export const LEASE: Lease = { secret: undefined, endsAt: at(60), failures: 0, dueAt: undefined };

/** An active subscription of a host of its own, at the site that all share. */
export function subscription(id: string, rest: Partial<Subscription> = {}): Subscription {
  const origin = `https://${id}.example`;
  const pair = { id, shard: 3, topic: TOPIC, callback: `${origin}/secret`, origin, site: "example" };
  return { ...pair, lease: LEASE, ...rest };
}

/** A request to subscribe, due now. */
export function intent(id: string, rest: Partial<Intent> = {}): Intent {
  const { lease: _lease, ...pair } = subscription(id);
  const wanted = { mode: "subscribe", secret: "s", leaseSeconds: 60, knownTag: "A" } as const;
  return { ...pair, ...wanted, client: "c", token: "t", attempts: 0, askedAt: NOW, dueAt: NOW, ...rest };
}

/** Gives a maker of tests on a store of this engine with rows in it. */
export function storeTests({ open }: Engine) {
  return (name: string, rows: readonly (Subscription | Intent)[], run: (store: Store) => Promise<void>): void => {
    test(name, async (t) => {
      const store = await open();
      t.after(store.close);
      for (const row of rows) {
        if ("lease" in row) await changeSubscription(store.database, row.id, () => row);
        else await saveIntents(store.database, [row]);
      }
      await run(store);
    });
  };
}
