import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import type { AnalysisQueue, TextToAnalyse } from "../analysis/analysis-queue.ts";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { analyseText, analysisKey } from "../insight/text-analysis.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { openStore, readSnapshot, type Store } from "../store/store.ts";
import { analysisKeys, type ImportAnalysis, openImportAnalysis, storeAnalyses } from "./import-analysis.ts";
import { checkPaths } from "./importer.ts";
import { stagedReview } from "./review/candidate.ts";
import { openStaging, type Staging } from "./staging/staging.ts";

const LATE = "They came two hours late and left a mess.";
const COLD = "House was cold again within the hour, and the price was fair.";
const taxonomy = taxonomyOf(undefined);
const keyOf = (text: string, rating: number) => analysisKey(text, rating, taxonomy);
const stored = async (store: Store) => (await readSnapshot(store)).analyses;
const page = (...texts: readonly (readonly [id: string, text: string | null, stars: string])[]) =>
  takeoutPage(...texts.map(([id, comment, starRating]) => takeoutReview(id, { comment, starRating })));

/** An empty store and a staging area, with the analysis of what will be staged. */
async function openImport(store?: Store) {
  const [target, staging] = [store ?? (await openStore("sqlite:")), openStaging(analysisKeys())];
  const analysis = openImportAnalysis(target.database, staging, { business: undefined });
  return {
    ...{ store: target, staging, analysis },
    async [Symbol.asyncDispose]() {
      await analysis.close();
      staging.close();
      await target.close();
    },
  };
}

const ratingOf = (index: number) => 1 + (index % 5);

/** Stages reviews from Google with these texts as an import does, which prefetches after every hundred. */
async function stageAll(staging: Staging, { prefetch }: Pick<ImportAnalysis, "prefetch">, texts: readonly string[]) {
  for (const [index, text] of texts.entries()) {
    const fields = { source: "google", source_id: `${index}`, rating: ratingOf(index), text };
    staging.add(stagedReview({ ...fields, date: "2024-05-06", written_at: null }, `line ${index}`));
    if (index % 100 === 99) await prefetch();
  }
  staging.groupVersions();
}

/** The analyses that these texts should have, in the order of their keys. */
function expected(texts: Iterable<readonly [index: number, text: string]>) {
  const analyses = Array.from(texts, ([index, text]): [string, string] => {
    const rating = ratingOf(index);
    return [keyOf(text, rating), JSON.stringify(analyseText(text, rating, taxonomy))];
  });
  return [...new Map(analyses)].toSorted();
}

/** The staged analyses, in the order in which the store takes them. */
const analysesIn = (staging: Staging) => [...staging.analyses(100)].flat().map(({ key, body }) => [key, body]);

for (const length of [500, 1_500]) {
  test(`each of ${length} staged texts has the analysis that it has alone, whether it was prefetched or not`, async () => {
    await using importing = await openImport();
    const { staging, analysis, store } = importing;
    const texts = Array.from({ length }, (_, index) => `They left dust ${index % 1_200}.`);
    texts[length - 100] = "They left dust everywhere. ".repeat(500);
    await stageAll(staging, analysis, texts);
    const reported: number[] = [];
    await analysis.drain((analysed) => reported.push(analysed));
    assert.ok((reported.at(-1) ?? 0) >= Math.min(length, 1_201));
    assert.deepEqual(analysesIn(staging), expected(texts.entries()));
    await storeAnalyses(store.database, staging);
    const rows = await store.database.selectFrom("analysis").select(["key", "body"]).orderBy("key").execute();
    assert.deepEqual(
      rows.map(({ key, body }) => [key, body]),
      expected(texts.entries()),
    );
  });
}

test("the analyses of texts that did not stay staged are not among those for the store", async () => {
  await using importing = await openImport();
  const { staging, analysis } = importing;
  const texts = Array.from({ length: 1_500 }, (_, index) => `They left dust ${index}.`);
  await stageAll(staging, analysis, texts);
  for (const batch of staging.batches(100))
    for (const review of batch) if (Number(review.candidate.source_id) % 5 !== 0) staging.replace([review], undefined);
  await analysis.drain(() => {});
  const left = [...texts.entries()].filter(([index]) => index % 5 === 0);
  assert.deepEqual(analysesIn(staging), expected(left));
});

test("a review that replaces others after its texts were prefetched is analysed too", async () => {
  await using importing = await openImport();
  const { staging, analysis } = importing;
  await stageAll(
    staging,
    analysis,
    Array.from({ length: 1_100 }, (_, index) => `They left dust ${index}.`),
  );
  const all = [...staging.batches(2_000)].flat();
  const [first] = all;
  assert.ok(first !== undefined);
  staging.replace(all, { ...first, candidate: { ...first.candidate, text: LATE } });
  await analysis.drain(() => {});
  assert.deepEqual(analysesIn(staging), expected([[first.candidate.rating - 1, LATE]]));
});

test("the texts of a worker that never answers are analysed without it", async () => {
  const [store, staging] = [await openStore("sqlite:"), openStaging(analysisKeys())];
  const sent: (readonly TextToAnalyse[])[] = [];
  const queue: AnalysisQueue = {
    hasRoom: () => sent.length < 3,
    send: (batch) => void sent.push(batch),
    receive: () => [],
    takeBack: () => sent.pop(),
    close: async () => await store.close(),
  };
  const analysis = openImportAnalysis(store.database, staging, { business: undefined, queue });
  const texts = Array.from({ length: 1_500 }, (_, index) => `They left dust ${index}.`);
  await stageAll(staging, analysis, texts);
  assert.equal(sent.length, 3);
  await analysis.drain(() => {});
  assert.deepEqual(analysesIn(staging), expected(texts.entries()));
  await analysis.close();
  staging.close();
});

test("texts that have a stored analysis are not analysed again", async () => {
  const store = await openStore("sqlite:");
  const texts = Array.from({ length: 300 }, (_, index) => `They left dust ${index}.`);
  const rows = texts.map((text, index) => ({ key: keyOf(text, ratingOf(index)), body: "{}" }));
  await keepAnalyses(store.database, rows);
  await using importing = await openImport(store);
  const { staging, analysis } = importing;
  await stageAll(staging, analysis, texts);
  await analysis.drain(() => assert.fail("nothing is to be analysed"));
  assert.deepEqual(analysesIn(staging), []);
});

test("importPaths() keeps the analysis of every text that is published, and none of stars alone", async () => {
  await using box = await openSandbox();
  await box.take(
    box.write("a.json", page(["a", LATE, "TWO"], ["b", COLD, "FIVE"], ["c", null, "FIVE"], ["d", " \n", "ONE"])),
  );
  const analyses = await stored(box.store);
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
  assert.equal((await stored(box.store)).size, 0);
});
