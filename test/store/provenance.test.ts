/**
 * `/provenance.json` against a naive model, after random operations: 50 on each engine, or as many as
 * GOODWORD_TEST_OPERATIONS says, from GOODWORD_TEST_SEED.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { taxonomyOf } from "../../src/analysis/trade-taxonomy.ts";
import { UNNAMED_BUSINESS } from "../../src/business.ts";
import { CORRECTED, countCorrections } from "../../src/correction.ts";
import { type Provenance, provenanceOf } from "../../src/edition/provenance.ts";
import { renderDatasets } from "../../src/edition/render-datasets.ts";
import type { LastReviews } from "../../src/edition/review-index-writer.ts";
import type { SourceFigures } from "../../src/edition/source-figures.ts";
import { allCorrections, correctFinding, takeBackCorrection } from "../../src/maintenance/corrections.ts";
import { readmitReviews, removeReviews } from "../../src/maintenance/removal.ts";
import { changeToUndo, undoChange } from "../../src/maintenance/undo.ts";
import { withdrawSource } from "../../src/maintenance/withdrawal.ts";
import { copyStore } from "../../src/store/history/store-copy.ts";
import { backupStore, openStore, readSnapshot, type Store, type StoreState } from "../../src/store/store.ts";
import { ENGINES, releaseEngines } from "../support/engines.ts";
import { openSandbox } from "../support/import-sandbox.ts";
import {
  ASPECTS,
  type Backup,
  type ImportedRow,
  ProvenanceModel,
  SLOTS,
  type Slot,
} from "../support/provenance-model.ts";
import { restoreBackup } from "../support/restoring.ts";
import { deriveReviewId } from "../support/review-id.ts";

const OPERATIONS = Number(process.env.GOODWORD_TEST_OPERATIONS ?? 50);
const SEED = Number(process.env.GOODWORD_TEST_SEED ?? 7);

/** Rendered are as many editions as in a run of 150 operations, and one of twenty in a longer one. */
const RENDER_EVERY = OPERATIONS > 150 ? 20 : 1;

releaseEngines();

/** Numbers below a limit, the same for a seed (mulberry32). */
function randomness(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const CRITICISM = "Overpriced, and they came three hours late.";

const idOf = ({ source, id, date }: Slot) => deriveReviewId(source, id, date);

/** Renders as the publisher does: what did not change is copied from the last edition. */
function openReader(store: Store): () => Promise<Provenance> {
  let [last, state]: [LastReviews?, StoreState?] = [];
  return async () => {
    const snapshot = await readSnapshot(store, state);
    const taxonomy = taxonomyOf(snapshot.business);
    const edition = renderDatasets(snapshot, { baseUrl: "http://localhost", sample: false, taxonomy, last });
    [last, state] = [{ index: edition.reviewIndex, foundThemes: edition.foundThemes }, snapshot];
    const document = edition.documents.find(({ path }) => path === "/provenance.json");
    return JSON.parse(Buffer.from(document?.body ?? "").toString()) as Provenance;
  };
}

/** The same figures without an edition, which takes longer than an operation. */
async function readFigures(store: Store): Promise<Provenance> {
  const { business = UNNAMED_BUSINESS, reviews, history, revision, ...rest } = await readSnapshot(store);
  const figures = new Map<string, SourceFigures>();
  for (const { source, date } of reviews) {
    const { published = 0, newest = date } = figures.get(source) ?? {};
    figures.set(source, { published: published + 1, newest });
  }
  const published = new Set(reviews.map(({ id }) => id));
  const corrections = countCorrections(rest.corrections.filter(({ id }) => published.has(id)));
  const provenance = provenanceOf(business, { history, figures, corrections, generatedAt: revision.revised_at });
  return JSON.parse(JSON.stringify(provenance)) as Provenance;
}

for (const engine of ENGINES)
  test(`its figures are the history's after ${OPERATIONS} random operations: ${engine.name}, seed ${SEED}`, async () => {
    await using box = await openSandbox(await engine.url());
    const { store } = box;
    const read = openReader(store);
    const model = new ProvenanceModel();
    const random = randomness(SEED);
    const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)];
    const backups: { file: string; backup: Backup }[] = [];
    let clock = Date.UTC(2026, 0, 2);
    let edition = 0;

    /** Criticism, praise, or nothing that is about an aspect; of twins, which have the same words, criticism. */
    function wordsOf({ id, author, twin }: Slot): string {
      const said = [CRITICISM, "They came right on time and the price was fair.", ""];
      return twin === undefined ? `${said[edition++ % 3]} Words of ${id}.` : `${CRITICISM} ${author}.`;
    }

    function someRows(): ImportedRow[] {
      const slots = SLOTS.map((slot) => ({ slot, order: random(1000) })).toSorted((a, b) => a.order - b.order);
      return slots.slice(0, 1 + random(6)).map(({ slot }) => ({
        slot,
        rating: 1 + random(5),
        text: slot.twin === undefined && random(4) === 0 ? null : wordsOf(slot),
        verified: slot.source !== "first_party" && random(4) === 0,
        isSpam: random(8) === 0,
      }));
    }

    async function importSome(now: Date): Promise<string> {
      const rows = someRows();
      const sources = random(12) === 0 || clock === Date.UTC(2026, 0, 2, 0, 1) ? someSources() : undefined;
      const isComplete = random(6) === 0;
      const file = box.write(
        "reviews.json",
        rows.map(({ slot: { id, author, date, source }, ...row }) => {
          return {
            id,
            author,
            date,
            source,
            rating: row.rating,
            text: row.text,
            verified: row.verified,
            status: row.isSpam ? "spam" : "published",
          };
        }),
      );
      const business = box.write("business.yaml", `name: Ada\ntime_zone: UTC\nverified_sources: [${sources}]\n`);
      await box.take(sources === undefined ? [file] : [business, file], { now, complete: isComplete, yes: true });
      model.import(rows, { at: now.toISOString(), isComplete, ...(sources && { sources }) });
      return `import ${JSON.stringify({ sources, isComplete, rows })}`;
    }

    function someSources(): string[] {
      return ["google", "facebook", "yelp"].filter(() => random(3) > 0);
    }

    async function correctOne(now: Date): Promise<string> {
      const row = pick(model.published());
      if (row === undefined) return "nothing to correct";
      const [aspect, is] = [pick(ASPECTS) ?? "", pick(CORRECTED) ?? "none"];
      const { id } = row.slot;
      const corrected = correctFinding(store, { id: idOf(row.slot), aspect, is }, { now });
      if (model.correct(id, { aspect, is, at: now.toISOString() })) await corrected;
      else await assert.rejects(corrected, /Nothing about/);
      return `correct ${id} ${aspect} ${is}`;
    }

    async function uncorrectOne(now: Date): Promise<string> {
      const { id, aspect } = pick(await allCorrections(store))?.correction ?? {};
      const slot = SLOTS.find((each) => idOf(each) === id);
      if (id === undefined || slot === undefined || aspect === undefined) return "nothing to uncorrect";
      await takeBackCorrection(store, { id, aspect }, now);
      model.uncorrect(slot.id, aspect, now.toISOString());
      return `uncorrect ${slot.id} ${aspect}`;
    }

    const operations: ((now: Date) => Promise<string>)[] = [
      importSome,
      importSome,
      importSome,
      correctOne,
      correctOne,
      uncorrectOne,
      async (now) => {
        const source = pick(model.stored())?.slot.source;
        if (source === undefined) return "nothing to withdraw";
        await withdrawSource(store, source, now);
        model.withdraw(source, now.toISOString());
        return `withdraw ${source}`;
      },
      async (now) => {
        const row = pick(model.published());
        if (row === undefined) return "nothing to remove";
        const what =
          row.slot.twin === undefined && random(2) === 0
            ? pick([["author"], ["text"], ["author", "text"]] as const)
            : undefined;
        await removeReviews(store, [idOf(row.slot)], { what: what ?? ["review"], now });
        model.remove(row.slot.id, what ?? ["review"], now.toISOString());
        return `remove ${what} ${row.slot.id}`;
      },
      async (now) => {
        const id = pick(model.removed());
        const slot = SLOTS.find((each) => each.id === id);
        if (id === undefined || slot === undefined) return "nothing to readmit";
        await readmitReviews(store, [idOf(slot)], now);
        model.readmit(id);
        return `readmit ${id}`;
      },
      async (now) => {
        const change = await changeToUndo(store).catch(() => undefined);
        if (change === undefined) return "nothing to undo";
        await undoChange(store, change.number, now);
        model.undo(now.toISOString());
        return `undo ${change.number}`;
      },
      async (now) => {
        const last = pick(backups);
        if (backups.length < 3 || last === undefined || random(2) === 0) {
          const file = join(box.folder, `${backups.length < 3 ? backups.length : random(3)}.db`);
          rmSync(file, { force: true });
          await backUp(store, file);
          const at = backups.findIndex((each) => each.file === file);
          backups.splice(at === -1 ? backups.length : at, 1, { file, backup: model.backup() });
          return `backup ${file}`;
        }
        await restoreBackup(store, last.file, now);
        model.restore(last.backup, now.toISOString());
        return `restore ${last.file}`;
      },
    ];
    const log: string[] = [];
    for (let done = 0; done < OPERATIONS; done++) {
      clock += 60_000;
      const operation = done === 0 ? importSome : pick(operations);
      log.push(`${done}: ${await operation?.(new Date(clock))}`);
      const { generated_at: _, ...found } = done % RENDER_EVERY === 0 ? await read() : await readFigures(store);
      assert.deepEqual(found, model.provenance(), log.slice(-12).join("\n"));
    }
  });

test("it holds no word, name, id or day of a removed review", async () => {
  await using box = await openSandbox();
  const business = box.write("business.yaml", "name: Ada\ntime_zone: UTC\n");
  const rows = ["removed", "named", "worded"].map((id) => {
    return { id, author: `Author ${id}`, date: "2024-05-06", source: "google", rating: 1, text: `Text ${id}` };
  });
  await box.take([business, box.write("reviews.json", rows)]);
  const [first, second, third] = rows.map(({ id, date }) => deriveReviewId("google", id, date));
  const now = new Date("2026-02-03T04:05:06Z");
  await removeReviews(box.store, [first ?? ""], { what: ["review"], now });
  await removeReviews(box.store, [second ?? ""], { what: ["author"], now });
  await removeReviews(box.store, [third ?? ""], { what: ["text"], now });
  const provenance = await openReader(box.store)();
  assert.deepEqual(provenance.removals, [{ year: 2024, rating: 1, removed: 1, redacted_author: 1, redacted_text: 1 }]);
  await withdrawSource(box.store, "google", now);
  for (const each of [provenance, await openReader(box.store)()])
    for (const needle of ["Author", "Text", String(first), String(second), String(third)])
      assert.ok(!JSON.stringify(each).includes(needle), needle);
  assert.ok(!JSON.stringify(await openReader(box.store)()).includes("2024-05"));
});

async function backUp(store: Store, file: string): Promise<void> {
  const copy = await openStore("sqlite::memory:");
  try {
    await copyStore(store, copy);
    await backupStore(copy, file);
  } finally {
    await copy.close();
  }
}
