import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { chosenStoreUrl } from "../../test/support/engines.ts";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { deriveReviewId } from "../../test/support/review-id.ts";
import { modelAnalysisKey } from "../analysis/language-model/model-cache-key.ts";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { analyseText } from "../insight/text-analysis.ts";
import { Invalid } from "../issue.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { readHistory } from "../store/history/change-rows.ts";
import { isErasurePending, listRemovalKeys, listRemovals } from "../store/history/removal-rows.ts";
import { copyStore } from "../store/history/store-copy.ts";
import { backupStore, openStore, readSnapshot, type Store } from "../store/store.ts";
import { correctFinding } from "./corrections.ts";
import { clearErasedWords } from "./erasure.ts";
import { readmitReviews, removeReviews } from "./removal.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

const NOW = new Date("2026-02-03T04:05:06Z");
/** The suite runs over one engine at a time. */
const IS_ON_POSTGRES = process.env.GOODWORD_TEST_ENGINE === "PostgreSQL";
const WHOLE = { what: ["review"], now: NOW } as const;
const WORDS = "They came quickly but the whimsical thermostat stayed broken and rude words were said";
const KEPT = "Fair price and a tidy job in the attic";

const business = (zone: string, sources = "google") =>
  `name: Northside\ncategory: HVACBusiness\ntime_zone: ${zone}\nverified_sources: [${sources}]\n`;

/** A sandbox on a file, with one review to be removed and one that stays. */
async function withReviews(): Promise<{ box: Sandbox; id: string; file: string; export: string }> {
  const box = await openSandbox((folder) => chosenStoreUrl(join(folder, "store")));
  const file = box.url.replace(/^sqlite:/, "");
  const page = takeoutPage(
    takeoutReview("a", { comment: WORDS, starRating: "TWO", reviewer: { displayName: "Quirina Zabel" } }),
    takeoutReview("b", { comment: KEPT }),
  );
  const path = box.write("takeout.json", page);
  await box.take(path);
  const id = deriveReviewId("google", "a", "2024-05-06");
  assert.ok((await box.reviews()).some((review) => review.id === id));
  return { box, id, file, export: path };
}

/** Backs a store up as the command does. */
async function backUp(store: Store, file: string): Promise<void> {
  if (!IS_ON_POSTGRES) return await backupStore(store, file);
  const copy = await openStore("sqlite:");
  await copyStore(store, copy);
  await backupStore(copy, file);
  await copy.close();
}

/** The files of a folder in which one of the words stands, looked at by a process of its own: reading drops locks. */
function filesHolding(folder: string, ...words: readonly string[]): string[] {
  const script = `
    const { readdirSync, readFileSync } = require("node:fs");
    const [folder, ...words] = process.argv.slice(1);
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(folder + "/" + name);
      for (const word of words) if (bytes.includes(word)) console.log(name + ": " + word);
    }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script, folder, ...words], { encoding: "utf8" });
  assert.equal(stderr, "");
  assert.ok(readdirSync(folder).length > 0);
  return stdout.trim() === "" ? [] : stdout.trim().split("\n");
}

describe("removeReviews()", () => {
  test("takes a review out, and no later import brings it back: same export, other format, other time zone", async () => {
    const { box, id, export: takeout } = await withReviews();
    await using _ = box;
    const { revision } = await removeReviews(box.store, [id], WHOLE);
    assert.equal(revision, 2);
    const remaining = async () => (await box.reviews()).map(({ text }) => text);
    assert.deepEqual(await remaining(), [KEPT]);
    assert.deepEqual((await readSnapshot(box.store)).gone, [id]);

    const report = await box.take(takeout);
    assert.deepEqual([report.read, report.added, report.unchanged, report.left_out], [2, 0, 1, 1]);
    assert.equal(report.revised, false);
    assert.match(report.warnings.join(), /1 review stays out, because you removed it/);
    const forms: readonly [string, string, object?][] = [
      ["ids.csv", `id,author,rating,date,text,source\na,Quirina Zabel,2,2024-05-06,${WORDS},google\n`],
      ["plain.csv", `author,rating,date,text,source\nQuirina Zabel,2,2024-05-06,${WORDS},google\n`],
      ["edited.csv", `id,author,rating,date,text,source\na,Q. Z.,2,2024-05-06,Other words,google\n`],
      ["neighbour.csv", `author,rating,date,text,source\nQuirina Zabel,2,2024-05-07,${WORDS},google\n`],
      ["elsewhere.csv", `author,rating,date,text\n"Quirina  Zabel",2,2024-05-06,"${WORDS}"\n`, { source: "yelp" }],
    ];
    for (const [name, csv, options] of forms) {
      assert.equal((await box.take(box.write(name, csv), options)).added, 0, name);
    }
    const published = { id, author: "Quirina Zabel", rating: 2, date: "2024-05-06", text: WORDS, source: "google" };
    assert.equal(
      (await box.take(box.write("published.json", { reviews: [{ ...published, verified: true }] }))).added,
      0,
    );
    await box.take(box.write("business.yaml", business("Pacific/Pago_Pago")));
    assert.equal((await box.take(takeout)).added, 0, "also under the days of another time zone");
    assert.deepEqual(await remaining(), [KEPT]);
    assert.equal((await box.rows()).length, 1, "nor is anything withheld");
  });

  test("stays out when its author is read from no column or from another one, removed as redacted", async () => {
    const table = `Kürzel,Wer,Sterne,Datum,Kommentar\nzq,Quirina Zabel,2,2024-05-06,${WORDS}\nbo,Bo Ek,5,2024-05-06,${KEPT}\nan,An Ny,5,2024-05-06,Super!\nbe,Be No,5,2024-05-06,Super!\n`;
    for (const what of ["review", "author", "text"] as const) {
      await using box = await openSandbox();
      const file = box.write("reviews.csv", table);
      const take = (columns: Record<string, string>) =>
        box.take(file, {
          source: "google",
          columns: { rating: "Sterne", date: "Datum", text: "Kommentar", ...columns },
        });
      await take({ author: "Wer" });
      const idOf = async (author: string) => (await box.reviews()).find((one) => one.author === author)?.id ?? "";
      const { copies } = await removeReviews(box.store, [await idOf("Quirina Zabel"), await idOf("An Ny")], {
        what: [what],
        now: NOW,
      });
      assert.deepEqual(copies, [], "short words of another person are another review");
      const left = (await box.reviews()).length;
      assert.equal(left, what === "review" ? 2 : 4);
      for (const columns of [{}, { author: "Kürzel" }]) {
        await take(columns);
        const said = (await box.reviews()).map(({ author, text }) => `${author}: ${text}`);
        const gone = what === "author" ? `Quirina Zabel: ${WORDS}` : WORDS;
        assert.ok(!said.some((one) => one.includes(gone)), `${what}, ${JSON.stringify(columns)}: ${said.join("; ")}`);
        const copiesNow = said.filter((one) => one.endsWith(WORDS));
        assert.ok(copiesNow.length <= 1, copiesNow.join("; "));
      }
    }
  });

  test("one removed without a name stays out when its author is read later, but not a rating without words", async () => {
    await using box = await openSandbox();
    const file = box.write(
      "reviews.csv",
      "Wer,rating,date,text\nQuirina Zabel,2,2024-05-06,Rude!\nBo Ek,4,2024-05-06,\n",
    );
    await box.take(file, { source: "google" });
    const ids = (await box.reviews()).map(({ id }) => id);
    assert.equal(ids.length, 2);
    await removeReviews(box.store, ids, WHOLE);
    await box.take(file, { source: "google", columns: { author: "Wer" } });
    assert.deepEqual(
      (await box.reviews()).map(({ author }) => author),
      ["Bo Ek"],
    );
  });

  test("other people's own reviews of one source stay, whatever they say", async () => {
    await using box = await openSandbox();
    const rows = ["g1,Ann Lee", "g2,Bo Ek"].map((one) => `${one},5,2024-05-06,${KEPT},google\n`).join("");
    const file = box.write("a.csv", `id,author,rating,date,text,source\n${rows}`);
    await box.take(file);
    await removeReviews(box.store, [deriveReviewId("google", "g1", "2024-05-06")], WHOLE);
    await box.take(file);
    assert.deepEqual(
      (await box.reviews()).map(({ author }) => author),
      ["Bo Ek"],
    );
  });

  test("a rating without words is known by its own id, and without one by author and day", async () => {
    await using box = await openSandbox();
    const stars = (rows: string) => box.write("stars.csv", `id,author,rating,date,text,source\n${rows}`);
    await box.take(stars("s1,Ann,5,2024-01-02,,google\ns2,Bo,4,2024-01-02,,google\n,Cy,3,2024-01-02,,google\n"));
    const byAuthor = new Map((await box.reviews()).map(({ author, id }) => [author, id]));
    await removeReviews(box.store, [byAuthor.get("Ann") ?? "", byAuthor.get("Cy") ?? ""], WHOLE);
    const again = "s1,Ann,5,2024-01-02,,google\n,Ann,5,2024-01-02,,google\n,Cy,3,2024-01-02,,google\n";
    assert.equal((await box.take(stars(again))).added, 0);
    assert.equal((await box.take(stars("c9,Cy,3,2024-01-02,,google\n"))).added, 0, "the same, now with an id");
    assert.equal((await box.take(stars("s9,Ann,5,2024-01-02,,google\n"))).added, 1, "another id is another review");
    assert.equal((await box.take(stars(",Ann,5,2024-03-04,,google\n"))).added, 1);
  });

  test("takes every copy of other sources along and names it, but not what the same source calls another review", async () => {
    await using box = await openSandbox();
    const csv = (rows: string) => `id,author,rating,date,text,source\n${rows}`;
    await box.take(box.write("business.yaml", business("UTC", "google, yelp, facebook")));
    await box.take(
      box.write(
        "a.csv",
        csv(
          `g1,Ann Lee,5,2024-05-06,Great!,google\ng2,Ann Lee,5,2024-05-06,Great!,google\n` +
            `y1,Ann Lee,5,2024-05-06,Great!,yelp\n,Ann Lee,5,2024-05-07,great! ,facebook\n`,
        ),
      ),
    );
    const idOf = (source: string, id: string) => deriveReviewId(source, id, "2024-05-06");
    const { copies } = await removeReviews(box.store, [idOf("google", "g1")], WHOLE);
    assert.deepEqual(new Set(copies.map(({ source }) => source)), new Set(["yelp", "facebook"]));
    assert.deepEqual(
      (await box.rows()).map(({ id }) => id),
      [idOf("google", "g2")],
    );
    const again = await box.take(join(box.folder, "a.csv"));
    assert.deepEqual([again.added, again.unchanged, again.left_out], [0, 1, 3]);
    await readmitReviews(box.store, [idOf("google", "g1")], NOW);
    assert.equal((await box.take(join(box.folder, "a.csv"))).added, 3);
  });

  test("erases its own words, also if the erasure of an earlier removal is under way", async () => {
    const { box, id, file } = await withReviews();
    await using _ = box;
    const other = await openStore(IS_ON_POSTGRES ? file : `sqlite:${file}`);
    const [kept = ""] = (await box.reviews()).filter((review) => review.id !== id).map((review) => review.id);
    await removeReviews(box.store, [id], WHOLE);
    let removing: Promise<unknown> | undefined;
    await clearErasedWords(box.store, () => {
      removing = removeReviews(other, [kept], WHOLE);
    });
    await removing;
    assert.equal(await isErasurePending(other.database), true);
    assert.equal(await clearErasedWords(other), "everything");
    assert.equal(await isErasurePending(other.database), false);
    if (!IS_ON_POSTGRES) assert.deepEqual(filesHolding(join(box.folder, "store"), KEPT), []);
    await other.close();
  });

  test("leaves its words in no file: rows, earlier edits, analyses, copies for undo, freed space, log, backups", {
    skip: IS_ON_POSTGRES && "PostgreSQL keeps files of its own: see engine/postgres.test.ts",
  }, async () => {
    const { box, id, file, export: takeout } = await withReviews();
    await using _ = box;
    const edited = "Earlier they had promised a gargantuan discount";
    const page = takeoutPage(
      takeoutReview("a", {
        ...{ comment: edited, updateTime: "2024-06-01T00:00:00Z", reviewer: { displayName: "Quirina Zabel" } },
        reviewReply: { comment: "Dear Quirina, perspicacious regrets", updateTime: "2024-06-02T00:00:00Z" },
      }),
      takeoutReview("b", { comment: KEPT }),
    );
    await box.take(box.write("edited.json", page));
    await box.take(box.write("copy.csv", `author,rating,date,text\nQuirina Zabel,2,2024-05-06,${edited}\n`));
    const taxonomy = taxonomyOf(undefined);
    const analyses = [WORDS, edited].map((text) => ({
      key: modelAnalysisKey(text, 2, "0123456789abcdef"),
      body: JSON.stringify({ ...analyseText(text, 2, taxonomy), evidence: text }),
    }));
    await keepAnalyses(box.store.database, analyses);
    const other = await openStore(`sqlite:${file}`); // a server that goes on running
    const needles = ["whimsical", "gargantuan", "perspicacious", "Quirina", "Zabel"];
    const folder = join(box.folder, "store");
    assert.notDeepEqual(filesHolding(folder, ...needles), []);

    const report = await removeReviews(box.store, [id], WHOLE);
    assert.equal(report.copies.length, 1, "the copy from another source goes with it");
    assert.equal(await isErasurePending(box.store.database), true);
    assert.equal(await clearErasedWords(box.store), "everything");
    assert.equal(await isErasurePending(box.store.database), false);
    assert.deepEqual(filesHolding(folder, ...needles), []);
    assert.equal((await readSnapshot(other)).reviews.length, 1);

    await box.take([takeout, join(box.folder, "edited.json"), join(box.folder, "copy.csv")]);
    const backups = join(box.folder, "backups");
    await backUp(box.store, join(backups, "later.db"));
    for (const place of [folder, backups]) assert.deepEqual(filesHolding(place, ...needles), []);
    await other.close();

    const keys = await listRemovalKeys(box.store.database);
    for (const { key } of keys) assert.match(key, /^([0-9a-f]{64}|[0-9A-Z]{16})$/, "hashes only");
    const listed = (await listRemovals(box.store.database)).map((removal) => ({ ...removal }));
    assert.deepEqual(listed, [{ id, what: "review", at: NOW.toISOString(), source: "google", rating: 5 }]);
  });

  test("finds in the copies for undo what the review said before it had its own id", async () => {
    await using box = await openSandbox();
    await box.take(box.write("a.csv", "author,rating,date,text,source\nAnn,2,2024-05-06,First words,google\n"));
    await box.take(box.write("b.csv", "id,author,rating,date,text,source\nx1,Ann,2,2024-05-06,First words,google\n"));
    await box.take(box.write("c.csv", "id,author,rating,date,text,source\nx1,Ann,2,2024-05-06,Last words,google\n"));
    const [review] = await box.reviews();
    await removeReviews(box.store, [review?.id ?? ""], WHOLE);
    const copies = await box.store.database.selectFrom("saved_row").select("body").execute();
    assert.ok(!JSON.stringify(copies).includes("words"));
    for (const command of ["import", "import", "import"]) {
      const change = await changeToUndo(box.store);
      assert.equal(change.command, command);
      await undoChange(box.store, change.number, NOW);
      assert.deepEqual(await box.rows(), []);
    }
  });

  const [FIRST, LAST] = ["Rude and overpriced at first", "Rude and overpriced at last"];
  const table = (text: string, id = "") => `id,author,rating,date,text,source\n${id},Ann,2,2024-05-06,${text},google\n`;
  for (const [name, exports] of [
    ["came back without its id", [table(FIRST, "s"), table(LAST, "s"), "withdraw", table(LAST)]],
    ["had three ids", [table(FIRST), "withdraw", table(FIRST, "s"), table(LAST, "s"), "withdraw", table(LAST)]],
    ["came back with few words", [table("Rude and overpriced", "s"), "withdraw", table("Rude and overpriced")]],
  ] as const) {
    for (const what of ["review", "author", "text"] as const) {
      test(`leaves neither earlier words nor notes of a review that ${name}, by removal of what is ${what}`, async () => {
        await using box = await openSandbox();
        for (const given of exports) {
          if (given === "withdraw") await withdrawSource(box.store, "google", NOW);
          else await box.take(box.write("a.csv", given));
          const [review] = given === "withdraw" ? [] : await box.reviews();
          const wanted = { id: review?.id ?? "", aspect: "pricing", is: "none", note: "Ann admitted it" } as const;
          if (review?.text?.includes("overpriced")) await correctFinding(box.store, wanted, { now: NOW });
        }
        const [review] = await box.reviews();
        await removeReviews(box.store, [review?.id ?? ""], { what: [what], now: NOW });
        const left: unknown[] = [];
        for (const name of ["saved_row", "correction", "review"] as const)
          left.push(await box.store.database.selectFrom(name).selectAll().execute());
        assert.doesNotMatch(JSON.stringify(left), what === "text" ? /words|[Rr]ude|admitted/ : /Ann/);
      });
    }
  }

  test("an id that is not published changes nothing, also beside one that is", async () => {
    const { box, id } = await withReviews();
    await using _ = box;
    await box.take(box.write("withheld.csv", "id,rating,date\nw,5,2024-01-01\n"), { source: "yelp" });
    const withheld = (await box.rows()).find(({ source }) => source === "yelp")?.id ?? "";
    for (const ids of [["NONSENSE"], [withheld], [id, deriveReviewId("google", "absent", "2024-01-01")]]) {
      await assert.rejects(removeReviews(box.store, ids, WHOLE), Invalid);
    }
    assert.equal((await box.rows()).length, 3);
    assert.deepEqual(await listRemovals(box.store.database), []);
    await removeReviews(box.store, [`http://localhost:8080/reviews/${id}`], WHOLE);
    await assert.rejects(removeReviews(box.store, [id], WHOLE), /was removed on 2026-02-03/);
  });

  test("a person's name in place of an id is answered with the reviews of that name", async () => {
    const { box, id } = await withReviews();
    await using _ = box;
    for (const name of ["Quirina Zabel", "zabel"]) {
      await assert.rejects(removeReviews(box.store, [name], WHOLE), (error: Error) => {
        assert.ok(error.message.includes(`"${name}" is not the id of a review`), error.message);
        assert.ok(error.message.includes(`${id} (Quirina Zabel, 2024-05-06, 2 stars`), error.message);
        return true;
      });
    }
    await assert.rejects(removeReviews(box.store, ["No Body"], WHOLE), /no published review .* name.*\/reviews\/ID/);
    assert.equal((await box.rows()).length, 2);
  });

  test("redacts the name or the words, and keeps them out of later imports in every form", async () => {
    const { box, id, export: takeout } = await withReviews();
    await using _ = box;
    await removeReviews(box.store, [id], { what: ["author"], now: NOW });
    const find = async () => (await box.reviews()).find(({ rating }) => rating === 2);
    assert.deepEqual([(await find())?.author, (await find())?.text], ["Customer", WORDS]);
    const forms = [
      ["ids.csv", `id,author,rating,date,text,source\na,Quirina Zabel,2,2024-05-06,${WORDS},google\n`],
      ["plain.csv", `author,rating,date,text,source\nQuirina Zabel,2,2024-05-06,${WORDS},google\n`],
      ["copy.csv", `author,rating,date,text,source\nQuirina Zabel,2,2024-05-06,${WORDS},facebook\n`],
    ] as const;
    const again = async () => {
      assert.equal((await box.take(takeout)).revised, false);
      for (const [name, csv] of forms) assert.equal((await box.take(box.write(name, csv))).revised, false, name);
      assert.equal((await box.rows()).length, 2);
    };
    await again();
    await removeReviews(box.store, [id], { what: ["text"], now: NOW });
    assert.deepEqual([(await find())?.author, (await find())?.text, (await find())?.id], ["Customer", null, id]);
    await again();
    await box.take(box.write("business.yaml", business("Pacific/Pago_Pago", "google, facebook")));
    assert.equal((await find())?.id, deriveReviewId("google", "a", (await find())?.date ?? ""));
    await again();
    assert.equal((await box.take(takeout, { complete: true })).withdrawn, 0);
    assert.ok(!JSON.stringify(await box.rows()).includes("Zabel"));
    const listed = await listRemovals(box.store.database);
    assert.deepEqual([...new Set(listed.map((removal) => removal.id))], [(await find())?.id]);
  });

  test("a redacted review without an own id stays one review over another time zone", async () => {
    await using box = await openSandbox();
    const csv = "author,rating,created,text,source\nAnn,2,2024-05-06T20:00:00Z,Words of hers,google\n";
    await box.take(box.write("a.csv", csv));
    const [before] = await box.reviews();
    await removeReviews(box.store, [before?.id ?? ""], { what: ["author", "text"], now: NOW });
    await box.take(box.write("business.yaml", business("Pacific/Kiritimati")));
    await box.take(box.write("a.csv", csv));
    const rows = await box.rows();
    assert.deepEqual(
      rows.map(({ author, text, date }) => [author, text, date]),
      [["Customer", null, "2024-05-07"]],
    );
  });

  test("says where the name of a redacted author still stands", async () => {
    await using box = await openSandbox();
    const reply = { comment: "Thank you, Quirina!", updateTime: "2024-06-02T00:00:00Z" };
    const reviewer = { displayName: "Quirina Zabel" };
    await box.take(box.write("a.json", takeoutPage(takeoutReview("a", { reviewer, reviewReply: reply }))));
    const id = deriveReviewId("google", "a", "2024-05-06");
    const { names } = await removeReviews(box.store, [id], { what: ["author"], now: NOW });
    assert.deepEqual(names, [{ id, where: "owner_reply" }]);
  });

  test("an import that began before a removal does not undo it", async () => {
    const { box, id, export: takeout } = await withReviews();
    await using _ = box;
    await box.store.database.deleteFrom("analysis").execute();
    let removing: Promise<unknown> | undefined;
    const importing = box.take(takeout, {
      onProgress: ({ phase }) => {
        if (phase === "analysing") removing ??= removeReviews(box.store, [id], WHOLE);
      },
    });
    await assert.rejects(importing, /removed or redacted during this import. Import again/);
    await removing;
    assert.equal((await box.reviews()).length, 1);
  });
});

describe("readmitReviews()", () => {
  test("lets the next import bring the review back whole, after a removal as after a redaction", async () => {
    const { box, id, export: takeout } = await withReviews();
    await using _ = box;
    for (const what of [["review"], ["author", "text"]] as const) {
      await removeReviews(box.store, [id], { what, now: NOW });
      await readmitReviews(box.store, [id], NOW);
      await box.take(takeout);
      const review = (await box.reviews()).find((each) => each.id === id);
      assert.deepEqual([review?.author, review?.text], ["Quirina Zabel", WORDS]);
      assert.deepEqual([await listRemovals(box.store.database), (await readSnapshot(box.store)).gone], [[], []]);
    }
    await assert.rejects(readmitReviews(box.store, [id], NOW), /neither removed nor redacted/);
  });
});

describe("ids after a change of the time zone", () => {
  const csv = "id,author,rating,created,text,source\nx,Ann,2,2024-05-06T20:00:00Z,Words of hers,google\n";
  const [here, there] = [deriveReviewId("google", "x", "2024-05-06"), deriveReviewId("google", "x", "2024-05-07")];

  test("a redaction is listed and taken back under the id that the page has, also when the change is undone", async () => {
    await using box = await openSandbox();
    await box.take(box.write("a.csv", csv));
    await removeReviews(box.store, [here], { what: ["author"], now: NOW });
    const listed = async () => (await listRemovals(box.store.database)).map(({ id }) => id);
    await box.take(box.write("business.yaml", business("Pacific/Kiritimati")));
    assert.deepEqual([(await box.reviews()).map(({ id }) => id), await listed()], [[there], [there]]);
    await undoChange(box.store, (await changeToUndo(box.store)).number, NOW);
    assert.deepEqual([(await box.reviews()).map(({ id }) => id), await listed()], [[here], [here]]);
    await box.take(box.write("business.yaml", business("Pacific/Kiritimati")));
    assert.deepEqual(await readmitReviews(box.store, [here], NOW), [there], "the id of before is understood");
    await box.take(join(box.folder, "a.csv"));
    assert.deepEqual(
      (await box.reviews()).map(({ id, author }) => [id, author]),
      [[there, "Ann"]],
    );
  });

  test("a removal holds in the other zone, and is taken back by the id of either", async () => {
    await using box = await openSandbox();
    await box.take(box.write("a.csv", csv));
    await removeReviews(box.store, [here], WHOLE);
    await box.take(box.write("business.yaml", business("Pacific/Kiritimati")));
    assert.equal((await box.take(join(box.folder, "a.csv"))).added, 0);
    await assert.rejects(removeReviews(box.store, [there], WHOLE), /was removed on/);
    await readmitReviews(box.store, [there], NOW);
    assert.equal((await box.take(join(box.folder, "a.csv"))).added, 1);
  });

  test("a backup of the other zone is restored with the redactions of now", async () => {
    await using box = await openSandbox();
    await box.take(box.write("a.csv", csv));
    const backup = join(box.folder, "backups", "before.db");
    await backUp(box.store, backup);
    await box.take(box.write("business.yaml", business("Pacific/Kiritimati")));
    await removeReviews(box.store, [there], { what: ["author"], now: NOW });
    await restoreBackup(box.store, backup, NOW);
    assert.deepEqual(
      (await box.reviews()).map(({ id, author }) => [id, author]),
      [[here, "Customer"]],
    );
    assert.deepEqual(
      (await listRemovals(box.store.database)).map(({ id }) => id),
      [here],
    );
  });
});

describe("restoreBackup()", () => {
  test("brings a backup's state back, keeps removals, and moves the revision on", async () => {
    const { box, id } = await withReviews();
    await using _ = box;
    const backup = join(box.folder, "backups", "old.db");
    await backUp(box.store, backup);
    await box.take(box.write("more.csv", "id,rating,date,source\nm,5,2024-01-01,google\n"));
    await box.take(box.write("business.yaml", business("UTC")));
    await removeReviews(box.store, [id], WHOLE);
    const before = (await readSnapshot(box.store)).revision.number;
    const report = await restoreBackup(box.store, backup, NOW);
    const { revision, reviews, business: restored, gone } = await readSnapshot(box.store);
    const withdrawn = deriveReviewId("google", "m", "2024-01-01");
    assert.deepEqual([revision.number, report.revision], [before + 1, before + 1]);
    assert.deepEqual([Array.from(reviews, ({ text }) => text), restored, gone], [[KEPT], undefined, [withdrawn, id]]);
    assert.deepEqual([report.added, report.changed, report.withdrawn, report.isNew], [0, 0, 1, false]);

    const again = await restoreBackup(box.store, backup, NOW);
    assert.equal(again.revision, report.revision, "what is the same already changes nothing");
    await undoChange(box.store, (await changeToUndo(box.store)).number, NOW);
    const undone = await readSnapshot(box.store);
    assert.deepEqual([undone.reviews.length, undone.business?.name, undone.gone], [2, "Northside", [id]]);
    assert.ok(undone.revision.number > report.revision);
  });

  test("into a new store it brings subscriptions and keys along, and removals of the backup too", async () => {
    const { box, id } = await withReviews();
    await using _ = box;
    await removeReviews(box.store, [id], WHOLE);
    const key = { number: 1, secret: "ab", made_at: NOW.toISOString() };
    await box.store.database.insertInto("session_key").values(key).execute();
    const backup = join(box.folder, "backups", "moved.db");
    await backUp(box.store, backup);
    await using other = await openSandbox();
    const report = await restoreBackup(other.store, backup, NOW);
    assert.deepEqual([report.added, report.isNew, report.removals], [1, true, 1]);
    assert.equal((await other.store.database.selectFrom("session_key").selectAll().execute()).length, 1);
    const page = takeoutPage(takeoutReview("a", { comment: WORDS }));
    assert.equal((await other.take(other.write("again.json", page))).added, 0);
  });

  for (const what of ["review", "text"] as const) {
    test(`a snapshot that reads only what changed is without a ${what} that the backup's removals erased`, async () => {
      const { box, id, export: path } = await withReviews();
      await using _ = box;
      await removeReviews(box.store, [id], { what: [what], now: NOW });
      const backup = join(box.folder, "backups", "removed.db");
      await backUp(box.store, backup);
      await readmitReviews(box.store, [id], NOW);
      await box.take(path);
      const last = await readSnapshot(box.store);
      assert.ok(last.reviews.some(({ text }) => text === WORDS));
      assert.equal((await restoreBackup(box.store, backup, NOW)).removals, 1);
      assert.deepEqual(await readSnapshot(box.store, last), await readSnapshot(box.store));
    });
  }

  test("a file that is no backup is refused, and nothing changes", async () => {
    const { box } = await withReviews();
    await using _ = box;
    const text = box.write("text.db", "not a database at all, but long enough to be read as one ".repeat(40));
    await assert.rejects(
      restoreBackup(box.store, text, NOW),
      /not a database; name the file that goodword backup wrote/,
    );
    await assert.rejects(restoreBackup(box.store, join(box.folder, "absent.db"), NOW), /cannot be opened/);
    assert.equal((await box.reviews()).length, 2);
  });
});

describe("restoreBackup() of a spoilt file", () => {
  /** A backup of a store with reviews enough for many pages, as bytes. */
  async function backupBytes(box: Sandbox): Promise<Buffer> {
    const rows = Array.from({ length: 400 }, (_, row) => `${row},5,2024-01-01,Words of ${row} ${"again ".repeat(40)}`);
    await box.take(box.write("many.csv", `id,rating,date,text\n${rows.join("\n")}\n`), { source: "google" });
    const file = join(box.folder, "backups", "whole.db");
    await backUp(box.store, file);
    return readFileSync(file);
  }

  test("is refused with what is wrong and what to do, and the store stays as it was", async () => {
    const { box } = await withReviews();
    await using _ = box;
    const whole = await backupBytes(box);
    const flipped = Buffer.from(whole);
    flipped.fill(0x5a, Math.floor(whole.length / 2), Math.floor(whole.length / 2) + 9_000);
    const other = join(box.folder, "other.db");
    new DatabaseSync(other).exec("create table note (text)");
    const newer = join(box.folder, "newer.db");
    writeFileSync(newer, whole);
    new DatabaseSync(newer).exec("insert into kysely_migration values ('999-later', '2030-01-01')");
    const before = [await box.rows(), (await readSnapshot(box.store)).revision];
    const cases: readonly [string, Buffer | string, RegExp][] = [
      ["cut short", whole.subarray(0, Math.floor(whole.length / 2)), /damaged/],
      ["cut within a page", whole.subarray(0, whole.length - 1000), /damaged/],
      ["overwritten in the middle", flipped, /damaged/],
      ["nothing but a head", whole.subarray(0, 100), /damaged|not a database|empty/],
      ["empty", Buffer.alloc(0), /empty/],
      ["of another program", other, /no store of goodword/],
      ["of a newer version", newer, /newer goodword/],
      ["a folder", box.folder, /folder/],
    ];
    for (const [name, content, expected] of cases) {
      const file = typeof content === "string" ? content : join(box.folder, "spoilt.db");
      if (typeof content !== "string") writeFileSync(file, content);
      await assert.rejects(restoreBackup(box.store, file, NOW), (error: Error) => {
        assert.match(error.message, expected, name);
        assert.match(error.message, /The store is as it was/, name);
        return true;
      });
      assert.deepEqual([await box.rows(), (await readSnapshot(box.store)).revision], before, name);
    }
  });
});

describe("undoChange()", () => {
  test("takes imports and withdrawals back one after the other, with ids that a time zone moved", async () => {
    await using box = await openSandbox();
    const states: unknown[] = [];
    const remember = async () => states.push([await box.rows(), (await readSnapshot(box.store)).business]);
    const page = (...ids: readonly string[]) =>
      takeoutPage(...ids.map((id) => takeoutReview(id, { comment: `Words of ${id} ${ids.length}` })));
    await remember();
    await box.take(box.write("a.json", page("a", "b", "c")));
    await remember();
    await box.take(box.write("a.json", page("a", "b", "c", "d")));
    await remember();
    await box.take([box.write("business.yaml", business("Pacific/Pago_Pago")), box.write("b.json", page("e"))]);
    await remember();
    await box.take(box.write("a.json", page("a", "e")), { complete: true, yes: true });
    const history = await readHistory(box.store.database);
    assert.deepEqual(
      history.map(({ added, changed, withdrawn }) => [added, changed, withdrawn]),
      [
        [0, 2, 3],
        [1, 4, 0],
        [1, 3, 0],
        [3, 0, 0],
      ],
    );
    let revision = (await readSnapshot(box.store)).revision.number;
    while (states.length > 0) {
      const change = await changeToUndo(box.store);
      await undoChange(box.store, change.number, NOW);
      assert.deepEqual([await box.rows(), (await readSnapshot(box.store)).business], states.pop());
      const next = (await readSnapshot(box.store)).revision.number;
      assert.ok(next > revision);
      revision = next;
    }
    await assert.rejects(changeToUndo(box.store), /nothing to undo/);
    assert.ok((await readHistory(box.store.database)).every(({ undone }) => undone));
    assert.deepEqual(await box.store.database.selectFrom("saved_row").selectAll().execute(), []);
  });

  test("keeps copies of the last changes only, always those of the last one", async () => {
    await using box = await openSandbox();
    for (let round = 0; round < 13; round += 1) {
      await box.take(box.write("a.csv", `id,rating,date,text,source\n1,5,2024-01-01,Round ${round},google\n`));
    }
    const changes = await box.store.database.selectFrom("saved_row").select("change").distinct().execute();
    assert.equal(changes.length, 10);
    for (let round = 0; round < 10; round += 1) {
      await undoChange(box.store, (await changeToUndo(box.store)).number, NOW);
    }
    await assert.rejects(changeToUndo(box.store), /can no longer be undone/);
    assert.equal((await box.reviews())[0]?.text, "Round 2");
  });
});
