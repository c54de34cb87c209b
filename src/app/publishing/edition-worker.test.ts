import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { temporaryFolder } from "../../../test/support/program.ts";
import { CODINGS, encodeOnPool } from "../../edition/codings.ts";
import { openEdition } from "../../edition/edition.ts";
import type { RenderedEdition } from "../../edition/render-edition.ts";
import { MIN_INDEXED_REVIEWS } from "../../edition/word-index.ts";
import { insertMany } from "../../store/engine/insert-many.ts";
import { openStore, raiseRevision } from "../../store/store.ts";
import type { ReviewTable } from "../../store/tables.ts";
import { openEditionWorker } from "./edition-worker.ts";

test("encode() gives the same bytes before the thread has started, beside a rendering, after it and once it has ended", async () => {
  using folder = temporaryFolder();
  const settings = { databaseUrl: `sqlite:${join(folder.path, "goodword.db")}`, baseUrl: "https://reviews.example" };
  const worker = openEditionWorker(settings, { isKept: () => false, last: () => undefined });
  const bodies = [2_000, 262_143, 262_144, 300_000].map((length) =>
    new TextEncoder().encode("They came on time. ".repeat(length / 19 + 1).slice(0, length)),
  );
  const check = async () => {
    for (const body of bodies) {
      for (const coding of CODINGS) {
        const coded = await worker.encode(body, coding);
        assert.deepEqual(Buffer.from(coded), Buffer.from(await encodeOnPool(body, coding)), coding);
      }
    }
  };
  await check();
  const rendering = worker.render("sample");
  await check();
  await rendering;
  await check();
  const [body = new Uint8Array()] = bodies;
  const [coded] = await Promise.all([worker.encode(body, "br"), worker.close()]);
  assert.deepEqual(Buffer.from(coded), Buffer.from(await encodeOnPool(body, "br")));
  await check();
});

/** Adds `count` reviews to a store, in front of those with lower numbers. Those with even numbers have no text. */
async function addReviews(url: string, count: number, first = 0): Promise<void> {
  const store = await openStore(url);
  const nothing = { source_id: null, author_avatar_url: null, source_url: null, reply_text: null, reply_date: null };
  const unknown = { row_verified: null, written_at: null, replied_at: null, updated_at: null };
  const rows = Array.from({ length: count }, (_, index): ReviewTable => {
    const number = first + index;
    const id = `01HXAQZX0043VJ047M4K${String(100_000 + number)}`;
    const text = number % 2 === 0 ? null : "A fair price.";
    const keys = { source_key: id, natural_key: id, source: "google", arrived: 1 };
    return { id, author: "Ann Sample", rating: 5, date: "2026-02-03", text, ...keys, ...nothing, ...unknown };
  });
  await store.database.transaction().execute(async (transaction) => {
    await insertMany(transaction, "review", { rows });
    await raiseRevision(transaction, new Date());
  });
  await store.close();
}

test("a large edition gets its word index after its publication, and its texts are found at any time", {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  const settings = { databaseUrl: `sqlite:${join(folder.path, "goodword.db")}`, baseUrl: "https://reviews.example" };
  await addReviews(settings.databaseUrl, MIN_INDEXED_REVIEWS);
  let last: RenderedEdition | undefined;
  const open = () => openEditionWorker(settings, { isKept: () => false, last: () => last });
  const matched = (edition: RenderedEdition) =>
    openEdition(edition).list({ query: "fair price", limit: 1, offset: 0 }).matched;
  const worker = open();
  last = await worker.render("stored");
  assert.equal(last.reviewIndex.wordIndex, undefined);
  assert.equal(matched(last), MIN_INDEXED_REVIEWS / 2);
  await until(() => last?.reviewIndex.wordIndex !== undefined);
  assert.equal(matched(last), MIN_INDEXED_REVIEWS / 2);

  await addReviews(settings.databaseUrl, 2, MIN_INDEXED_REVIEWS); // every other review moves
  const more = MIN_INDEXED_REVIEWS / 2 + 1;
  last = await worker.render("stored");
  assert.equal(last.reviewIndex.wordIndex, undefined, "the word index of the edition before is not taken over");
  assert.equal(matched(last), more);
  await until(() => last?.reviewIndex.wordIndex !== undefined);
  assert.equal(matched(last), more);
  await worker.close();

  const { wordIndex: _, ...unindexed } = last.reviewIndex; // an edition that was saved too early
  last = { ...last, reviewIndex: unindexed };
  const next = open();
  next.warm();
  await until(() => last?.reviewIndex.wordIndex !== undefined);
  assert.equal(matched(last), more);
  await next.close();
});

async function until(holds: () => boolean): Promise<void> {
  const alive = setInterval(() => {}, 1_000); // the thread alone keeps no process
  while (!holds()) await setImmediate();
  clearInterval(alive);
}

test("encode() has the pool compress what the thread does not compress in time", async () => {
  using folder = temporaryFolder();
  const settings = { databaseUrl: `sqlite:${join(folder.path, "goodword.db")}`, baseUrl: "https://reviews.example" };
  const worker = openEditionWorker(settings, { isKept: () => false, last: () => undefined, encodingMs: 0 });
  await worker.render("sample");
  const body = new TextEncoder().encode(
    Array.from({ length: 40_000 }, (_, n) => n * n)
      .join()
      .slice(0, 200_000),
  );
  let isOnPool = false;
  const hook = createHook({
    init(_id, type) {
      isOnPool ||= type === "ZLIB";
    },
  }).enable();
  const coded = await worker.encode(body, "br");
  hook.disable();
  assert.ok(isOnPool);
  assert.deepEqual(Buffer.from(coded), Buffer.from(await encodeOnPool(body, "br")));
  await worker.close();
});
