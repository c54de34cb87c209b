import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { deriveReviewId } from "../../test/support/review-id.ts";
import { readHistory } from "../store/history/change-rows.ts";
import { isErasurePending, listRemovals } from "../store/history/removal-rows.ts";
import { storedSize } from "../store/review-rows.ts";
import { backupStore, openStore, readSnapshot, type Store } from "../store/store.ts";
import { clearErasedWords } from "./erasure.ts";
import { readmitReviews, removeReviews } from "./removal.ts";
import { changeToUndo, type UndoReport, undoChange } from "./undo.ts";
import { countOfSource, withdrawSource } from "./withdrawal.ts";

const NOW = new Date("2026-02-03T04:05:06Z");
/** Quotation marks, links and times that a saved row may hold besides words. */
const MORE_BYTES = 200;
const folder = mkdtempSync(join(tmpdir(), "goodword-engines-"));
after(() => rmSync(folder, { recursive: true, force: true }));
releaseEngines();

/** Undoes the last change, of which the question knew before what the store would hold. */
async function undo(store: Store): Promise<UndoReport> {
  const { number } = await changeToUndo(store);
  const estimated = await storedSize(store.database, number);
  const undone = await undoChange(store, number, NOW);
  const { reviews, bytes } = await storedSize(store.database);
  assert.equal(estimated.reviews, reviews);
  assert.ok(
    estimated.bytes >= bytes && estimated.bytes <= bytes + MORE_BYTES * reviews,
    `${estimated.bytes}, ${bytes}`,
  );
  return undone;
}

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("a withdrawn review is remembered by its id, for its address, until it is back", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      const page = (...ids: readonly string[]) => takeoutPage(...ids.map((id) => takeoutReview(id)));
      const idOf = (id: string) => deriveReviewId("google", id, "2024-05-06");
      const gone = async () => (await readSnapshot(store)).gone;
      const [a, b, c] = ["a", "b", "c"].map(idOf);
      await box.take(box.write("a.json", page("a", "b", "c")));
      assert.deepEqual(await gone(), []);
      await box.take(box.write("a.json", page("b", "c")), { complete: true, yes: true });
      assert.deepEqual(await gone(), [a], "withdrawn by a complete export");
      await box.take(box.write("a.json", page("a")));
      assert.deepEqual(await gone(), [], "imported again");
      await withdrawSource(store, "google", NOW);
      assert.deepEqual(await gone(), [a, b, c].toSorted(), "withdrawn with its source");
      await undo(store);
      assert.deepEqual(await gone(), [], "brought back by undo");
      await undo(store);
      assert.deepEqual(await gone(), [a], "the import that brought it is undone");
      await removeReviews(store, [String(b)], { what: ["review"], now: NOW });
      assert.deepEqual(await gone(), [a, b].toSorted(), "beside one that was removed");
    });

    test("reviews are removed, withdrawn, restored and brought back", async () => {
      const file = join(folder, `${engine.name}.db`);
      const old = await openStore(`sqlite:${join(folder, `${engine.name}-source.db`)}`);
      await backupStore(old, file);
      await old.close();
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      const takeout = box.write("a.json", takeoutPage(...["a", "b", "c"].map((id) => takeoutReview(id))));
      await box.take(takeout);
      const texts = async () => (await box.reviews()).map(({ text }) => text).toSorted();
      const id = (await box.reviews()).find(({ text }) => text === "The words of a")?.id ?? "";

      await removeReviews(store, [id], { what: ["review"], now: NOW });
      assert.equal(await clearErasedWords(store), "everything");
      assert.equal(await isErasurePending(store.database), false);
      assert.equal((await box.take(takeout)).revised, false);
      assert.deepEqual(await texts(), ["The words of b", "The words of c"]);

      assert.equal(await countOfSource(store, "google"), 2);
      assert.equal((await withdrawSource(store, "google", NOW)).withdrawn, 2);
      await assert.rejects(countOfSource(store, "google"), /The store holds no reviews/);
      await undo(store);
      assert.deepEqual(await texts(), ["The words of b", "The words of c"]);

      const restored = await restoreBackup(store, file, NOW);
      assert.deepEqual([restored.withdrawn, await texts()], [2, []]);
      const before = (await readSnapshot(store)).revision.number;
      const undone = await undo(store);
      assert.deepEqual([undone.added, undone.revision], [2, before + 1]);

      await readmitReviews(store, [id], NOW);
      assert.equal((await box.take(takeout)).added, 1);
      assert.deepEqual(await listRemovals(store.database), []);
      assert.deepEqual(
        (await readHistory(store.database)).map(({ command, undone }) => [command, undone]),
        [
          ["import", false],
          ["readmit", false],
          ["restore", true],
          ["withdraw", true],
          ["remove", false],
          ["import", false],
        ],
      );
    });
  });
}
