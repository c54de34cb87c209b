import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { readSnapshot, type Store } from "../store/store.ts";
import { sweepAnalyses } from "./analysis-sweep.ts";
import { modelAnalysisKey } from "./language-model/model-cache-key.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

const LATE = "They came two hours late and left a mess.";
const COLD = "House was cold again within the hour, and the price was fair.";
const taxonomy = taxonomyOf(undefined);
const keyOf = (text: string, rating: number) => analysisKey(text, rating, taxonomy);
const stored = async (store: Store) => (await readSnapshot(store)).analyses;
const page = (...texts: readonly (readonly [id: string, text: string, stars: string])[]) =>
  takeoutPage(...texts.map(([id, comment, starRating]) => takeoutReview(id, { comment, starRating })));

test("sweepAnalyses() waits until much is stale, and then leaves what published texts need", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "FIVE"])));
  const model = modelAnalysisKey(LATE, 2, "0123456789abcdef");
  const gone = modelAnalysisKey("a text of before", 2, "0123456789abcdef");
  const stale = Array.from({ length: 7 }, (_, index) => ({ key: keyOf(`edited ${index}`, 1), body: "{}" }));
  await keepAnalyses(box.store.database, [{ key: model, body: "{}" }, { key: gone, body: "{}" }, ...stale]);
  assert.equal(await sweepAnalyses(box.store), 0, "eleven rows are not worth a sweep");
  assert.equal((await stored(box.store)).size, 11);
  assert.equal(await sweepAnalyses(box.store, 0), 8);
  assert.deepEqual(
    [...(await stored(box.store)).keys()].toSorted(),
    [keyOf(LATE, 2), keyOf(COLD, 5), model].toSorted(),
  );
  assert.equal(await sweepAnalyses(box.store, 0), 0);
});

test("importPaths() sweeps by itself, so that edits without end do not make the store grow without end", async () => {
  await using box = await openSandbox();
  const rows = (round: number) =>
    Array.from({ length: 150 }, (_, index) => `${index},5,2024-01-01,Fair price number ${round} of ${index}`);
  for (let round = 0; round < 12; round += 1) {
    await box.take(box.write("a.csv", `id,rating,date,text\n${rows(round).join("\n")}\n`), { source: "google" });
  }
  assert.ok((await stored(box.store)).size <= 150 * 3 + 1000);
});

test("importPaths() warns when the sweep fails, and what was imported stays", async () => {
  await using box = await openSandbox("sqlite::memory:"); // whose triggers make the fault
  const stale = Array.from({ length: 1100 }, (_, index) => ({ key: keyOf(`edited ${index}`, 1), body: "{}" }));
  await keepAnalyses(box.store.database, stale);
  await sql`create trigger no_sweep before delete on analysis begin select raise(abort, 'no room left'); end`.execute(
    box.store.database,
  );
  const report = await box.take(box.write("a.json", page(["a", LATE, "TWO"])));
  assert.equal(report.added, 1);
  assert.match(report.warnings.join(), /could not be removed \(no room left\)/);
  assert.equal((await box.reviews()).length, 1);
});
