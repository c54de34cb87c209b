/** The place of a source, remembered: undo, withdrawal, restore and another engine take it along with the reviews. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import fc from "../../test/support/properties.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { copyStore } from "../store/history/store-copy.ts";
import { readSourcePlaces } from "../store/source-place-rows.ts";
import { backupStore, type Store } from "../store/store.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

releaseEngines();

const NOW = new Date("2026-02-03T04:05:06Z");
const TOWNS = ["Leeds", "York"] as const;
type Town = (typeof TOWNS)[number];
const LOCATIONS = { Leeds: "2000000000000000001", York: "2000000000000000002" };
const GOOGLE = { source: "google" };
const AT = "2024-05-06T07:08:09Z";
const SECONDS = Date.parse(AT) / 1000;
const idOf = (town: Town) => `ChIJ${town}-town-of-the-test`;

async function undo(store: Store): Promise<void> {
  await undoChange(store, (await changeToUndo(store)).number, NOW);
}

function takeoutOf(town: Town, number: number): Record<string, unknown> {
  const name = `accounts/1/locations/${LOCATIONS[town]}/reviews/l${number}${town}`;
  return takeoutReview("", { name, comment: `${town} location` });
}

/** Files of the reviews of some towns, by the kinds of ids that they have. */
const WRITERS: Readonly<Record<string, (box: Sandbox, name: string, given: readonly Town[]) => string>> = {
  location: (box, name, given) =>
    box.write(`${name}.json`, takeoutPage(...given.map((town, at) => takeoutOf(town, at)))),
  place_id: (box, name, given) =>
    box.write(
      `${name}.json`,
      given.map((town, at) => ({
        ...{ reviewId: `p${at}${town}`, name: "Bea", text: `${town} place_id`, publishedAtDate: AT, stars: 5 },
        ...{ title: `Northside ${town}`, placeId: idOf(town), isLocalGuide: true },
      })),
    ),
  "place_id data_id": (box, name, given) =>
    box.write(
      `${name}.csv`,
      `place_id,google_id,review_id,author_title,review_rating,review_timestamp,review_text\n${given
        .map(
          (town, at) =>
            `${idOf(town)},0x0:0x${town === "Leeds" ? 1 : 2},o${at}${town},Bea,5,${SECONDS},${town} place_id data_id\n`,
        )
        .join("")}`,
    ),
  data_id: (box, name, given) =>
    box.write(`${name}.json`, {
      reviews: given.map((town, at) => ({
        ...{ review_id: `s${at}${town}`, rating: 5, iso_date: AT, snippet: `${town} data_id`, user: { name: "Bea" } },
        data_id: `0x0:0x${town === "Leeds" ? 1 : 2}`,
      })),
    }),
  branch_id: (box, name, given) =>
    box.write(
      `${name}.csv`,
      `id,branch_id,author,rating,date,text\n${given.map((town, at) => `t${at}${town},${town},Bea,5,2024-05-06,${town} branch_id\n`).join("")}`,
    ),
  name: (box, name, given) =>
    box.write(`${name}.json`, {
      locations: given.map((town, at) => ({
        name: town,
        reviews: [{ id: `n${at}${town}`, author: "Bea", rating: 5, date: "2024-05-06", text: `${town} name` }],
      })),
    }),
};

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("undo, withdrawal, restore and a copy of the store take the remembered place along", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      const page = (town: Town) => WRITERS.location?.(box, town, [town]) ?? "";
      const remembered = async (of = store) => (await readSourcePlaces(of.database)).map(({ id }) => id);
      const table = box.write("untold.csv", "author,rating,date,text\nBea,5,2024-05-06,Fine\n");
      await box.take(table, GOOGLE);
      assert.deepEqual(await remembered(), [], "nothing tells");
      await box.take(page("York"));
      await undo(store);
      assert.deepEqual(await remembered(), [], "the import that brought it is undone");
      await box.take(page("Leeds"));
      await box.take(page("Leeds"));
      const backup = join(box.folder, "backup.db");
      await using copy = await openSandbox();
      await copyStore(store, copy.store);
      assert.deepEqual(await remembered(copy.store), [LOCATIONS.Leeds]);
      await backupStore(copy.store, backup);
      await withdrawSource(store, "google", NOW);
      assert.deepEqual(await remembered(), []);
      await box.take(page("York"));
      assert.deepEqual(await remembered(), [LOCATIONS.York]);
      await restoreBackup(store, backup, NOW);
      assert.deepEqual(await remembered(), [LOCATIONS.Leeds]);
      await undo(store);
      assert.deepEqual(await remembered(), [LOCATIONS.York]);
      await undo(store);
      await undo(store);
      assert.deepEqual(await remembered(), [LOCATIONS.Leeds], "the withdrawal is undone");
      assert.equal((await box.refusal(page("York"))).length, 2);
    });
  });
}

test("no order of files, formats, places, choices and undoing brings reviews of two places under one business", async () => {
  const file = fc.record({
    kind: fc.constantFrom(...Object.keys(WRITERS)),
    towns: fc.constantFrom<readonly Town[]>(
      ["Leeds"],
      ["York"],
      ["Leeds", "Leeds"],
      ["York", "York"],
      ["York", "Leeds"],
    ),
  });
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        files: fc.array(file, { minLength: 1, maxLength: 2 }),
        location: fc.constantFrom(
          undefined,
          undefined,
          undefined,
          undefined,
          "Leeds",
          LOCATIONS.York,
          idOf("York"),
          "0x0:0x1",
        ),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom("undo" as const, "withdraw" as const) },
  );
  let [refused, taken] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      await using box = await openSandbox();
      for (const one of steps) {
        if (one === "withdraw") await withdrawSource(box.store, "google", NOW);
        else if (one === "undo") await undo(box.store).catch(() => {});
        else {
          const paths = one.files.map(({ kind, towns: given }, at) => WRITERS[kind]?.(box, `f${at}`, given) ?? "");
          const before = await box.rows();
          const faults = await box.refusal(paths, { ...GOOGLE, ...(one.location && { location: one.location }) });
          if (faults.length > 0) refused += 1;
          else taken += 1;
          if (faults.length > 0) assert.deepEqual(await box.rows(), before);
        }
        const kinds = (await box.rows()).flatMap(({ text }) => {
          const [town = "", ...ofRow] = (text ?? "").split(" ");
          return ofRow.map((kind) => ({ kind, town }));
        });
        for (const [kind, rows] of Map.groupBy(kinds, (row) => row.kind))
          assert.equal(new Set(rows.map(({ town }) => town)).size, 1, `${kind} in the store is of one place`);
      }
    }),
    { numRuns: Number(process.env.GOODWORD_TEST_PLACES ?? 15) },
  );
  assert.ok(refused > 0 && taken > 0);
});
