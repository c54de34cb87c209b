import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import type { Intent } from "../intent.ts";
import type { Store } from "../store/store.ts";
import { openRequestStorage } from "./request-storage.ts";

releaseEngines();

function intent(id: string, rest: Partial<Intent> = {}): Intent {
  const origin = `https://${id}.example`;
  const pair = { id, shard: 0, topic: "/feed.xml", callback: `${origin}/`, origin, site: `${id}.example` };
  const wanted = { mode: "subscribe", token: `t${id}`, secret: undefined, leaseSeconds: 60, knownTag: "" } as const;
  return { ...pair, ...wanted, client: "c", attempts: 0, askedAt: new Date(0), dueAt: new Date(0), ...rest };
}

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
    const first = take(intent("0")); // the others are one batch
    const batch = [take(intent("1")), take(intent("2", { topic: null as never })), take(intent("3"))];
    assert.deepEqual(
      (await Promise.allSettled([first, ...batch])).map(({ status }) => status),
      ["fulfilled", "fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(await storedTokens(store), ["t0", "t1", "t3"]);
    await store.close();
  });

  test(`store() over ${name} stores the last of one client's requests for a pair, also in one batch`, async () => {
    const store = await openEngine();
    const take = open(store);
    const receptions = await Promise.all([
      take(intent("0")),
      take(intent("1")),
      take(intent("1", { token: "again" })),
      take(intent("1", { token: "end", mode: "unsubscribe" })),
      take(intent("1", { token: "other", client: "d" })),
      take(intent("2", { mode: "unsubscribe" })),
    ]);
    assert.deepEqual(receptions, ["stored", "stored", "stored", "stored", "stored", "nothing"]);
    assert.deepEqual(await storedTokens(store), ["end", "other", "t0"]);
    await store.close();
  });

  test(`store() over ${name} does not store what is overdue before its turn`, async () => {
    const store = await openEngine();
    const take = open(store);
    const overdue = new AbortController();
    const settled = Promise.allSettled([take(intent("0")), take(intent("1"), overdue.signal)]);
    overdue.abort(new Error("too late"));
    const [stored, refused] = await settled;
    assert.deepEqual([stored.status, refused.status], ["fulfilled", "rejected"]);
    assert.deepEqual(await storedTokens(store), ["t0"]);
    await store.close();
  });
}
