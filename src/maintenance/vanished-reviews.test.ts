/** Vanished reviews outlive, or follow, everything that an owner does to the store, on both engines. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { readHistory } from "../store/history/change-rows.ts";
import { copyStore } from "../store/history/store-copy.ts";
import { changesThatFound, listVanishedRows } from "../store/sighting-rows.ts";
import { backupStore, type Store } from "../store/store.ts";
import { readmitReviews, removeReviews } from "./removal.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

const NOW = new Date("2026-06-07T08:09:10Z");
const days = (day: number) => new Date(Date.UTC(2026, 0, day));
const folder = mkdtempSync(join(tmpdir(), "goodword-vanished-"));
after(() => rmSync(folder, { recursive: true, force: true }));
releaseEngines();

/** A Takeout of these reviews. */
function takeoutOf(box: Sandbox, ids: string): string {
  const page = takeoutPage(...[...ids].map((id) => takeoutReview(id)));
  box.write(`${ids}/location-2/reviews.json`, page);
  return `${box.folder}/${ids}`;
}

/** What is listed: `a 1-3` was there on the first of January and not on the third, `a 1-3-5` is back since the fifth. */
async function listed({ database }: Store, ids = "abcdef"): Promise<string[]> {
  const rows = await database.selectFrom("review").select(["id", "source_id"]).execute();
  const names = new Map(rows.map(({ id, source_id }) => [id, source_id]));
  const dayOf = (at: string | null) => (at === null ? [] : [new Date(at).getUTCDate()]);
  return (await listVanishedRows(database))
    .map(({ id, had_last_at, lacked_first_at, returned_at }) => {
      const name = names.get(id) ?? "withdrawn";
      return `${name} ${[had_last_at, lacked_first_at, returned_at].flatMap(dayOf).join("-")}`;
    })
    .filter((line) => ids.includes(line[0] ?? "") || line.startsWith("withdrawn"))
    .toSorted();
}

const undo = async (store: Store) => await undoChange(store, (await changeToUndo(store)).number, NOW);

/** Every row of both tables, as text. */
async function tables({ database }: Store): Promise<string> {
  const rows = [
    await database.selectFrom("sighting").selectAll().execute(),
    await database.selectFrom("vanished_review").selectAll().execute(),
  ];
  return JSON.stringify(rows);
}

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("undo takes back what an import found, and what it had", async () => {
      await using box = await openSandbox(await engine.url());
      await box.take(takeoutOf(box, "abcd"), { now: days(1) });
      await box.take(takeoutOf(box, "abc"), { now: days(3) });
      assert.deepEqual(await listed(box.store), ["d 1-3"]);
      await box.take(takeoutOf(box, "abcd"), { now: days(5) });
      assert.deepEqual(await listed(box.store), ["d 1-3-5"]);
      await undo(box.store);
      assert.deepEqual(await listed(box.store), ["d 1-3"]);
      await undo(box.store);
      assert.deepEqual(await listed(box.store), []);
      await box.take(box.write("business.yaml", "name: A\ntime_zone: UTC\n"), { now: days(5) });
      const finding = await changesThatFound(box.store.database);
      const history = (await readHistory(box.store.database)).map(({ number, undone }) => [
        finding.has(number),
        undone,
      ]);
      assert.deepEqual(history, [[false, false], [true, true], [true, true], [false, false]], "it changed no business"); // biome-ignore format: one line
      await undo(box.store);
      await box.take(takeoutOf(box, "bcd"), { now: days(7) });
      assert.deepEqual(await listed(box.store), ["a 1-7"]);
      await box.take(takeoutOf(box, "bcde"), { now: days(8) });
      await undo(box.store);
      await box.take(takeoutOf(box, "cd"), { now: days(9) });
      assert.deepEqual(await listed(box.store), ["a 1-7", "b 7-9"], "the import of the eighth is undone");
    });

    test("a removed review is in no list, with no word and no id", async () => {
      await using box = await openSandbox(await engine.url());
      await box.take(takeoutOf(box, "abcd"), { now: days(1) });
      await box.take(box.write("a.json", takeoutPage(takeoutReview("c"))), { now: days(2) });
      await box.take(takeoutOf(box, "ab"), { now: days(3) });
      const idOf = async (name: string) => (await box.rows()).find(({ source_id }) => source_id === name)?.id ?? "";
      const [c, d] = [await idOf("c"), await idOf("d")];
      await removeReviews(box.store, [c], { what: ["review"], now: NOW });
      await removeReviews(box.store, [d], { what: ["author", "text"], now: NOW });
      assert.deepEqual(await listed(box.store), ["d 1-3"]);
      assert.doesNotMatch(await tables(box.store), new RegExp(`${c}|Customer|words`));
      await box.take(takeoutOf(box, "a"), { now: days(4) });
      assert.deepEqual(await listed(box.store), ["b 3-4", "d 1-3"]);
      await readmitReviews(box.store, [c], NOW);
      await box.take(takeoutOf(box, "abcd"), { now: days(5) });
      assert.deepEqual(await listed(box.store), ["b 3-4-5", "d 1-3-5"]);
    });

    test("a restore brings the list of its backup, undo that of before, and a removal holds", async () => {
      await using box = await openSandbox();
      const file = join(folder, `${engine.name}.db`);
      await box.take(takeoutOf(box, "abcd"), { now: days(1) });
      await box.take(takeoutOf(box, "abc"), { now: days(3) });
      await backupStore(box.store, file);

      await using other = await openSandbox(await engine.url());
      await other.take(takeoutOf(other, "abcde"), { now: days(2) });
      await other.take(takeoutOf(other, "bcde"), { now: days(4) });
      await restoreBackup(other.store, file, NOW);
      assert.deepEqual(await listed(other.store), ["d 1-3"]);
      await other.take(takeoutOf(other, "ac"), { now: days(6) });
      assert.deepEqual(await listed(other.store), ["b 3-6", "d 1-3"]);
      await undo(other.store);
      await undo(other.store);
      assert.deepEqual(await listed(other.store), ["a 2-4"]);
      const d = (await other.rows()).find(({ source_id }) => source_id === "d")?.id ?? "";
      await removeReviews(other.store, [d], { what: ["review"], now: NOW });
      await restoreBackup(other.store, file, NOW);
      assert.deepEqual(await listed(other.store), []);
      assert.doesNotMatch(await tables(other.store), new RegExp(d));
    });

    test("a restore brings the list back where nothing but that differs, once", async () => {
      await using box = await openSandbox();
      const file = join(folder, `${engine.name}-list.db`);
      await box.take(takeoutOf(box, "abcd"), { now: days(1) });
      await box.take(takeoutOf(box, "abc"), { now: days(3) });
      await backupStore(box.store, file);

      await using other = await openSandbox(await engine.url());
      await restoreBackup(other.store, file, NOW);
      await other.take(takeoutOf(other, "abcd"), { now: days(4) });
      assert.deepEqual(await listed(other.store), ["d 1-3-4"]);
      const { isListChanged, revision } = await restoreBackup(other.store, file, NOW);
      assert.equal(isListChanged, true);
      assert.deepEqual(await listed(other.store), ["d 1-3"]);
      const again = await restoreBackup(other.store, file, NOW);
      assert.deepEqual([again.isListChanged, again.revision], [false, revision]);
      await undo(other.store);
      assert.deepEqual(await listed(other.store), ["d 1-3-4"]);
    });

    test("another engine has the same list, and goes on with it", async () => {
      await using box = await openSandbox(await engine.url());
      await box.take(takeoutOf(box, "abcd"), { now: days(1) });
      await box.take(takeoutOf(box, "abc"), { now: days(3) });
      await using other = await openSandbox(await ENGINES.find((each) => each !== engine)?.url());
      await copyStore(box.store, other.store);
      await other.take(takeoutOf(other, "abd"), { now: days(4) });
      assert.deepEqual(await listed(other.store), ["c 3-4", "d 1-3-4"]);
    });

    test("a source that is withdrawn keeps its list, and another time zone keeps the reviews", async () => {
      await using box = await openSandbox(await engine.url());
      const zone = (name: string) => box.write("business.yaml", `name: A\ntime_zone: ${name}\n`);
      const late = takeoutPage(takeoutReview("a", { createTime: "2024-05-06T23:08:09Z" }), takeoutReview("b"));
      box.write("late/location-2/reviews.json", late);
      await box.take([zone("UTC"), `${box.folder}/late`], { now: days(1) });
      await box.take(takeoutOf(box, "b"), { now: days(2) });
      await box.take(zone("Asia/Tokyo"), { now: days(3) });
      assert.equal((await box.reviews())[0]?.date, "2024-05-07");
      assert.deepEqual(await listed(box.store), ["a 1-2"]);
      await withdrawSource(box.store, "google", NOW);
      assert.deepEqual(await listed(box.store), ["withdrawn 1-2"]);
      await undo(box.store);
      assert.deepEqual(await listed(box.store), ["a 1-2"]);
      await undo(box.store);
      assert.deepEqual(await listed(box.store), ["a 1-2"]);
    });

    test("a review that is back with another id of its row is back", async () => {
      await using box = await openSandbox(await engine.url());
      const table = (rows: readonly string[]) => ["author,rating,date,text", ...rows].join("\n");
      const [ann, bob] = ["Ann,5,2024-05-06,The words of a", "Bob,4,2024-05-07,Fine"];
      await box.take(box.write("a.csv", table([ann, bob])), { source: "google", now: days(1) });
      await box.take(box.write("b.csv", table([bob])), { source: "google", complete: true, yes: true, now: days(2) });
      assert.deepEqual(await listed(box.store), ["withdrawn 1-2"]);
      await undo(box.store);
      assert.deepEqual(await listed(box.store), []);
      const own = takeoutReview("a", { reviewer: { displayName: "Ann" } });
      await box.take(
        box.write("one/location-2/reviews.json", takeoutPage(own)).replace("/location-2/reviews.json", ""),
        { now: days(3) },
      );
      assert.deepEqual(await listed(box.store), []);
    });
  });
}
