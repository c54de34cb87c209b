import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { plainSnapshot } from "../../test/support/plain-snapshot.ts";
import { listOf } from "../review-list.ts";
import { readSnapshot, recallSnapshot, replacePublished, type Snapshot, type SnapshotMemory } from "../store/store.ts";
import { removeReviews } from "./removal.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

const NOW = new Date("2026-02-03T04:05:06Z");
const ROUNDS = { SQLite: 25, PostgreSQL: 3 } as Readonly<Record<string, number>>;
releaseEngines();

/** What is done to the store between two snapshots. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ take: fc.array(fc.nat(7), { minLength: 1 }), stars: fc.nat(2), day: fc.nat(2) }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("yelp", "whole", "withdraw", "undo", "remove", "business", "nothing"),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const STARS = ["FIVE", "ONE", "THREE"];

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("a snapshot that reads only what changed is the same as one that reads everything", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      let memory: SnapshotMemory = {};
      let recalled = 0;
      let reused = 0;
      await box.take(box.write("first.json", takeoutPage(takeoutReview("first"))));
      let last = await readSnapshot(store);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(step, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 6 }),
          async (steps) => {
            for (const [one, isRestarted, isReplaced] of steps) {
              if (isRestarted && last.place !== undefined) {
                memory = recallSnapshot(last.place, last.reviews);
                recalled++;
              }
              if (isReplaced) {
                const revision = last.revision.number;
                const reviews = listOf(structuredClone([...last.reviews]));
                const known = memory.published?.reviews;
                replacePublished(memory, { revision: revision + 1, reviews }); // of another revision: nothing changes
                replacePublished(memory, { revision, reviews: listOf([]) }); // other reviews: nothing, unless there are none
                if (last.reviews.length > 0) assert.equal(memory.published?.reviews, known);
                replacePublished(memory, { revision, reviews });
                if (memory.published?.revision === revision) assert.equal(memory.published.reviews, reviews);
              }
              await run(one).catch((error: unknown) => {
                if (!/nothing to undo|can no longer be undone|holds no reviews/.test(String(error))) throw error;
              });
              const before = new Set(memory.published?.reviews.runs.map(({ source }) => source));
              const quick = await readSnapshot(store, undefined, memory);
              assert.deepEqual(plainSnapshot(quick), plainSnapshot(await readSnapshot(store)));
              last = quick;
              if (quick.reviews.runs.some(({ source }) => before.has(source))) reused++;
            }
          },
        ),
        { numRuns: ROUNDS[engine.name] ?? 3 },
      );
      assert.ok(reused > 0, "rows are kept from one snapshot to the next");
      assert.ok(recalled > 0, "snapshots are recalled");

      async function run(one: Step): Promise<void> {
        if (typeof one !== "string") {
          const reviews = one.take.map((id) =>
            takeoutReview(`${id}`, {
              starRating: STARS[one.stars],
              createTime: `2024-05-0${one.day + 1}T07:08:09Z`,
              updateTime: undefined,
            }),
          );
          await box.take(box.write("more.json", takeoutPage(...reviews)), { skipInvalid: true });
        } else if (one === "yelp") {
          const row = "x,Customer 1,5,2024-05-01,The words of 1";
          await box.take(box.write("a.csv", `id,author,rating,date,text\n${row}\n`), { source: "yelp" });
        } else if (one === "whole") {
          const whole = box.write("whole.json", takeoutPage(takeoutReview("1"), takeoutReview("2")));
          await box.take(whole, { complete: true, yes: true });
        } else if (one === "withdraw") await withdrawSource(store, "google", NOW);
        else if (one === "undo") await undoChange(store, (await changeToUndo(store)).number, NOW);
        else if (one === "remove") {
          const [review] = await box.reviews();
          if (review !== undefined) await removeReviews(store, [review.id], { what: ["text"], now: NOW });
        } else if (one === "business") {
          const sources = memory.published?.sources.includes("yelp") === true ? ["google"] : ["yelp", "google"];
          const file = `name: A\ntime_zone: UTC\nverified_sources: [${sources.join()}]\n`;
          await box.take(box.write("business.yaml", file));
        }
      }
    });

    test("a copy is published once its original says something else, and is a copy again when that does not", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      await box.take(box.write("business.yaml", "name: Ash\ntime_zone: UTC\nverified_sources: [google, yelp]\n"));
      const table = (...rows: string[]) => `id,author,rating,date,text\n${rows.join("")}`;
      const row = (id: string, text: string) => `${id},Bea Lund,5,2024-05-01,${text}\n`;
      const mine = table(row("1", "They asked a fair price"), row("2", "They came on time"));
      await box.take(box.write("google.csv", mine), { source: "google" });
      await box.take(box.write("yelp.csv", table(row("3", "They asked a fair price"))), { source: "yelp" });
      const memory: SnapshotMemory = {};
      const first = await readSnapshot(store, undefined, memory);
      assert.deepEqual([first.reviews.length, memory.published?.copies.size], [2, 1]);
      const reviews = listOf(structuredClone([...first.reviews]));
      replacePublished(memory, { revision: first.revision.number, reviews });

      async function next(change: Promise<unknown>): Promise<Snapshot> {
        await change;
        const snapshot = await readSnapshot(store, undefined, memory);
        assert.deepEqual(plainSnapshot(snapshot), plainSnapshot(await readSnapshot(store)));
        return snapshot;
      }
      const more = await next(box.take(box.write("more.csv", table(row("4", "Quick"))), { source: "google" }));
      const [before, after] = [reviews, more.reviews].map((list) => new Set(list.runs.map(({ source }) => source)));
      assert.ok(
        [...(before ?? [])].every((source) => after?.has(source)),
        "the others are where they were",
      );
      const changed = table(row("1", "They asked too much"));
      const both = await next(box.take(box.write("changed.csv", changed), { source: "google" }));
      assert.deepEqual([...both.reviews].map(({ source }) => source).sort(), ["google", "google", "google", "yelp"]);
      const back = await next(box.take(box.write("again.csv", mine), { source: "google" }));
      assert.equal(back.reviews.length, 3);
    });
  });
}
