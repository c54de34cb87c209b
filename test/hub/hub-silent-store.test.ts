/** A store that hangs: requests to the hub are refused in time, and what was refused is not stored later on. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { ENGINES, releaseEngines } from "../support/engines.ts";
import { BASE_URL, openHarness } from "../support/hub-harness.ts";
import { until } from "../support/within.ts";

releaseEngines();

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("requests to a store that hangs are refused with Retry-After, and stored once when they are made again", async (t) => {
      const store = await engine.open();
      const released = Promise.withResolvers<void>();
      const harness = await openHarness({
        ...{ store, settings: { retrySeconds: [3600, 3600] } },
        parts: { limits: { storeTimeoutMs: 200 } },
      });
      t.after(async () => {
        released.resolve();
        await harness.close();
        await store.close();
      });
      const ask = (path: string) =>
        harness.ask({
          "hub.mode": "subscribe",
          "hub.topic": `${BASE_URL}/feed.xml`,
          "hub.callback": `https://localhost:50999${path}`,
        });
      const locked = Promise.withResolvers<void>();
      const holding = store.database.transaction().execute(async (transaction) => {
        if (engine.name === "PostgreSQL") await sql`lock table intent in exclusive mode`.execute(transaction);
        else await transaction.updateTable("revision").set({ id: 1 }).execute();
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      const refused = await Promise.all(["/a", "/b", "/c"].map(ask));
      for (const response of refused) {
        assert.equal(response.status, 503);
        assert.match(response.headers.get("Retry-After") ?? "", /^\d+$/);
        assert.match(await response.text(), /The store does not answer/);
      }
      const wrong = harness.events.filter(({ event }) => event === "fault");
      assert.deepEqual(wrong, []);
      released.resolve();
      await holding;
      const rows = () => store.database.selectFrom("intent").select("callback").execute();
      let again = await ask("/a"); // stored after all that waited before it
      await until(async () => {
        if (again.status === 503) again = await ask("/a"); // a busy machine may take longer than the limit
        return again.status !== 503;
      });
      assert.equal(again.status, 202);
      const stored = (await rows()).map(({ callback }) => callback);
      assert.equal(stored.filter((callback) => callback.endsWith("/a")).length, 1);
      // A statement that had reached PostgreSQL may be committed, although the request was refused meanwhile.
      assert.ok(stored.length <= (engine.name === "PostgreSQL" ? 2 : 1), stored.join());
    });
  });
}
