/**
 * A copy that follows `/api/changes` from any earlier point is `/reviews.json`, after random operations: 50 on each
 * engine, or as many as GOODWORD_TEST_OPERATIONS says, from GOODWORD_TEST_SEED.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { taxonomyOf } from "../../src/analysis/trade-taxonomy.ts";
import { changesSince } from "../../src/edition/changes.ts";
import { type RenderedEdition, renderDatasets } from "../../src/edition/render-datasets.ts";
import type { LastReviews } from "../../src/edition/review-index-writer.ts";
import { readmitReviews, removeReviews } from "../../src/maintenance/removal.ts";
import { changeToUndo, undoChange } from "../../src/maintenance/undo.ts";
import { withdrawSource } from "../../src/maintenance/withdrawal.ts";
import type { Review } from "../../src/review.ts";
import { listRemovals } from "../../src/store/history/removal-rows.ts";
import { copyStore } from "../../src/store/history/store-copy.ts";
import { backupStore, openStore, readSnapshot, type Store, type StoreState } from "../../src/store/store.ts";
import { ENGINES, releaseEngines } from "../support/engines.ts";
import { openSandbox } from "../support/import-sandbox.ts";
import { restoreBackup } from "../support/restoring.ts";
import { seededRandom } from "../support/seeded-random.ts";

const OPERATIONS = Number(process.env.GOODWORD_TEST_OPERATIONS ?? 50);
const SEED = Number(process.env.GOODWORD_TEST_SEED ?? 7);

releaseEngines();

/** Reviews of three sources; those of Google and Facebook are copies of each other while they have the same words. */
const SLOTS = Array.from({ length: 24 }, (_, at) => {
  const source = ["google", "facebook", "yelp", "first_party"][at % 4] ?? "";
  const person = at % 4 < 2 ? `Twin ${at >> 2}` : `Person ${at}`;
  return { id: `own-${at}`, source, author: person, day: `2025-0${1 + (at >> 2)}-1${at % 4 < 2 ? 1 : at % 10}` };
});

interface Answer {
  readonly cursor: string;
  readonly is_complete: boolean;
  readonly changed: readonly Review[];
  readonly removed: readonly string[];
}

/** A copy: what it holds, and how far it came. */
interface Copy {
  readonly reviews: ReadonlyMap<string, Review>;
  readonly cursor?: string;
  /** How often the store had been restored when it began. */
  readonly restores: number;
}

const SMALL_ANSWERS = [
  { changes: 3, bytes: 600 },
  { changes: 5, bytes: 4_000_000 },
];

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? "").toString();

/** Applies one answer. */
function step(rendered: RenderedEdition, copy: Copy, most?: { changes: number; bytes: number }): Copy | undefined {
  const answer = changesSince(rendered, copy.cursor, most);
  if (typeof answer === "string") return undefined;
  const { cursor, is_complete, changed, removed } = JSON.parse(text(answer.body)) as Answer;
  assert.ok(changed.length + removed.length <= (most?.changes ?? 1000));
  assert.ok(changed.length === 1 || Buffer.byteLength(JSON.stringify(changed)) - 2 <= (most?.bytes ?? 4_000_000));
  const reviews = new Map(copy.reviews);
  for (const review of changed) reviews.set(review.id, review);
  for (const id of removed) reviews.delete(id);
  if (!is_complete) return { ...copy, reviews, cursor };
  const dataset = JSON.parse(text(rendered.documents.find(({ path }) => path === "/reviews.json")?.body));
  const newestFirst = [...reviews.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  assert.deepEqual(newestFirst, (dataset as { reviews: Review[] }).reviews);
  return { ...copy, reviews, cursor };
}

/** Renders as the publisher does: what did not change is copied from the last edition. */
function openRenderer(): (store: Store) => Promise<RenderedEdition> {
  let [last, state]: [LastReviews?, StoreState?] = [];
  return async (store) => {
    const snapshot = await readSnapshot(store, state);
    const taxonomy = taxonomyOf(snapshot.business);
    const rendered = renderDatasets(snapshot, { baseUrl: "http://localhost", sample: false, taxonomy, last });
    [last, state] = [{ index: rendered.reviewIndex, foundThemes: rendered.foundThemes }, snapshot];
    return rendered;
  };
}

for (const engine of ENGINES)
  test(`a copy from any earlier point is the dataset after ${OPERATIONS} random operations: ${engine.name}, seed ${SEED}`, async () => {
    await using box = await openSandbox(await engine.url());
    const { store } = box;
    const next = seededRandom(SEED);
    const random = (limit: number) => Math.floor(next() * limit);
    const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)];
    const render = openRenderer();
    let [clock, restores, backups, edition] = [Date.UTC(2026, 0, 2), 0, 0, 0];
    const publishedIds = async () => (await readSnapshot(store)).reviews.map(({ id }) => id);

    function describe(): string {
      const sources = ["google", "facebook", "yelp"].filter(() => random(3) > 0);
      const zone = pick(["UTC", "UTC", "Asia/Tokyo", "America/Chicago"]);
      return box.write("business.yaml", `name: Ada\ntime_zone: ${zone}\nverified_sources: [${sources}]\n`);
    }

    const operations: readonly ((now: Date) => Promise<unknown>)[] = [
      ...[0, 1, 2, 3].map(() => async (now: Date) => {
        const rows = SLOTS.filter(() => random(4) === 0).map(({ id, source, author, day }) => ({
          ...{ id, source, author },
          date: random(3) === 0 ? `${day}T${random(2) === 0 ? "23:30" : "01:00"}:00Z` : day,
          rating: 1 + random(5),
          text: [null, `Same words of ${author}`, `Same words of ${author}`, `Other words ${edition++}`][random(4)],
          owner_reply: random(3) === 0 ? { text: `Thanks ${edition++}`, date: day } : null,
          ...(random(4) === 0 ? { verified: random(2) === 0 } : {}),
          status: random(8) === 0 ? "spam" : "published",
        }));
        const paths = [box.write("reviews.json", rows), ...(random(8) === 0 ? [describe()] : [])];
        const complete = random(6) === 0 && rows.length > 0; // an empty file is never complete
        await box.take(paths, { now, complete, yes: true, skipInvalid: true });
      }),
      async (now) => await box.take(describe(), { now }),
      async (now) => {
        const counts = await store.database.selectFrom("review").select("source").distinct().execute();
        const { source } = pick(counts) ?? {};
        if (source !== undefined) await withdrawSource(store, source, now);
      },
      async (now) => {
        const id = pick(await publishedIds());
        const what = pick([["review"], ["author"], ["text"], ["author", "text"]] as const) ?? [];
        if (id !== undefined) await removeReviews(store, [id], { what, now });
      },
      async (now) => {
        const { id } = pick(await listRemovals(store.database)) ?? {};
        if (id !== undefined) await readmitReviews(store, [id], now);
      },
      ...[0, 1].map(() => async (now: Date) => {
        const change = await changeToUndo(store).catch(() => undefined);
        if (change !== undefined) await undoChange(store, change.number, now);
      }),
      async (now) => {
        const file = join(box.folder, `${random(2)}.db`);
        if (backups > 0 && random(2) === 0) {
          const before = (await readSnapshot(store)).revision.number;
          await restoreBackup(store, file, now).catch((error: Error) =>
            assert.match(error.message, /cannot be opened/),
          );
          if ((await readSnapshot(store)).revision.number > before) restores++;
          return;
        }
        rmSync(file, { force: true });
        await using copy = await openStore("sqlite::memory:");
        await copyStore(store, copy);
        await backupStore(copy, file);
        backups++;
      },
    ];

    /** Complete copies, and some that have seen a part of an answer. */
    const copies: Copy[] = [];
    const anyCopy = (): Copy => (random(6) > 0 ? pick(copies) : undefined) ?? { reviews: new Map(), restores };
    for (let done = 0; done < OPERATIONS; done++) {
      clock += 60_000;
      await (done === 0 ? operations[0] : pick(operations))?.(new Date(clock));
      if (random(3) === 0) continue; // several changes in one edition
      const rendered = await render(store);
      for (let copy: Copy | undefined = anyCopy(); copy !== undefined; ) {
        const before: Copy = copy;
        copy = step(rendered, before, pick(SMALL_ANSWERS));
        if (copy === undefined) assert.ok(before.restores < restores, `410 after ${done} operations`);
        else copies.push(copy);
        if (copy?.cursor === before.cursor || random(9) === 0) break;
      }
      while (copies.length > 100) copies.splice(random(copies.length), 1);
      if (random(10) > 0) continue;
      await using moved = await openStore("sqlite::memory:");
      await copyStore(store, moved);
      const copy = anyCopy();
      const fromNothing = await openRenderer()(moved);
      assert.deepEqual(fromNothing.reviewIndex.changeNumbers, rendered.reviewIndex.changeNumbers);
      const whole = step(fromNothing, copy);
      assert.equal(whole === undefined, copy.restores < restores);
      assert.deepEqual(whole, step(rendered, copy), "as before it was moved");
    }
  });

test("an edition after a small restore has the numbers of one that is made from nothing", async () => {
  await using box = await openSandbox();
  const render = openRenderer();
  const row = (day: number) => ({
    id: String(day),
    author: "Ann",
    date: `2025-01-0${day}`,
    rating: 5,
    source: "google",
  });
  await box.take(box.write("reviews.json", [1, 2, 3].map(row)));
  const file = join(box.folder, "backup.db");
  await backupStore(box.store, file);
  await box.take(box.write("reviews.json", [row(4)]));
  const before = step(await render(box.store), { reviews: new Map(), restores: 0 });
  await restoreBackup(box.store, file, new Date("2026-01-03"));
  const { reviewIndex, ...after } = await render(box.store);
  assert.deepEqual(reviewIndex.changeNumbers, (await openRenderer()(box.store)).reviewIndex.changeNumbers);
  assert.equal(step({ reviewIndex, ...after }, before ?? { reviews: new Map(), restores: 0 }), undefined, "410");
});

test("so has one after a review was a copy of another for a moment, and was not written", async () => {
  await using box = await openSandbox();
  const render = openRenderer();
  const take = async (source: string, text: string) => {
    await box.take(
      box.write("reviews.json", [{ id: source, author: "Ann", date: "2025-01-01", rating: 5, source, text }]),
    );
  };
  await box.take(box.write("business.yaml", "name: Ada\ntime_zone: UTC\nverified_sources: [google, facebook]\n"));
  await take("google", "Other words");
  await take("facebook", "The same words");
  await render(box.store);
  await take("google", "The same words");
  await take("google", "Other words");
  const { changeNumbers } = (await render(box.store)).reviewIndex;
  assert.deepEqual(changeNumbers, (await openRenderer()(box.store)).reviewIndex.changeNumbers);
});

test("a review that is verified no more leaves its id also while nothing is published", async () => {
  await using box = await openSandbox();
  const business = (sources: string) =>
    box.write("business.yaml", `name: Ada\ntime_zone: UTC\nverified_sources: [${sources}]\n`);
  const review = { id: "a", author: "Ann", date: "2025-01-01", rating: 5, source: "google" };
  await box.take([business("google"), box.write("reviews.json", [review])]);
  const before = step(await openRenderer()(box.store), { reviews: new Map(), restores: 0 });
  await box.take(business("yelp"));
  await box.take(box.write("reviews.json", [{ ...review, rating: 4 }]));
  assert.ok(before !== undefined && before.reviews.size === 1);
  assert.equal(step(await openRenderer()(box.store), before)?.reviews.size, 0);
});
