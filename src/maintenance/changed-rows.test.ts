import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import fc from "../../test/support/properties.ts";
import { smallTrade } from "../../test/support/small-trade.ts";
import { type RenderedDatasets, renderDatasets } from "../edition/render-datasets.ts";
import { listRemovals } from "../store/history/removal-rows.ts";
import { readSnapshot, type Snapshot, type StoreState } from "../store/store.ts";
import { readmitReviews, removeReviews } from "./removal.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

const NOW = new Date("2026-02-03T04:05:06Z");
/** On SQLite; 400 with GOODWORD_TEST_CHANGES=400. */
const ROUNDS = Number(process.env.GOODWORD_TEST_CHANGES ?? 12);
const taxonomy = smallTrade();
releaseEngines();

/** What is done to the store between two editions: texts, stars and days of some reviews, or something else. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      take: fc.array(fc.nat(7), { minLength: 1 }),
      text: fc.nat(2),
      stars: fc.nat(2),
      day: fc.nat(2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        "yelp",
        "more yelp",
        "whole",
        "withdraw",
        "undo",
        "remove",
        "redact",
        "readmit",
        "names",
        "sources",
        "nothing",
      ],
    ),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const STARS = ["FIVE", "ONE", "THREE"];
const TEXTS = ["A fair price, and Bea took great care", "Overcharged by Noor", "They came"];

function render(snapshot: Snapshot, before?: RenderedDatasets): RenderedDatasets {
  const last = before && { index: before.reviewIndex, foundThemes: before.foundThemes };
  return renderDatasets(snapshot, { baseUrl: "https://ash.example", sample: false, taxonomy, last });
}

/** Without the words for themes, which are numbered in the order in which they were met. */
const withoutWords = ({ foundThemes: _, ...edition }: RenderedDatasets) => edition;

for (const engine of ENGINES) {
  describe(`${engine.name}:`, () => {
    test("an edition made from what changed is the same, byte for byte, as one made from nothing", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      const business = { name: "Bea Lund", sources: "google, yelp" };
      let last: { readonly edition: RenderedDatasets; readonly state: StoreState } | undefined;
      let copied = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          for (const one of steps) {
            await run(one).catch((error: unknown) => {
              if (!/nothing to undo|can no longer be undone|holds no reviews/.test(String(error))) throw error;
            });
            const snapshot = await readSnapshot(store, last?.state);
            if (snapshot.changes !== undefined) copied++;
            const edition = render(snapshot, last?.edition);
            assert.deepEqual(withoutWords(edition), withoutWords(render(await readSnapshot(store))));
            last = { edition, state: snapshot };
          }
        }),
        { numRuns: engine.name === "SQLite" ? ROUNDS : 3 },
      );
      assert.ok(copied > 0, "some editions are made from what changed");

      async function run(one: Step): Promise<void> {
        if (typeof one !== "string") {
          const reviews = one.take.map((id) =>
            takeoutReview(`${id}`, {
              starRating: STARS[one.stars],
              comment: TEXTS[one.text],
              createTime: `2024-05-0${one.day + 1}T07:08:09Z`,
              updateTime: undefined,
            }),
          );
          await box.take(box.write("more.json", takeoutPage(...reviews)), { skipInvalid: true });
        } else if (one === "yelp" || one === "more yelp") {
          const ids = one === "yelp" ? [1] : [1, 2, 3];
          const rows = ids.map((id) => `x${id},Customer ${id},5,2024-05-0${id},"${TEXTS[id % 3]}"\n`);
          await box.take(box.write("a.csv", `id,author,rating,date,text\n${rows.join("")}`), { source: "yelp" });
        } else if (one === "whole") {
          const whole = box.write("whole.json", takeoutPage(takeoutReview("1"), takeoutReview("2")));
          await box.take(whole, { complete: true, yes: true });
        } else if (one === "withdraw") await withdrawSource(store, "google", NOW);
        else if (one === "undo") await undoChange(store, (await changeToUndo(store)).number, NOW);
        else if (one === "remove" || one === "redact") {
          const [review] = await box.reviews();
          if (review === undefined) return;
          await removeReviews(store, [review.id], { what: [one === "remove" ? "review" : "text"], now: NOW });
        } else if (one === "readmit") {
          const [removal] = await listRemovals(store.database);
          if (removal !== undefined) await readmitReviews(store, [removal.id], NOW);
        } else if (one === "names") business.name = business.name === "Noor" ? "Bea Lund" : "Noor";
        else if (one === "sources") business.sources = business.sources === "google" ? "google, yelp" : "google";
        if (one === "names" || one === "sources") {
          const file = `name: Ash\ntime_zone: UTC\nverified_sources: [${business.sources}]\n`;
          await box.take(box.write("business.yaml", `${file}technicians: [{id: a, name: ${business.name}}]\n`));
        }
      }
    });

    test("a copy is published once its original says something else, and is a copy again when that does not", async () => {
      await using box = await openSandbox(await engine.url());
      const { store } = box;
      await box.take(box.write("business.yaml", "name: Ash\ntime_zone: UTC\nverified_sources: [google, yelp]\n"));
      const table = (...rows: string[]) => `id,author,rating,date,text\n${rows.join("")}`;
      const row = (id: string, text: string, day = "01") => `${id},Bea Lund,5,2024-05-${day},${text}\n`;
      const mine = table(row("1", "They asked a fair price"), row("2", "They came on time"));
      await box.take(box.write("google.csv", mine), { source: "google" });
      await box.take(box.write("yelp.csv", table(row("3", "They asked a fair price"))), { source: "yelp" });
      let last = await readSnapshot(store);
      assert.equal(last.reviews.length, 2);

      async function next(change: Promise<unknown>): Promise<Snapshot> {
        await change;
        last = await readSnapshot(store, last);
        return last;
      }
      const more = await next(box.take(box.write("more.csv", table(row("4", "Quick", "02"))), { source: "google" }));
      assert.deepEqual([...(more.changes?.days ?? [])], ["2024-05-02"]);
      const texts = more.reviews.map(({ text }) => text);
      assert.deepEqual(texts, ["Quick"]);
      const changed = table(row("1", "They asked too much"));
      const both = await next(box.take(box.write("changed.csv", changed), { source: "google" }));
      assert.deepEqual([...(both.changes?.days ?? [])], ["2024-05-01"]);
      assert.deepEqual(both.reviews.map(({ source }) => source).sort(), ["google", "google", "yelp"]);
      const back = await next(box.take(box.write("again.csv", mine), { source: "google" }));
      const sources = back.reviews.map(({ source }) => source);
      assert.deepEqual(sources, ["google", "google"]);
    });
  });
}
