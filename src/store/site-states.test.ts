import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { emptyDatabase, stopPostgres } from "../../test/support/postgres-server.ts";
import { siteStoreUrl } from "./engine/store-url.ts";
import { openSiteStates } from "./site-states.ts";
import { openStore, raiseRevision } from "./store.ts";

after(stopPostgres);

test("the state of a site changes with its revision and its work, and a damaged store hides no other's", async () => {
  const database = await emptyDatabase();
  const urlOf = (site: string) => siteStoreUrl(database, site, "");
  const names = ["a", "b", "c"];
  await using stores = new AsyncDisposableStack();
  const [a, b, c] = await Promise.all(names.map(async (site) => stores.use(await openStore(urlOf(site))).database));
  if (a === undefined || b === undefined || c === undefined) return assert.fail();
  const states = stores.adopt(await openSiteStates(urlOf("a")), (each) => each.close());
  /** The sites whose state has changed after so many readings. */
  let before: ReadonlyMap<string, string> = new Map();
  const changed = async (readings = 1) => {
    const last = before;
    for (let reading = 0; reading < readings; reading++) before = await states.read(names);
    return names.filter((name) => before.get(name) !== last.get(name));
  };
  assert.deepEqual(await changed(), names);
  assert.deepEqual(await changed(4), []);
  await a.transaction().execute(async (transaction) => await raiseRevision(transaction, new Date()));
  assert.deepEqual(await changed(), ["a"]);
  for (const next_at of ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]) {
    const fetched = { last_at: next_at, outcome: "imported", next_at, failures: 0, etag: null, last_modified: null };
    await b.deleteFrom("followed_source").execute();
    await b
      .insertInto("followed_source")
      .values({ key: "k", ...fetched })
      .execute();
    assert.deepEqual(await changed(4), ["b"]);
  }
  await sql`drop table intent`.execute(c);
  assert.deepEqual(await changed(4), ["c"]);
  assert.deepEqual([...before.keys()].toSorted(), ["a", "b"]);

  assert.deepEqual(await changed(4), []);
  const last = await states.read(names);
  assert.equal(await states.read(names), last, "nothing has changed in the database, and so no store is asked");
  await b.transaction().execute(async (transaction) => {
    await raiseRevision(transaction, new Date());
    for (let reading = 0; reading < 5; reading++) assert.deepEqual(await changed(), []);
  });
  assert.deepEqual(await changed(), ["b"], "a change that took long");
  assert.deepEqual([...(await states.read(["b"])).keys()], ["b"]);
});
