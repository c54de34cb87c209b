import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { emptyDatabase, stopPostgres } from "../../test/support/postgres-server.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/within.ts";
import { CODINGS, codedBody, isCompressedEarly } from "../edition/codings.ts";
import { openEdition } from "../edition/edition.ts";
import { MIN_INDEXED_REVIEWS } from "../edition/word-index.ts";
import { insertMany } from "../store/engine/insert-many.ts";
import { siteStoreUrl } from "../store/engine/store-url.ts";
import { openStore, raiseRevision } from "../store/store.ts";
import type { ReviewTable } from "../store/tables.ts";
import { readEditionCache } from "./edition-cache.ts";
import { openRenderer } from "./renderer.ts";

after(stopPostgres);

function settingsOf(folder: string) {
  return { databaseUrl: `sqlite:${join(folder, "goodword.db")}`, baseUrl: "https://reviews.example" };
}

test("after an edition its small documents are compressed, and it is cached", async () => {
  using folder = temporaryFolder();
  const settings = settingsOf(folder.path);
  const renderer = openRenderer().open(settings, (problem) => assert.fail(problem));
  const { documents, sample } = await renderer.render();
  assert.equal(sample, true);
  await until(() => readEditionCache(settings) !== undefined);
  const small = documents.filter(({ body }) => isCompressedEarly(body));
  assert.ok(small.length > 10);
  for (const document of small)
    for (const coding of CODINGS) assert.ok(!(codedBody(document, coding) instanceof Promise), document.path);
  await renderer.close();
});

test("an edition that is not cached yet is cached when the renderer is closed", async () => {
  using folder = temporaryFolder();
  const settings = settingsOf(folder.path);
  for (let isInTime = false; !isInTime; ) {
    const renderer = openRenderer().open(settings, (problem) => assert.fail(problem));
    await renderer.render();
    const begun = performance.now();
    await renderer.close();
    isInTime = performance.now() - begun < 3_000; // after four seconds a busy machine's thread is ended
  }
  assert.equal(readEditionCache(settings)?.sample, true);
});

test("after a fault the next call renders again", async () => {
  using folder = temporaryFolder();
  const missing = { ...settingsOf(join(folder.path, "missing")), databaseUrl: `sqlite:${folder.path}` };
  const renderer = openRenderer().open(missing, () => {});
  for (const _time of [1, 2]) await assert.rejects(renderer.render(), /Rendering the edition failed/);
  await renderer.close();
});

test("a fault is told with its cause, of which the log says nothing that may be a review's words", async () => {
  using folder = temporaryFolder();
  const settings = settingsOf(folder.path);
  const store = await openStore(settings.databaseUrl);
  await store.database.insertInto("business").values({ id: 1, file: "Zebulonquux" }).execute();
  await store.close();
  const renderer = openRenderer().open(settings, assert.fail);
  await assert.rejects(renderer.render(), ({ message, cause }: Error) => {
    assert.equal(message, "Rendering the edition failed");
    return cause instanceof SyntaxError;
  });
  await renderer.close();
});

test("one thread renders several sites, each in its turn, and goes on when one of them is closed", async () => {
  using folder = temporaryFolder();
  const renderer = openRenderer();
  const sites = ["a", "b", "c"].map((name) =>
    renderer.open({ ...settingsOf(join(folder.path, name)), baseUrl: `https://${name}.example` }, assert.fail),
  );
  const [first, ...others] = sites;
  const editions = await Promise.all(sites.map((site) => site.render()));
  assert.deepEqual(
    editions.map(({ baseUrl }) => baseUrl),
    ["https://a.example", "https://b.example", "https://c.example"],
  );
  await first?.close();
  await Promise.all(others.map((site) => site.render()));
  await Promise.all(others.map((site) => site.close()));
});

test("an edition that is asked for comes before what completes another site's", async () => {
  const renderer = openRenderer();
  const database = await emptyDatabase(); // each query lets other steps of the thread in
  const sites = ["a", "b"].map((name) =>
    renderer.open({ databaseUrl: siteStoreUrl(database, name, ""), baseUrl: `https://${name}.example` }, assert.fail),
  );
  const [first] = await Promise.all(sites.map((site) => site.render()));
  const small = first?.documents.filter(({ body }) => isCompressedEarly(body)) ?? [];
  assert.ok(small.length > 10);
  for (const document of small) assert.ok(codedBody(document, "gzip") instanceof Promise, document.path);
  await Promise.all(sites.map((site) => site.close()));
});

/** Adds `count` reviews to a store, in front of those with lower numbers. Those with even numbers have no text. */
async function addReviews(url: string, count: number, first = 0): Promise<void> {
  const store = await openStore(url);
  const nothing = {
    source_id: null,
    language: null,
    author_avatar_url: null,
    source_url: null,
    reply_text: null,
    reply_date: null,
  };
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
  timeout: 300_000,
}, async () => {
  using folder = temporaryFolder();
  const settings = settingsOf(folder.path);
  const renderer = openRenderer().open(settings, (problem) => assert.fail(problem));
  let count = 0;
  for (const more of [MIN_INDEXED_REVIEWS, 2]) {
    await addReviews(settings.databaseUrl, more, count); // the second time, every other review moves
    count += more;
    const { reviewIndex, ...rest } = await renderer.render();
    const edition = openEdition({ ...rest, reviewIndex });
    const matched = () => edition.list({ query: "fair price", limit: 1, offset: 0 }).matched;
    assert.equal(reviewIndex.wordIndex, undefined, "the word index of the edition before is not taken over");
    assert.equal(matched(), count / 2);
    await until(() => reviewIndex.wordIndex !== undefined);
    assert.equal(matched(), count / 2);
  }
  await renderer.close();
});
