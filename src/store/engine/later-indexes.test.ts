import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openStore, type Store } from "../store.ts";
import { withIndexesLater } from "./later-indexes.ts";

async function indexesOf({ database }: Store): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'index' and tbl_name = 'review' order by name`.execute(database);
  return rows.map(({ name }) => name);
}

test("the indexes of a table are made after its rows, and its keys stay in force meanwhile", async () => {
  const store = await openStore("sqlite:");
  const before = await indexesOf(store);
  assert.ok(before.includes("review_order"));
  const meanwhile = await store.database
    .transaction()
    .execute((transaction) =>
      withIndexesLater(transaction, "review", () => indexesOf({ ...store, database: transaction })),
    );
  assert.deepEqual(
    meanwhile,
    before.filter((name) => name.startsWith("sqlite_autoindex_")),
  );
  assert.notEqual(meanwhile.length, 0);
  assert.deepEqual(await indexesOf(store), before);
  await store.close();
});

test("outside a transaction no index is dropped", async () => {
  const store = await openStore("sqlite:");
  await assert.rejects(
    withIndexesLater(store.database, "review", () => Promise.resolve()),
    /inside a transaction/,
  );
  assert.ok((await indexesOf(store)).includes("review_order"));
  await store.close();
});

test("a transaction that fails before its indexes are made leaves them as they were", async () => {
  const store = await openStore("sqlite:");
  const before = await indexesOf(store);
  const failing = store.database
    .transaction()
    .execute((transaction) => withIndexesLater(transaction, "review", () => Promise.reject(new Error("too late"))));
  await assert.rejects(failing, /too late/);
  assert.deepEqual(await indexesOf(store), before);
  await store.close();
});
