/** Corrections of findings: what they move, what they outlive, and what takes them away (interface §6). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import fc from "../../test/support/properties.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import type { Correction } from "../correction.ts";
import { type Edition, openEdition } from "../edition/edition.ts";
import type { Provenance } from "../edition/provenance.ts";
import { renderDatasets } from "../edition/render-datasets.ts";
import { analyseText, analysisKey } from "../insight/text-analysis.ts";
import { Invalid } from "../issue.ts";
import { renderReviewPage } from "../page/review-page.ts";
import { listCorrections } from "../store/correction-rows.ts";
import { readHistory } from "../store/history/change-rows.ts";
import { copyStore } from "../store/history/store-copy.ts";
import { backupStore, openStore, readBusiness, readSnapshot, type Store } from "../store/store.ts";
import { allCorrections, correctFinding, takeBackCorrection } from "./corrections.ts";
import { removeReviews } from "./removal.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

const NOW = new Date("2026-02-03T04:05:06Z");
const taxonomy = taxonomyOf(undefined);
releaseEngines();

const COMPLAINT = "Overpriced and rude. They came three hours late.";
const PRAISE = "They came right on time and the price was very fair.";

const REVIEW = { author: "Customer a", date: "2024-05-06", rating: 2, text: COMPLAINT };

async function editionOf(store: Store): Promise<Edition & Pick<Provenance, "corrections">> {
  const rendered = renderDatasets(await readSnapshot(store), { baseUrl: "https://r.example", sample: false, taxonomy });
  return Object.assign(openEdition(rendered), { corrections: rendered.provenance.corrections });
}

/** What is published of each review: `punctuality negative`, with a star where it was corrected. */
async function findings(store: Store): Promise<Record<string, string[]>> {
  const edition = await editionOf(store);
  const { reviews } = await readSnapshot(store);
  return Object.fromEntries(
    reviews.map(({ id, author }) => [
      author.replace("Customer ", ""),
      (edition.analysis(id)?.aspects ?? []).map((one) => `${one.id} ${one.sentiment}${one.corrected ? "*" : ""}`),
    ]),
  );
}

async function idOf(store: Store, name: string): Promise<string> {
  return (await readSnapshot(store)).reviews.find(({ author }) => author === `Customer ${name}`)?.id ?? "";
}

const complaint = (id: string, others = {}) => takeoutReview(id, { comment: COMPLAINT, starRating: "ONE", ...others });
const praise = (id: string, others = {}) => takeoutReview(id, { comment: PRAISE, ...others });

test("an id or aspect that is not found is a fault and changes nothing", async () => {
  await using box = await openSandbox();
  const { store } = box;
  await box.take(box.write("a.json", takeoutPage(complaint("a"))));
  const id = await idOf(store, "a");
  const before = (await readSnapshot(store)).revision;
  const cases: [() => Promise<unknown>, RegExp][] = [
    [() => correctFinding(store, { id: "01K", aspect: "pricing", is: "none" }, { now: NOW }), /not published/],
    [() => correctFinding(store, { id, aspect: "cleanliness", is: "none" }, { now: NOW }), /found in it: punctuality/],
    [() => correctFinding(store, { id, aspect: "pricing", is: "none", note: "a\0" }, { now: NOW }), /cannot be shown/],
    [() => correctFinding(store, { id, aspect: "pricing", is: "none", note: "a".repeat(1001) }, { now: NOW }), /1001/],
    [() => takeBackCorrection(store, { id, aspect: "pricing" }, NOW), /no correction of "pricing"/],
  ];
  for (const [act, message] of cases) {
    await assert.rejects(act, (error) => error instanceof Invalid && message.test(error.issues[0]?.message ?? ""));
  }
  assert.deepEqual((await readSnapshot(store)).revision, before);
  assert.equal((await readHistory(store.database)).length, 1);
});

test("a correction moves every figure and sentence, and no review", async () => {
  await using box = await openSandbox();
  const { store } = box;
  const names = ["a", "b", "c", "d"];
  await box.take(box.write("a.json", takeoutPage(...names.map((name) => complaint(name)), praise("e"))));
  const before = await editionOf(store);
  const reviewsBefore = (await readSnapshot(store)).reviews;
  const about = ({ insights }: Edition) => insights.aspects.find(({ id }) => id === "pricing");
  assert.deepEqual([about(before)?.negative_count, about(before)?.positive_count], [4, 1]);
  const said = (edition: Edition) => JSON.stringify([edition.insights.faq, edition.insights.summary]);
  assert.match(said(before), /price/);
  for (const name of names) {
    await correctFinding(store, { id: await idOf(store, name), aspect: "Pricing", is: "none" }, { now: NOW });
  }
  const id = (await idOf(store, "e")).toLowerCase();
  await correctFinding(store, { id, aspect: "pricing", is: "negative", note: "Sarcasm" }, { now: NOW });
  const after = await editionOf(store);
  assert.deepEqual([about(after)?.negative_count, about(after)?.positive_count], [1, 0]);
  assert.deepEqual(about(after)?.example_review_ids, [id.toUpperCase()]);
  assert.doesNotMatch(said(after), /price/);
  assert.notEqual(about(before)?.top_phrases.length, 0);
  assert.deepEqual(about(after)?.top_phrases, []);
  assert.equal(before.insights.pull_quote, PRAISE);
  assert.equal(after.insights.pull_quote, null);
  const scoreOf = (edition: Edition) => edition.analysis(id.toUpperCase())?.score ?? 0;
  assert.ok(scoreOf(after) < scoreOf(before));
  assert.deepEqual(await findings(store), {
    ...Object.fromEntries(names.map((name) => [name, ["punctuality negative"]])),
    e: ["punctuality positive", "pricing negative*"],
  });
  assert.deepEqual(after.corrections, { hidden_criticism: 4, hidden_praise: 0, changed: 1 });
  assert.deepEqual((await readSnapshot(store)).reviews, reviewsBefore);
  const pageOf = (edition: Edition) => renderReviewPage(edition, id.toUpperCase())?.body.toString() ?? "";
  assert.deepEqual(
    [before, after].map((edition) => pageOf(edition).includes("corrected by the business")),
    [false, true],
  );
});

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("a second correction replaces the first, one of another text rests, and taking it back brings the finding back", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      const take = async (comment: string) =>
        await box.take(box.write("a.json", takeoutPage(takeoutReview("a", { comment, starRating: "ONE" }))));
      const correct = async (is: Correction["is"], minute: number) =>
        await correctFinding(store, { id, aspect: "pricing", is }, { now: new Date(NOW.getTime() + minute * 60_000) });
      const listed = async () =>
        (await allCorrections(store)).map(({ correction: { was, is }, isInForce }) => `${was} ${is} ${isInForce}`);
      await take(COMPLAINT);
      const id = await idOf(store, "a");
      await correct("none", 1);
      await correct("positive", 2);
      assert.deepEqual(await listed(), ["negative positive true"]);
      await take(`${COMPLAINT} Edited.`);
      assert.deepEqual(await findings(store), { a: ["punctuality negative", "pricing negative"] });
      assert.deepEqual((await editionOf(store)).corrections.changed, 0);
      await correct("none", 3);
      assert.deepEqual(await listed(), ["negative none true", "negative positive false"]);
      await takeBackCorrection(store, { id, aspect: "pricing" }, NOW);
      assert.deepEqual(await listed(), ["negative positive false"]);
      await take(COMPLAINT);
      assert.deepEqual(await findings(store), { a: ["punctuality negative", "pricing positive*"] });
      await takeBackCorrection(store, { id, aspect: "pricing" }, NOW);
      assert.deepEqual(await findings(store), { a: ["punctuality negative", "pricing negative"] });
      const commands = (await readHistory(store.database)).map(({ command }) => command);
      assert.deepEqual(commands.slice(0, 4), ["uncorrect", "import", "uncorrect", "correct"]);
    });

    for (const [what, notes] of [
      ["review", []],
      ["text", []],
      ["author", [null]],
    ] as const) {
      test(`a removal of what is "${what}" takes ${what === "author" ? "notes" : "corrections"} with it, out of backups too`, async () => {
        const source = await openStore(`sqlite:`);
        await using box = await openSandbox(await engine.url());
        const { store } = box;
        await box.take(box.write("a.json", takeoutPage(complaint("a"), complaint("b", { comment: `${COMPLAINT} B` }))));
        for (const name of ["a", "b"]) {
          const id = await idOf(store, name);
          await correctFinding(store, { id, aspect: "pricing", is: "none", note: `Note on ${name}` }, { now: NOW });
        }
        await copyStore(store, source);
        await using other = { [Symbol.asyncDispose]: () => source.close() };
        assert.ok(other);
        const file = join(box.folder, `${what}.db`);
        await backupStore(source, file);
        const id = await idOf(store, "a");
        await removeReviews(store, [id], { what: [what], now: NOW });
        for (let round = 0; round < 2; round++) {
          const left = (await listCorrections(store.database)).map(({ note }) => note).toSorted();
          assert.deepEqual(left, ["Note on b", ...notes], `round ${round}`);
          await restoreBackup(store, file, NOW);
        }
      });
    }
  });
}

test("a correction that rests outlives a redaction of the author, and goes with one of the words", async () => {
  for (const [what, expected] of [
    ["author", ["none"]],
    ["text", []],
  ] as const) {
    await using box = await openSandbox();
    const { store } = box;
    const take = async (text: string | null) =>
      await box.take(box.write("a.json", [{ ...REVIEW, id: "a", source: "google", text }]));
    await take(COMPLAINT);
    const id = await idOf(store, "a");
    await correctFinding(store, { id, aspect: "pricing", is: "none", note: "Customer a" }, { now: NOW });
    await take(null);
    await removeReviews(store, [id], { what: [what], now: NOW });
    await take(COMPLAINT);
    const left = await listCorrections(store.database);
    assert.deepEqual(
      left.map(({ is, note }) => [is, note]),
      expected.map((is) => [is, null]),
      what,
    );
    const { corrections } = await editionOf(store);
    assert.equal(corrections.hidden_criticism, expected.length, what);
  }
});

test("a correction of a review that two sources have holds whichever of them is published", async () => {
  await using box = await openSandbox();
  const { store } = box;
  const business = box.write("business.yaml", "name: N\ntime_zone: UTC\nverified_sources: [google, facebook]\n");
  const take = async (...sources: string[]) =>
    await box.take([
      business,
      box.write(
        "a.json",
        sources.map((source) => ({ ...REVIEW, id: source, source })),
      ),
    ]);
  const undo = async () => await undoChange(store, (await changeToUndo(store)).number, NOW);
  await take("google");
  await correctFinding(store, { id: await idOf(store, "a"), aspect: "pricing", is: "none" }, { now: NOW });
  const steps: [source: string, step: () => Promise<unknown>][] = [
    ["google", () => take("facebook")],
    ["facebook", () => withdrawSource(store, "google", NOW)],
    ["google", undo],
    ["facebook", async () => [await withdrawSource(store, "google", NOW), await take("google")]],
    ["google", () => withdrawSource(store, "facebook", NOW)],
  ];
  for (const [source, step] of steps) {
    await step();
    assert.deepEqual(
      (await readSnapshot(store)).reviews.map((one) => one.source),
      [source],
    );
    assert.deepEqual(await findings(store), { a: ["punctuality negative"] }, source);
    assert.deepEqual((await editionOf(store)).corrections.hidden_criticism, 1, source);
  }
});

test("a restore that brings a correction of a removed copy brings no note and is no change", async () => {
  await using box = await openSandbox();
  const { store } = box;
  const business = box.write("business.yaml", "name: N\ntime_zone: UTC\nverified_sources: [google, facebook]\n");
  const take = async (source: string) =>
    await box.take([business, box.write("a.json", [{ ...REVIEW, id: source, source }])]);
  await take("google");
  await correctFinding(store, { id: await idOf(store, "a"), aspect: "pricing", is: "none", note: "Ann" }, { now: NOW });
  await withdrawSource(store, "google", NOW);
  const file = join(box.folder, "backup.db");
  await backupStore(store, file);
  await take("facebook");
  await removeReviews(store, [await idOf(store, "a")], { what: ["review"], now: NOW });
  await restoreBackup(store, file, NOW);
  assert.deepEqual(
    (await listCorrections(store.database)).filter(({ note }) => note !== null),
    [],
  );
  assert.equal((await readSnapshot(store)).history.changes[0]?.kind, "removal");
});

describe("a correction that rests in a backup", () => {
  /** A backup of a store in which the corrections of `a` and `b` rest, whatever `forge` does to them. */
  async function restingBackup(box: Awaited<ReturnType<typeof openSandbox>>, forge: Partial<Correction> = {}) {
    await using source = await openSandbox();
    const { store } = source;
    await source.take(source.write("a.json", takeoutPage(complaint("a"), complaint("b", { createTime: LATER }))));
    for (const name of ["a", "b"])
      await correctFinding(
        store,
        { id: await idOf(store, name), aspect: "pricing", is: "none", note: `On ${name}` },
        { now: NOW },
      );
    await source.take(source.write("a.json", EDITED));
    await store.database
      .updateTable("correction")
      .set({ at: NOW.toISOString(), ...forge })
      .execute();
    const file = join(box.folder, `${crypto.randomUUID()}.db`);
    await backupStore(store, file);
    return file;
  }
  const LATER = "2024-08-06T07:08:09Z";
  const EDITED = takeoutPage(
    complaint("a", { comment: "Fine." }),
    complaint("b", { comment: "Fine.", createTime: LATER }),
  );
  const BACK = takeoutPage(complaint("a"), complaint("b", { createTime: LATER }));
  const listed = async (store: Store) =>
    (await allCorrections(store)).map(({ correction: { note }, isInForce }) => `${note} ${isInForce}`).toSorted();

  test("is taken over to rest, from store to store, and is counted in public once its text is back", async () => {
    await using first = await openSandbox();
    await using box = await openSandbox();
    const { store } = box;
    await restoreBackup(first.store, await restingBackup(box), NOW);
    const file = join(box.folder, "again.db");
    await backupStore(first.store, file);
    await restoreBackup(store, file, NOW);
    assert.deepEqual(await listed(store), ["On a false", "On b false"]);
    assert.equal((await editionOf(store)).corrections.hidden_criticism, 0);
    await box.take(box.write("a.json", BACK));
    assert.deepEqual(await listed(store), ["On a true", "On b true"]);
    assert.deepEqual(await findings(store), { a: ["punctuality negative"], b: ["punctuality negative"] });
    assert.equal((await editionOf(store)).corrections.hidden_criticism, 2);
    await undoChange(store, (await changeToUndo(store)).number, NOW);
    assert.deepEqual(await listed(store), ["On a false", "On b false"]);
    await box.take(box.write("a.json", BACK));
    assert.equal((await editionOf(store)).corrections.hidden_criticism, 2);
  });

  test("is not believed: what is found in its text counts", async () => {
    for (const [forge, left, hidden_criticism] of [
      [{ was: "positive" }, ["On a true", "On b true"], 2],
      [{ aspect: "cleanliness" }, [], 0],
    ] as const) {
      await using box = await openSandbox();
      await restoreBackup(box.store, await restingBackup(box, forge), NOW);
      assert.deepEqual(await listed(box.store), ["On a false", "On b false"]);
      await box.take(box.write("a.json", BACK));
      assert.deepEqual(await listed(box.store), left);
      assert.deepEqual((await editionOf(box.store)).corrections, { hidden_criticism, hidden_praise: 0, changed: 0 });
    }
  });

  test("stays away where it may be of a removed review, and leaves its note where it may be of a redacted one", async () => {
    for (const [what, expected] of [
      ["review", ["On b false"]],
      ["text", ["On b false"]],
      ["author", ["On b false", "null false"]],
    ] as const) {
      await using box = await openSandbox();
      await box.take(box.write("a.json", takeoutPage(praise("c"))));
      await removeReviews(box.store, [await idOf(box.store, "c")], { what: [what], now: NOW });
      await restoreBackup(box.store, await restingBackup(box), NOW);
      assert.deepEqual(await listed(box.store), expected, what);
    }
  });
});

/** 500 with GOODWORD_TEST_CORRECTIONS=500. */
const SEQUENCES = Number(process.env.GOODWORD_TEST_CORRECTIONS ?? 6);

const NAMES = ["a", "b", "c"];
const TEXTS = [COMPLAINT, PRAISE, "Rude and overpriced, and late by two hours."];
const step = fc.oneof(
  fc.record({
    kind: fc.constant("import" as const),
    ids: fc.subarray(NAMES, { minLength: 1 }),
    text: fc.nat(TEXTS.length - 1),
    complete: fc.boolean(),
    zone: fc.constantFrom("UTC", "Asia/Tokyo", "America/Phoenix"),
  }),
  fc.record({
    kind: fc.constant("correct" as const),
    name: fc.constantFrom(...NAMES),
    aspect: fc.constantFrom("pricing", "punctuality"),
    is: fc.constantFrom("none" as const, "positive" as const, "negative" as const),
  }),
  fc.record({ kind: fc.constantFrom("undo" as const, "back up" as const, "restore" as const) }),
  fc.record({
    kind: fc.constantFrom("migrate" as const, "move" as const, "new weights" as const, "withdraw" as const),
  }),
);

test(`corrections outlive ${SEQUENCES} sequences of import, undo, restore, here or elsewhere, migration and new weights`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await using box = await openSandbox();
      let { store } = box;
      let backup: string | undefined;
      let count = 0;
      /** What was corrected, by the name of the review, its text and the aspect. */
      const expected = new Map<string, Correction["is"]>();
      try {
        for (const given of steps) {
          count += 1;
          await apply(given);
          await check(`${count}: ${given.kind}`);
        }
      } finally {
        if (store !== box.store) await store.close();
      }

      async function apply(given: (typeof steps)[number]): Promise<void> {
        const now = new Date(NOW.getTime() + count * 60_000);
        if (given.kind === "import") {
          const { ids, text, complete, zone } = given;
          const page = ids.map((id) => ({
            ...{
              author: `Customer ${id}`,
              rating: 3,
              date: "2024-05-06T20:00:00Z",
              text: `${TEXTS[text]} ${id}`,
              source: "google",
            },
            ...(id === "c" ? {} : { id }),
          }));
          const business = box.write("business.yaml", `name: N\ncategory: HVACBusiness\ntime_zone: ${zone}\n`);
          const reviews = box.write("a.json", page);
          const { importPaths } = await import("../import/importer.ts");
          await importPaths(store, [business, reviews], { now, complete, yes: true });
        } else if (given.kind === "correct") {
          const { name, aspect, is } = given;
          const id = await idOf(store, name);
          try {
            await correctFinding(store, { id, aspect, is }, { now });
          } catch (error) {
            if (error instanceof Invalid) return;
            throw error;
          }
          const text = (await readSnapshot(store)).reviews.find((review) => review.id === id)?.text;
          expected.set(`${name} ${text} ${aspect}`, is);
        } else if (given.kind === "undo") {
          const change = await changeToUndo(store).catch(() => undefined);
          if (change !== undefined) await undoChange(store, change.number, now);
        } else if (given.kind === "back up") {
          backup = join(box.folder, `${count}.db`);
          await backupStore(store, backup);
        } else if (given.kind === "restore") {
          if (backup !== undefined) await restoreBackup(store, backup, now);
        } else if (given.kind === "migrate" || given.kind === "move") {
          const to = await openStore("sqlite::memory:");
          if (given.kind === "migrate") await copyStore(store, to);
          else {
            const file = join(box.folder, `move-${count}.db`);
            await backupStore(store, file);
            await restoreBackup(to, file, now);
          }
          if (store !== box.store) await store.close();
          store = to;
        } else if (given.kind === "withdraw") await withdrawSource(store, "google", now);
        else await weigh(store, count % 2 === 0);
      }

      async function check(after: string): Promise<void> {
        const edition = await editionOf(store);
        const { reviews } = await readSnapshot(store);
        let inForce = 0;
        for (const { id, author, text } of reviews) {
          for (const aspect of ["pricing", "punctuality"]) {
            const is = expected.get(`${author.replace("Customer ", "")} ${text} ${aspect}`);
            const found = edition.analysis(id)?.aspects.find((one) => one.id === aspect);
            const published = found?.corrected ? found.sentiment : found === undefined ? "none" : undefined;
            if (is === undefined) assert.notEqual(found?.corrected, true, after);
            else assert.equal(published, is, `${after}: ${author}, ${aspect}`);
            if (is !== undefined) inForce += 1;
          }
        }
        const counted = Object.values(edition.corrections).reduce((sum, one) => sum + one, 0);
        assert.equal(counted, inForce, after);
      }
    }),
    { numRuns: SEQUENCES },
  );
});

/** Has every text analysed otherwise, as other weights may: nothing is found, or everything is praised. */
async function weigh(store: Store, findsNothing: boolean): Promise<void> {
  const of = taxonomyOf(await readBusiness(store.database));
  for (const { text, rating } of (await readSnapshot(store)).reviews) {
    const key = analysisKey(text, rating, of);
    const found = analyseText(text, rating, of);
    const aspects = findsNothing ? [] : found.aspects.map((one) => ({ ...one, sentiment: "positive" }));
    await store.database.deleteFrom("analysis").where("key", "=", key).execute();
    await store.database
      .insertInto("analysis")
      .values({ key, body: JSON.stringify({ ...found, aspects }) })
      .execute();
  }
}
