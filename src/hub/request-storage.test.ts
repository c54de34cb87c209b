import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { intent } from "../../test/support/hub-rows.ts";
import type { Intent } from "../intent.ts";
import type { Store } from "../store/store.ts";
import { openRequestStorage } from "./request-storage.ts";

releaseEngines();

/** A request for a callback at a site of its own. */
const intentOf = (id: string, rest: Partial<Intent> = {}) => intent(id, { site: id, token: `t${id}`, ...rest });

function open(store: Store, limits = {}) {
  const storage = openRequestStorage(
    store,
    { pending: 1000, unstored: 100, subscriptionsOfSite: 9, ...limits },
    () => new Date(),
  );
  const never = new AbortController().signal;
  return (each: Intent, overdue = never) => storage.store(each, overdue);
}

async function storedTokens({ database }: Store): Promise<string[]> {
  const rows = await database.selectFrom("intent").select("token").orderBy("token").execute();
  return rows.map(({ token }) => token);
}

for (const { name, open: openEngine } of ENGINES) {
  test(`store() over ${name} stores the others of a batch of which one cannot be stored`, async () => {
    const store = await openEngine();
    const take = open(store);
    const first = take(intentOf("0")); // the others are one batch
    const batch = [take(intentOf("1")), take(intentOf("2", { topic: null as never })), take(intentOf("3"))];
    const statuses = (await Promise.allSettled([first, ...batch])).map(({ status }) => status);
    assert.deepEqual(statuses, ["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await storedTokens(store), ["t0", "t1", "t3"]);
    await store.close();
  });

  test(`store() over ${name} stores the last of one client's requests for a pair, also in one batch`, async () => {
    const store = await openEngine();
    const take = open(store);
    const receptions = await Promise.all([
      take(intentOf("0")),
      take(intentOf("1")),
      take(intentOf("1", { token: "again" })),
      take(intentOf("1", { token: "end", mode: "unsubscribe" })),
      take(intentOf("1", { token: "other", client: "d" })),
      take(intentOf("2", { mode: "unsubscribe" })),
    ]);
    assert.deepEqual(receptions, ["stored", "stored", "stored", "stored", "stored", "nothing"]);
    assert.deepEqual(await storedTokens(store), ["end", "other", "t0"]);
    await store.close();
  });

  test(`store() over ${name} does not store what is overdue before its turn`, async () => {
    const store = await openEngine();
    const take = open(store);
    const overdue = new AbortController();
    const settled = Promise.allSettled([take(intentOf("0")), take(intentOf("1"), overdue.signal)]);
    overdue.abort(new Error("too late"));
    const [stored, refused] = await settled;
    assert.deepEqual([stored.status, refused.status], ["fulfilled", "rejected"]);
    assert.deepEqual(await storedTokens(store), ["t0"]);
    await store.close();
  });
}
