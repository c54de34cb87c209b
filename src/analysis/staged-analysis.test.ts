import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { sql } from "kysely";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { checkPaths } from "../import/importer.ts";
import { analyseText, analysisKey } from "../insight/text-analysis.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { packCandidate } from "../store/staging/packed-candidate.ts";
import type { StagedReview, Staging } from "../store/staging/staged-review.ts";
import { openStaging } from "../store/staging/staging.ts";
import { openStore, readSnapshot, type Store } from "../store/store.ts";
import { sweepAnalyses } from "./analysis-sweep.ts";
import { modelAnalysisKey } from "./language-model/model-cache-key.ts";
import { openStagedAnalysis, type StagedAnalysis } from "./staged-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

const LATE = "They came two hours late and left a mess.";
const COLD = "House was cold again within the hour, and the price was fair.";
const taxonomy = taxonomyOf(undefined);
const keyOf = (text: string, rating: number) => analysisKey(text, rating, taxonomy);
const kept = async (store: Store) => (await readSnapshot(store)).analyses;
const page = (...texts: readonly (readonly [id: string, text: string | null, stars: string])[]) =>
  takeoutPage(...texts.map(([id, comment, starRating]) => takeoutReview(id, { comment, starRating })));

/** An empty store, a staging area, and the analysis of what will be staged. */
async function openImport() {
  const [store, staging] = [await openStore("sqlite:"), openStaging()];
  const analysis = openStagedAnalysis(store.database, staging, { business: undefined });
  return {
    ...{ store, staging, analysis },
    async [Symbol.asyncDispose]() {
      await analysis.close();
      staging.close();
      await store.close();
    },
  };
}

/** Stages reviews from Google with these texts, as an import does, which looks at each hundred. */
async function stageAll(analysis: StagedAnalysis, staging: Staging, texts: readonly string[]): Promise<StagedReview[]> {
  const staged = texts.map((text, index): StagedReview => {
    const fields = { source: "google", source_id: `${index}`, rating: ratingOf(index), text };
    const body = packCandidate({ ...fields, date: "2024-05-06", written_at: null });
    const keys = { id: `${index}`, source_key: `${index}`, natural_key: "", basis: "own id" as const };
    return { ...keys, source: "google", place: "", body };
  });
  for (const [index, review] of staged.entries()) {
    staging.add(review);
    if (index % 100 === 99) await analysis.lookAhead();
  }
  return staged;
}

/** The analyses in the order of their keys. */
async function analysesIn({ database }: Store): Promise<{ key: string; body: string }[]> {
  const rows = await database.selectFrom("analysis").selectAll().orderBy("key").execute();
  return rows.map(({ key, body }) => ({ key, body }));
}

const ratingOf = (index: number) => 1 + (index % 5);

/** What the staging area holds for the store. It forgets it. */
function takenFrom(staging: Staging) {
  return [...staging.takeAnalyses(100)].flat();
}

/** These analyses, and what they should be for these texts. */
function compare(
  analyses: readonly { readonly key: string; readonly body: string }[],
  texts: Iterable<readonly [index: number, text: string]>,
): void {
  const expected = [...texts].map(([index, text]): [string, string] => {
    const rating = ratingOf(index);
    return [keyOf(text, rating), JSON.stringify(analyseText(text, rating, taxonomy))];
  });
  const found = analyses.map(({ key, body }): [string, string] => [key, body]);
  assert.deepEqual(found, [...new Map(expected)].toSorted());
}

for (const length of [500, 1_500]) {
  test(`each of ${length} staged texts is analysed once, ahead or later, as it would be alone`, async () => {
    await using importing = await openImport();
    const { store, staging, analysis } = importing;
    const texts = Array.from({ length }, (_, index) => `They left dust ${index % 1_200}.`);
    texts[length - 100] = "They left dust everywhere. ".repeat(500);
    await stageAll(analysis, staging, texts);
    let told = 0;
    await analysis.complete((analysed) => {
      told = analysed;
    });
    const distinct = Math.min(length, 1_201); // one text occurs in two reviews of as many stars
    const isHelped = length > 1_000 && availableParallelism() > 1;
    assert.ok(isHelped ? told < distinct : told === distinct, "threads have time while the reviews are written");
    await analysis.keepReady(store.database);
    assert.equal((await analysesIn(store)).length >= told, true);
    await analysis.goOn(store.database);
    await analysis.keep(store.database);
    compare(await analysesIn(store), texts.entries());
    assert.deepEqual(takenFrom(staging), []);
  });
}

test("threads go on analysing while the reviews are written, which gives nothing else a turn", async () => {
  await using importing = await openImport();
  const { store, staging, analysis } = importing;
  const texts = Array.from({ length: 3_000 }, (_, index) => `They left dust ${index}.`);
  await stageAll(analysis, staging, texts);
  await analysis.complete(() => {});
  let answered = 0;
  const unanswered = () => {
    answered += takenFrom(staging).length;
    return texts.length - answered;
  };
  const deadline = performance.now() + 20_000;
  while (unanswered() > 400 && performance.now() < deadline) await analysis.goOn(store.database);
  assert.ok(unanswered() <= 400, "a thread is given at most 400 texts ahead");
});

test("what is analysed ahead is kept only for reviews that stay staged, and is what it would be later", async () => {
  await using importing = await openImport();
  const { store, staging, analysis } = importing;
  const texts = Array.from({ length: 1_500 }, (_, index) => `They left dust ${index}.`);
  const staged = await stageAll(analysis, staging, texts);
  for (const [index, review] of staged.entries()) if (index % 5 !== 0) staging.replace([review], undefined);
  await analysis.complete(() => {});
  await analysis.keepReady(store.database);
  await analysis.keep(store.database);
  compare(
    await analysesIn(store),
    [...texts.entries()].filter(([index]) => index % 5 === 0),
  );
});

test("texts whose analyses are stored are looked for once, and none is made", async () => {
  const [store, staging] = [await openStore("sqlite:"), openStaging()];
  const texts = Array.from({ length: 300 }, (_, index) => `They left dust ${index}.`);
  const stored = texts.map((text, index) => ({ key: keyOf(text, ratingOf(index)), body: "{}" }));
  await keepAnalyses(store.database, stored);
  const analysis = openStagedAnalysis(store.database, staging, { business: undefined });
  await stageAll(analysis, staging, texts);
  await store.close(); // who asks it again, fails
  await analysis.complete(() => assert.fail("nothing is to be analysed"));
  await analysis.keep(store.database);
  await analysis.close();
  staging.close();
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
