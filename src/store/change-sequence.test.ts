import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openNumbering, readChangeSequence } from "./change-sequence.ts";
import type { Store } from "./store.ts";

releaseEngines();

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

interface Given {
  readonly published?: readonly string[];
  readonly gone?: readonly string[];
  readonly isRestart?: boolean;
}

/** Numbers reviews in a change of that many days after the first. */
async function change(store: Store, day: number, { published = [], gone = [], isRestart = false }: Given) {
  await store.database.transaction().execute(async (transaction) => {
    const numbering = await openNumbering(transaction, { at: new Date(START + day * DAY_MS), isRestart });
    await numbering.number(published);
    await numbering.number(gone, { isGone: true });
    await numbering.finish();
  });
}

for (const engine of ENGINES)
  describe(`the change sequence: ${engine.name}`, () => {
    test("has the latest number of each review, and an end for each change that published something else", async () => {
      const store = await engine.open();
      await change(store, 0, {});
      await change(store, 1, { published: ["a", "b", "c"] });
      await change(store, 2, {});
      await change(store, 3, { published: ["b"], gone: ["a"] });
      const { ends, numbers, gone, isWhole } = await readChangeSequence(store.database);
      assert.deepEqual([...numbers].toSorted(), [
        ["b", 4],
        ["c", 3],
      ]);
      assert.deepEqual([gone, isWhole], [[["a", 5]], true]);
      assert.deepEqual(
        ends.map(({ number }) => number),
        [0, 3, 5],
      );
      assert.equal(new Set(ends.map(({ key }) => key)).size, 3);
      const newer = await readChangeSequence(store.database, ends[1]);
      assert.deepEqual([[...newer.numbers], newer.isWhole], [[["b", 4]], false]);
      const ofAnother = await readChangeSequence(store.database, { number: 3, key: "another" });
      assert.equal(ofAnother.isWhole, true);
      await store.close();
    });

    test("forgets the id of a gone review after 400 days, and the ends that came before", async () => {
      const store = await engine.open();
      await change(store, 0, { published: ["a", "b", "c"] });
      await change(store, 10, { gone: ["a"] });
      await change(store, 399, { gone: ["b"] });
      await change(store, 410, { published: ["d"] });
      const before = await readChangeSequence(store.database);
      assert.deepEqual(
        [before.gone.map(([id]) => id), before.ends.map(({ number }) => number)],
        [
          ["b", "a"],
          [3, 4, 5, 6],
        ],
      );
      await change(store, 411, { published: ["e"] });
      const after = await readChangeSequence(store.database);
      assert.deepEqual(after.gone, [["b", 5]]);
      assert.deepEqual(
        after.ends.map(({ number }) => number),
        [4, 5, 6, 7],
        "who was at 4 has deleted it",
      );
      assert.deepEqual([...after.numbers.keys()].toSorted(), ["c", "d", "e"]);
      await store.close();
    });

    test("a restart has one end, above all before, and none of their keys", async () => {
      const store = await engine.open();
      await change(store, 0, { published: ["a", "b"] });
      const before = await readChangeSequence(store.database);
      await change(store, 1, { gone: ["a"] });
      await change(store, 2, { published: ["b"], isRestart: true });
      const { ends, numbers, gone } = await readChangeSequence(store.database);
      assert.deepEqual([[...numbers], gone, ends.length], [[["b", 5]], [], 1]);
      await change(store, 3, { isRestart: true });
      const empty = await readChangeSequence(store.database);
      assert.deepEqual(
        empty.ends.map(({ number }) => number),
        [6],
      );
      const keys = [before, { ends }, empty].flatMap((each) => each.ends.map(({ key }) => key));
      assert.equal(new Set(keys).size, 3);
      await store.close();
    });

    test("holds nothing of a review but its id", async () => {
      const store = await engine.open();
      await change(store, 0, { published: ["a"] });
      await change(store, 1, { gone: ["a"] });
      const rows = await store.database.selectFrom("published_review").selectAll().execute();
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ id: "a", number: 2, is_gone: 1 }],
      );
      await store.close();
    });
  });
