import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/import-sandbox.ts";
import { checkPaths } from "../import/importer.ts";
import { analyseText, analysisKey } from "../insight/text-analysis.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { openStaging } from "../store/staging.ts";
import { openStore, readSnapshot, type Store } from "../store/store.ts";
import { sweepAnalyses } from "./analysis-sweep.ts";
import { modelAnalysisKey } from "./language-model/model-cache-key.ts";
import { openStagedAnalysis } from "./staged-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

const LATE = "They came two hours late and left a mess.";
const COLD = "House was cold again within the hour, and the price was fair.";
const taxonomy = taxonomyOf(undefined);
const keyOf = (text: string, rating: number) => analysisKey(text, rating, taxonomy);
const kept = async (store: Store) => (await readSnapshot(store)).analyses;
const page = (...texts: readonly (readonly [id: string, text: string | null, stars: string])[]) =>
  takeoutPage(...texts.map(([id, comment, starRating]) => takeoutReview(id, { comment, starRating })));

test("what is analysed ahead is kept only for reviews that stay staged, and is what it would be later", async () => {
  const [store, staging] = [await openStore("sqlite:"), openStaging()];
  const analysis = openStagedAnalysis(store.database, staging, { business: undefined });
  const reviews = Array.from({ length: 1_500 }, (_, index) => {
    return { source: "google", rating: 1 + (index % 5), text: `They left dust ${index}.` };
  });
  for (const [index, review] of reviews.entries()) {
    analysis.note(review);
    if (index % 100 === 99) await analysis.lookAhead();
  }
  const staged = reviews.slice(1_000).filter((_, index) => index % 5 === 0);
  for (const [index, review] of staged.entries()) {
    const keys = { id: `${index}`, source_key: `${index}`, natural_key: "", basis: "own id" as const };
    staging.add({ ...keys, source: review.source, place: "", body: JSON.stringify(review) });
  }
  let told = 0;
  await analysis.complete((analysed) => {
    told = analysed;
  });
  assert.ok(told > staged.length, "some were analysed ahead that nobody needs");
  const found = [...staging.analyses(100)].flat();
  assert.deepEqual(
    new Map(found.map(({ key, body }) => [key, body])),
    new Map(
      staged.map(({ text, rating }) => [keyOf(text, rating), JSON.stringify(analyseText(text, rating, taxonomy))]),
    ),
  );
  await analysis.close();
  staging.close();
  await store.close();
});

test("importPaths() keeps the analysis of every text that is published, and none of stars alone", async () => {
  await using box = await openSandbox();
  await box.take(
    box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "FIVE"], ["c", null, "FIVE"], ["d", " \n", "ONE"])),
  );
  const analyses = await kept(box.store);
  assert.deepEqual([...analyses.keys()].toSorted(), [keyOf(LATE, 2), keyOf(COLD, 5)].toSorted());
  assert.deepEqual(JSON.parse(analyses.get(keyOf(LATE, 2)) ?? ""), analyseText(LATE, 2, taxonomy));
});

test("importPaths() analyses only what is new or changed", async () => {
  await using box = await openSandbox();
  const analysed: number[] = [];
  const onProgress: NonNullable<Parameters<typeof box.take>[1]>["onProgress"] = ({ phase, written }) => {
    if (phase === "analysing") analysed.push(written);
  };
  await box.take(box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "FIVE"])), { onProgress });
  await box.take(box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "FIVE"])), { onProgress });
  await box.take(box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "THREE"], ["c", COLD, "FIVE"])), {
    onProgress,
  });
  assert.deepEqual(
    analysed,
    [2, 1],
    "the first run reads two texts, the second none, the third the one of three stars",
  );
});

test("importPaths() analyses no text that is withheld, and nothing in a dry run, a check or a refused run", async () => {
  await using box = await openSandbox();
  const csv = box.write("a.csv", `id,rating,date,text\nx,2,2024-05-06,${LATE}\n`);
  const phases = new Set<string>();
  const onProgress: NonNullable<Parameters<typeof box.take>[1]>["onProgress"] = ({ phase }) => phases.add(phase);
  assert.equal((await box.take(csv, { source: "yelp", onProgress })).withheld, 1);
  const takeout = box.write("b.json", page(["a", LATE, "TWO"]));
  await box.take(takeout, { dryRun: true, onProgress });
  await checkPaths([takeout], { now: new Date(), onProgress });
  assert.notDeepEqual(await box.refusal([takeout, box.write("bad.csv", "rating,date\n9,2024-01-01\n")]), []);
  assert.deepEqual([...phases].toSorted(), ["reading", "writing"]);
  assert.equal((await kept(box.store)).size, 0);
});

test("sweepAnalyses() waits until much is stale, and then leaves what published texts need", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "FIVE"])));
  const model = modelAnalysisKey(LATE, 2, "0123456789abcdef");
  const gone = modelAnalysisKey("a text of before", 2, "0123456789abcdef");
  const stale = Array.from({ length: 7 }, (_, index) => ({ key: keyOf(`edited ${index}`, 1), body: "{}" }));
  await keepAnalyses(box.store.database, [{ key: model, body: "{}" }, { key: gone, body: "{}" }, ...stale]);
  assert.equal(await sweepAnalyses(box.store), 0, "eleven rows are not worth a sweep");
  assert.equal((await kept(box.store)).size, 11);
  assert.equal(await sweepAnalyses(box.store, 0), 8);
  assert.deepEqual([...(await kept(box.store)).keys()].toSorted(), [keyOf(LATE, 2), keyOf(COLD, 5), model].toSorted());
  assert.equal(await sweepAnalyses(box.store, 0), 0);
});

test("importPaths() sweeps by itself, so that edits without end do not make the store grow without end", async () => {
  await using box = await openSandbox();
  const rows = (round: number) =>
    Array.from({ length: 150 }, (_, index) => `${index},5,2024-01-01,Fair price number ${round} of ${index}`);
  for (let round = 0; round < 12; round += 1) {
    await box.take(box.write("a.csv", `id,rating,date,text\n${rows(round).join("\n")}\n`), { source: "google" });
  }
  assert.ok((await kept(box.store)).size <= 150 * 3 + 1000);
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
