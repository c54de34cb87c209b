/** Active subscriptions put straight into a store, as verified ones are: for tests and measurements of many. */
import assert from "node:assert/strict";
import { parseCallback, subscriptionId } from "../../src/hub/callback/callback-url.ts";
import { parseAddressRanges } from "../../src/outbound/address-class.ts";
import type { Store } from "../../src/store/store.ts";
import { changeSubscription } from "../../src/store/subscription-rows.ts";

/** Writes active subscriptions into the store, as verified ones are. */
export async function insertActive({ database }: Store, callbacks: readonly string[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const text of callbacks) {
      const callback = parseCallback(text, parseAddressRanges(["127.0.0.0/8"]));
      assert.ok(typeof callback !== "string");
      const { url, origin, site, shard } = callback;
      const lease = { secret: undefined, endsAt: new Date(Date.now() + 864e5), failures: 0, dueAt: undefined };
      const id = subscriptionId("/feed.xml", url);
      await changeSubscription(transaction, id, () => ({
        id,
        topic: "/feed.xml",
        callback: url,
        origin,
        site,
        shard,
        lease,
      }));
    }
  });
}
