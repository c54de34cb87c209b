import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { ENGINES, releaseEngines } from "../../../test/support/engines.ts";
import { openStore } from "../store.ts";
import { unsynced } from "./unsynced-commit.ts";

releaseEngines();

for (const { name, url } of ENGINES) {
  test(`an unsynced transaction waits for no disk, and the next one does, also after a failed one: ${name}`, async () => {
    await using store = await openStore(await url());
    const setting = name === "SQLite" ? sql`pragma synchronous` : sql`show synchronous_commit`;
    const levelOf = async (transaction: typeof store.database) =>
      String(Object.values((await setting.execute(transaction)).rows[0] ?? {})[0]);
    const [lax, synced] = name === "SQLite" ? ["1", "2"] : ["off", "on"];
    assert.equal(await unsynced(store.database, levelOf), lax);
    await assert.rejects(
      unsynced(store.database, async () => await Promise.reject(new Error("it failed"))),
      /it failed/,
    );
    assert.equal(await store.database.transaction().execute(levelOf), synced);
  });
}
