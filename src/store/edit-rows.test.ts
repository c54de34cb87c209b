/** Edits: what moves the times by which readers go (interface §6). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { removeReviews } from "../maintenance/removal.ts";
import { changeToUndo, undoChange } from "../maintenance/undo.ts";
import { renderStore } from "../publication/publication.ts";
import { copyStore } from "./history/store-copy.ts";
import { backupStore, openStore, type Store } from "./store.ts";

releaseEngines();

/** The times of the feeds: of each item by its author, and of the whole. */
async function times(store: Store): Promise<Record<string, string>> {
  const { documents } = await renderStore(store, { baseUrl: "https://r.example" });
  const bodyOf = (path: string) => String(documents.find((one) => one.path === path)?.body.toString());
  const [feed, atom] = [JSON.parse(bodyOf("/api/feed.json")), bodyOf("/feed.xml")];
  const updated = [...atom.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, time = ""]) => time);
  const items = feed.items as { date_published: string; date_modified?: string; authors: { name: string }[] }[];
  const modified = items.map((item) => item.date_modified ?? item.date_published);
  assert.deepEqual(updated.slice(1), modified, "the feeds agree");
  const named = items.map((item, at) => [item.authors[0]?.name.replace("Customer ", ""), modified[at]]);
  return { ...Object.fromEntries(named), feed: updated[0] };
}

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("an edit of stars, words or reply moves updated and date_modified, of that review alone", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      const take = async (day: string, others: Record<string, unknown>) =>
        await box.take(box.write("a.json", takeoutPage(takeoutReview("a", others), takeoutReview("b"))), {
          now: new Date(`${day}:00.000Z`),
        });
      await take("2024-05-06T08:00", {});
      const noon = "2024-05-06T12:00:00Z";
      assert.deepEqual(await times(store), { a: noon, b: noon, feed: noon });
      const cases: [string, Record<string, unknown>, string][] = [
        ["2024-05-06T09:00", { starRating: "ONE" }, "2024-05-06T12:00:01.000Z"],
        ["2024-05-06T10:00", { starRating: "TWO" }, "2024-05-06T12:00:02.000Z"],
        ["2026-03-01T00:00", { starRating: "TWO", comment: "It broke." }, "2026-03-01T00:00:00.000Z"],
        ["2026-02-01T00:00", { starRating: "TWO", comment: "It broke again." }, "2026-03-01T00:00:01.000Z"],
        ["2026-04-01T00:00", { starRating: "TWO", comment: "It broke again." }, "2026-03-01T00:00:01.000Z"],
      ];
      for (const [now, others, modified] of cases) {
        await take(now, others);
        assert.deepEqual(await times(store), { a: modified, b: noon, feed: modified }, now);
      }
      const reply = { comment: "Sorry.", updateTime: "2026-04-01T00:00:00Z" };
      await take("2026-05-01T00:00", { starRating: "TWO", comment: "It broke again.", reviewReply: reply });
      assert.equal((await times(store)).a, "2026-05-01T00:00:00.000Z");

      const source = await openStore("sqlite:");
      await copyStore(store, source);
      assert.deepEqual(await times(source), await times(store), "copied to another engine");
      const file = join(box.folder, "backup.db");
      await backupStore(source, file);
      await source.close();

      await undoChange(store, (await changeToUndo(store)).number, new Date("2026-06-01T00:00:00Z"));
      assert.equal((await times(store)).a, "2026-06-01T00:00:00.000Z", "undone: readers have the later one");
      await restoreBackup(store, file, new Date("2026-07-01T00:00:00Z"));
      assert.equal((await times(store)).a, "2026-07-01T00:00:00.000Z", "restored");
      assert.equal((await restoreBackup(store, file, new Date("2026-08-01T00:00:00Z"))).changed, 0);
      assert.equal((await times(store)).a, "2026-07-01T00:00:00.000Z", "as it was");

      await using other = await openSandbox();
      await restoreBackup(other.store, file, new Date("2026-07-01T00:00:00Z"));
      assert.equal((await times(other.store)).a, "2026-05-01T00:00:00.000Z", "moved to another machine");
      const id = (await box.reviews()).find(({ author }) => author === "Customer b")?.id ?? "";
      await removeReviews(store, [id], { what: ["author"], now: new Date("2026-09-01T00:00:00Z") });
      assert.equal((await times(store)).Customer, "2026-09-01T00:00:00.000Z", "redacted");
      await removeReviews(store, [id], { what: ["review"], now: new Date("2026-09-01T00:00:00Z") });
      const left = await store.database.selectFrom("edit").select("id").execute();
      assert.equal(left.some((edit) => edit.id === id), false); // biome-ignore format: one page
    });

    test("an edit of the author's name alone is one", async () => {
      await using box = await openSandbox(await engine.url());
      const take = async (day: string, displayName: string, profilePhotoUrl: string) =>
        await box.take(
          box.write("a.json", takeoutPage(takeoutReview("a", { reviewer: { displayName, profilePhotoUrl } }))),
          { now: new Date(`${day}T00:00:00.000Z`) },
        );
      await take("2025-01-01", "Dana", "https://a.example/1");
      await take("2025-02-01", "Dana K.", "https://a.example/1");
      assert.equal((await times(box.store))["Dana K."], "2025-02-01T00:00:00.000Z");
      await take("2025-03-01", "Dana K.", "https://a.example/2"); // the picture's address changes with each export
      assert.equal((await times(box.store))["Dana K."], "2025-02-01T00:00:00.000Z");
    });

    test("an edit that the source tells of counts although the first version was never imported", async () => {
      await using box = await openSandbox(await engine.url());
      const edited = takeoutReview("a", { updateTime: "2024-06-07T08:09:10.123456Z" });
      const future = takeoutReview("b", { updateTime: "2099-06-07T08:09:10Z" });
      await box.take(box.write("a.json", takeoutPage(edited, future)), { now: new Date("2025-01-01T00:00:00Z") });
      const { a, b } = await times(box.store);
      assert.deepEqual([a, b], ["2024-06-07T08:09:10.123Z", "2025-01-01T00:00:00.000Z"]);
    });
  });
}
