import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openStore, raiseRevision } from "../store.ts";
import { discardUnusedStore } from "./unused-store.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

const urlOf = (name: string) => `sqlite:${join(folder, name)}`;

test("discardUnusedStore() deletes a store that nothing was written to", async () => {
  const store = await openStore(urlOf("unused.db"));
  await store.close();
  assert.equal(discardUnusedStore(urlOf("unused.db")), true);
  assert.deepEqual(readdirSync(folder), []);
});

test("discardUnusedStore() keeps a store that another process has open", async () => {
  const url = urlOf("open.db");
  const server = await openStore(url);
  const store = await openStore(url);
  await store.close();
  assert.equal(discardUnusedStore(url), false);
  await raiseRevision(server.database, new Date(0)); // it still works
  await server.close();
  assert.ok(existsSync(join(folder, "open.db")));
  assert.equal(discardUnusedStore(url), false); // it has a revision now
});

test("discardUnusedStore() leaves alone what is no file of its own", () => {
  assert.equal(discardUnusedStore("sqlite::memory:"), false);
  assert.equal(discardUnusedStore("postgres://localhost/goodword"), false);
  assert.equal(discardUnusedStore(urlOf("none.db")), false);
  assert.equal(existsSync(join(folder, "none.db")), false);
});
