/** Session keys: made once, the same for everybody who shares the store. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { ENGINES, type Engine, releaseEngines } from "../../test/support/engines.ts";
import { sessionKeys } from "./session-keys.ts";
import { openStore } from "./store.ts";

const NOW = new Date("2026-11-01T12:00:00Z");

releaseEngines();

for (const engine of ENGINES) describe(`${engine.name}:`, () => testsOf(engine));

function testsOf(engine: Engine): void {
  /** The URL of a new store that can be opened more than once. */
  async function sharedUrl(context: TestContext): Promise<string> {
    if (engine.name === "PostgreSQL") return await engine.url();
    const folder = mkdtempSync(join(tmpdir(), "goodword-"));
    context.after(() => rmSync(folder, { recursive: true }));
    return `sqlite:${join(folder, "store.db")}`;
  }

  test("sessionKeys() makes one key on first use and keeps it over a restart", async (context) => {
    const url = await sharedUrl(context);
    const before = await openStore(url);
    const made = await sessionKeys(before, NOW, randomBytes);
    await before.close();
    const after = await openStore(url);
    const kept = await sessionKeys(after, new Date("2027-01-01T00:00:00Z"), randomBytes);
    await after.close();
    assert.equal(made.length, 1);
    assert.equal(made[0]?.secret.byteLength, 32);
    assert.deepEqual(kept, made);
  });

  test("sessionKeys() gives every process that starts at the same time the same key", async (context) => {
    const url = await sharedUrl(context);
    const stores = [await openStore(url), await openStore(url), await openStore(url)];
    const all = await Promise.all(stores.map((store) => sessionKeys(store, NOW, randomBytes)));
    for (const keys of all) assert.deepEqual(keys, all[0]);
    for (const store of stores) await store.close();
  });

  test("sessionKeys() gives the newest key first when one was replaced", async () => {
    const store = await engine.open();
    await sessionKeys(store, NOW, randomBytes);
    await store.database
      .insertInto("session_key")
      .values({ number: 2, secret: "ab".repeat(32), made_at: "2027-01-01T00:00:00.000Z" })
      .execute();
    const keys = await sessionKeys(store, NOW, randomBytes);
    assert.equal(keys.length, 2);
    assert.equal(Buffer.from(keys[0]?.secret ?? []).toString("hex"), "ab".repeat(32));
    await store.close();
  });
}
