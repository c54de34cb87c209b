/** How many bytes of words imports and changes of the owner read from the store at a time. A database returns all rows of a query at once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { removeUnneededAnalyses } from "../../src/analysis/analysis-sweep.ts";
import { type ImportOptions, importPaths } from "../../src/import/importer.ts";
import { MAX_PAGE_BYTES } from "../../src/lib/bounded-pages.ts";
import { changeToUndo, undoChange } from "../../src/maintenance/undo.ts";
import { backupStore } from "../../src/store/store.ts";
import { openSandbox, type Sandbox } from "../support/import-sandbox.ts";
import { restoreBackup } from "../support/restoring.ts";

const REVIEWS = 12;
const WORDS = "a".repeat(999_000);
/** Ids, authors and dates beside the words. */
const SMALL_COLUMNS_BYTES = 10_000;
const BUSINESS = (zone: string) => `name: Test\ntime_zone: ${zone}\nverified_sources: [google, yelp]\n`;

/** A store whose queries are watched: `largest` gives the most bytes of text that one of them returned. */
function watched({ store }: Sandbox) {
  let largest = 0;
  const sizeOf = (value: unknown) => (typeof value === "string" ? value.length : 0);
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const values = result.rows.flatMap((row) => Object.values(row));
      largest = Math.max(
        largest,
        values.reduce<number>((sum, value) => sum + sizeOf(value), 0),
      );
      return result;
    },
  };
  return { ...store, database: store.database.withPlugin(plugin), largest: () => largest };
}

const csv = (columns: string, row: (index: number) => string) =>
  `${columns}\n${Array.from({ length: REVIEWS }, (_, index) => row(index)).join("\n")}\n`;

test("undo and restore read a bounded number of bytes at a time, whatever the reviews hold", async () => {
  await using box = await openSandbox();
  const store = watched(box);
  const now = new Date("2026-01-02");
  const take = async (name: string, stars: number) => {
    const row = (index: number) => `${index},Ann,${stars},2024-05-${10 + index},${index} ${WORDS},google`;
    await importPaths(store, [box.write(name, csv("id,author,rating,date,text,source", row))], { now });
  };
  await take("first.csv", 5);
  const file = join(box.folder, "backup.db");
  await backupStore(box.store, file);
  await take("edited.csv", 4);
  assert.equal((await undoChange(store, (await changeToUndo(store)).number, now)).changed, REVIEWS);
  await take("again.csv", 3);
  assert.equal((await restoreBackup(store, file, now)).changed, REVIEWS);
  assert.ok(store.largest() > 1_000_000, "the words were read");
  assert.ok(store.largest() < MAX_PAGE_BYTES + SMALL_COLUMNS_BYTES, `${store.largest()} bytes at a time`);
});

test("an import reads a bounded number of bytes at a time from the store, whatever its reviews hold", async () => {
  await using box = await openSandbox();
  const store = watched(box);
  const take = async (name: string, content: string, options: Partial<ImportOptions> = {}) =>
    await importPaths(store, [box.write(name, content)], { now: new Date("2026-01-02"), ...options });
  const at = (index: number) => `2024-05-${10 + index}T01:02:03Z`;
  const texts = (stars: number) =>
    csv("id,author,rating,date,text,source", (index) => `${index},Ann,${stars},${at(index)},${index} ${WORDS},google`);
  await take("business.yaml", BUSINESS("UTC"));
  assert.equal((await take("first.csv", texts(5))).added, REVIEWS);
  assert.equal((await take("edited.csv", texts(4))).changed, REVIEWS, "the stored rows are read to be compared");
  const stars = csv("id,rating,date,source", (index) => `${index},3,${at(index)},google`);
  assert.equal((await take("stars.csv", stars)).changed, REVIEWS, "small rows of a file match large ones of the store");
  const others = csv("rating,date,text,source", (index) => `3,${at(index)},${index} ${WORDS},google`);
  assert.equal((await take("unnamed.csv", others)).unchanged, REVIEWS, "their authors are found by their words");
  const copies = csv("author,rating,date,text,source", (index) => `Ann,4,${at(index)},${index} ${WORDS},yelp`);
  assert.equal((await take("copies.csv", copies)).duplicates, REVIEWS, "two sources have the same reviews");
  const moved = await take("business.yaml", BUSINESS("America/Chicago"));
  assert.match(moved.warnings.join(), new RegExp(`${2 * REVIEWS} reviews`), "all get another day");
  const one = "id,rating,date,source\nnew,5,2024-05-06,google\n";
  const rest = await take("one.csv", one, { complete: true, yes: true, list: true });
  assert.equal(rest.withdrawn, REVIEWS);
  assert.equal(rest.changes?.length, REVIEWS + 1);
  await removeUnneededAnalyses(store.database);
  assert.ok(store.largest() > 1_000_000, "the words were read");
  assert.ok(store.largest() < MAX_PAGE_BYTES + SMALL_COLUMNS_BYTES, `${store.largest()} bytes at a time`);
});
