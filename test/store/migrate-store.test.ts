/** `goodword migrate-store`: from the embedded store to PostgreSQL and back, also after a kill in the middle. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Intent } from "../../src/intent.ts";
import { removeReviews } from "../../src/maintenance/removal.ts";

import { beginFanOut } from "../../src/store/fan-out-rows.ts";
import { saveIntents } from "../../src/store/intent-rows.ts";
import { openStore } from "../../src/store/store.ts";
import type { SubscriptionTable, Tables } from "../../src/store/tables.ts";
import { releaseEngines } from "../support/engines.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../support/import-sandbox.ts";
import { callAt, sessionAt } from "../support/mcp-server.ts";
import { emptyDatabase } from "../support/postgres-server.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { deriveReviewId } from "../support/review-id.ts";
import { roundsOf } from "../support/test-runs.ts";

releaseEngines();

const NOW = new Date("2026-01-02T03:04:05Z");
const REVIEWS = 450;
/** All tables whose rows must be the same afterwards. */
const TABLES: readonly (keyof Tables)[] = [
  ...(["revision", "business", "review", "analysis", "session_key", "subscription", "intent", "fan_out"] as const),
  ...(["followed_source", "removal", "removal_key", "change", "saved_row", "withdrawn_review"] as const),
];

/** Every row of a store, in an order that does not depend on the engine. */
async function dump(url: string): Promise<Record<string, string[]>> {
  const store = await openStore(url);
  try {
    const entries = TABLES.map(async (table): Promise<[string, string[]]> => {
      const rows = await store.database.selectFrom(table).selectAll().execute();
      return [table, rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted()];
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    await store.close();
  }
}

/** Fills a store so that every table has rows, several batches of reviews among them. */
async function fill(url: string): Promise<void> {
  await using box = await openSandbox(url);
  const ids = Array.from({ length: REVIEWS }, (_, index) => `r${index}`);
  const pageOf = (words: string) =>
    takeoutPage(...ids.map((id) => takeoutReview(id, { comment: `${words} of ${id}: 100 % 'great' "work" 🎉` })));
  await box.take(box.write("business.yaml", "name: Northside\ncategory: HVACBusiness\ntime_zone: UTC\n"));
  await box.take(box.write("a.json", pageOf("Words")));
  await box.take(box.write("a.json", pageOf("Other words")));
  await removeReviews(box.store, [deriveReviewId("google", "r1", "2024-05-06")], { what: ["review"], now: NOW });
  await removeReviews(box.store, [deriveReviewId("google", "r2", "2024-05-06")], { what: ["author"], now: NOW });
  const { database } = box.store;
  await database
    .insertInto("session_key")
    .values({ number: 1, secret: "ab".repeat(32), made_at: NOW.toISOString() })
    .execute();
  await beginFanOut(database, "/feed.xml", { tag: '"x"', revision: 3 }, NOW);
  await database
    .insertInto("subscription")
    .values(Array.from({ length: 250 }, (_, index) => subscription(index)))
    .execute();
  await saveIntents(
    database,
    Array.from({ length: 250 }, (_, index) => intent(index)),
  );
  const gone = { id: "01HX5K6F00DEH11HYPEN77ND2B", source: "google", withdrawn_by: 1 };
  await database.insertInto("withdrawn_review").values(gone).execute();
  const source = { key: "k", last_at: NOW.toISOString(), outcome: "imported", next_at: NOW.toISOString(), failures: 0 };
  await database
    .insertInto("followed_source")
    .values({ ...source, etag: '"e"', last_modified: null })
    .execute();
}

function subscription(index: number): SubscriptionTable {
  const origin = "https://subscriber.example";
  return {
    ...{ id: `${index}`.padStart(8, "0"), shard: 3, topic: "/feed.xml", callback: `${origin}/${index}`, origin },
    ...{ site: "subscriber.example", version: index, secret: index % 2 === 0 ? "s" : null },
    ...{ lease_ends_at: "2030-01-01T00:00:00.000Z", failures: index % 3, due_at: null, acknowledged: null },
  };
}

function intent(index: number): Intent {
  const { id, shard, topic, callback, origin, site } = subscription(index);
  const wanted = { mode: "subscribe", secret: index % 2 === 0 ? "s" : undefined, leaseSeconds: 60 } as const;
  const state = { token: `t${index}`, knownTag: "x", attempts: index % 3, askedAt: NOW, dueAt: NOW };
  return { ...{ id, shard, topic, callback, origin, site }, client: `c${index % 7}`, ...wanted, ...state };
}

for (const direction of ["to PostgreSQL", "back to SQLite"] as const) {
  test(`everything is kept on the way ${direction}, also when the first try was killed`, async () => {
    using folder = temporaryFolder();
    const file = `sqlite:${join(folder.path, "store.db")}`;
    const database = await emptyDatabase();
    const [from, to] = direction === "to PostgreSQL" ? [file, database] : [database, file];
    await fill(from);
    const held = await dump(from);
    for (const [table, rows] of Object.entries(held)) assert.ok(rows.length > 0, `${table} has rows`);

    for (const batches of roundsOf([4, 1, 9])) {
      const child = spawn(process.execPath, [
        join(import.meta.dirname, "..", "support", "store-copying.ts"),
        from,
        to,
        `${batches}`,
      ]);
      const [, signal] = await once(child, "exit");
      assert.equal(signal, "SIGKILL");
    }
    const half = await dump(to);
    assert.deepEqual([half.review, half.business, half.session_key], [[], [], []], "a killed copy leaves nothing");

    const done = await run(folder.path, ["migrate-store", from, to]);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, new RegExp(`${REVIEWS - 1} reviews, 250 subscriptions`));
    assert.doesNotMatch(done.stdout + done.stderr, /:postgres@/, "no password is printed");
    assert.deepEqual(await dump(to), held);
    assert.deepEqual(await dump(from), held, "the source stays as it was");

    const again = await run(folder.path, ["migrate-store", from, to]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /not empty: it has rows in business, review/);
    assert.deepEqual(await dump(to), held);
  });
}

test("a moved store is served with the same tags and takes the sessions of before", async () => {
  using folder = temporaryFolder();
  const file = `sqlite:${join(folder.path, "store.db")}`;
  const database = await emptyDatabase();
  const reviews = join(folder.path, "reviews.csv");
  writeFileSync(
    reviews,
    "id,rating,date,text,source\na,5,2026-01-02,Came on time,google\nb,2,2026-01-03,Too expensive,google\n",
  );
  assert.equal((await run(folder.path, ["import", reviews], { DATABASE_URL: file })).code, 0);
  const settings = { BASE_URL: "https://reviews.example" };
  const paths = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/"];
  const tagsOf = (url: string) => Promise.all(paths.map(async (path) => (await fetch(url + path)).headers.get("ETag")));
  const before = await serveProgram(folder.path, { ...settings, DATABASE_URL: file });
  const tags = await tagsOf(before.url);
  const session = await sessionAt(`${before.url}/mcp`);
  await before.stop();
  assert.equal((await run(folder.path, ["migrate-store", file, database])).code, 0);
  await using after = await serveProgram(folder.path, { ...settings, DATABASE_URL: database });
  assert.deepEqual(await tagsOf(after.url), tags);
  assert.equal((await callAt(`${after.url}/mcp`, session, "tools/list")).status, 200);
});

test("a missing source, the same store twice and a wrong address change nothing", async () => {
  using folder = temporaryFolder();
  const file = `sqlite:${join(folder.path, "store.db")}`;
  const absent = await run(folder.path, ["migrate-store", `sqlite:${join(folder.path, "absent.db")}`, file]);
  assert.equal(absent.code, 1);
  assert.match(absent.stderr, /There is no store at .*absent\.db/);
  await fill(file);
  assert.match((await run(folder.path, ["migrate-store", file, file])).stderr, /same store/);
  const wrong = await run(folder.path, ["migrate-store", file, "mysql://owner:hidden@host/name"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /mysql:\/\/owner:•••@host\/name is not the address of a store/);
  assert.doesNotMatch(wrong.stderr, /hidden/);
});

test("a backup of a PostgreSQL store is a file that goodword restore puts into either engine", async () => {
  using folder = temporaryFolder();
  const [database, other] = [await emptyDatabase(), await emptyDatabase()];
  await fill(database);
  const file = join(folder.path, "backup.db");
  const written = await run(folder.path, ["backup", file], { DATABASE_URL: database });
  assert.equal(written.code, 0, written.stderr);
  const { fan_out, review, business, session_key, subscription } = await dump(database);
  for (const url of [other, `sqlite:${join(folder.path, "restored.db")}`]) {
    const restored = await run(folder.path, ["restore", file, "--yes"], { DATABASE_URL: url });
    assert.equal(restored.code, 0, restored.stderr);
    const held = await dump(url);
    assert.deepEqual(
      [held.review, held.business, held.session_key, held.subscription, held.fan_out],
      [review, business, session_key, subscription, fan_out],
    );
  }
  const again = await run(folder.path, ["restore", file, "--yes"], { DATABASE_URL: database });
  assert.match(again.stdout, /Nothing changed/);
});
