/** Every format of export gives the reviews that Google Takeout gives, where both hold the same ones. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { EXPORT_SETS } from "../../test/support/shared-data.ts";
import type { Review } from "../review.ts";

const EXPORTS: readonly { file: string; count: number; hasIds?: false; source?: string; isTextOnly?: true }[] = [
  { file: "formats/gbp-api-v4-reviews-list-page1.json", count: 50 },
  { file: "formats/outscraper-reviews.csv", count: 440 },
  { file: "formats/outscraper-reviews.json", count: 60 },
  { file: "formats/apify-google-maps-reviews.json", count: 60 },
  { file: "formats/serpapi-google-maps-reviews.json", count: 8 },
  { file: "formats/places-api-new-place-details.json", count: 5, isTextOnly: true },
  { file: "formats/places-api-legacy-place-details.json", count: 5, hasIds: false, isTextOnly: true },
  { file: "formats/schema-org-reviews.jsonld", count: 20, source: "google", isTextOnly: true },
  { file: "sv-reviews.csv", count: 440, source: "google" },
];

const essence = ({ author, rating, date, text, owner_reply }: Review, isTextOnly?: true) =>
  JSON.stringify([author, rating, date, text, isTextOnly ? null : owner_reply]);

for (const { name, total, takeout: TAKEOUT, file: fileOf } of EXPORT_SETS.slice(-1)) {
  describe(`formats() agree with Google Takeout: ${name}`, () => {
    let known: readonly Review[] = [];
    before(async () => {
      await using takeout = await openSandbox();
      await takeout.take(TAKEOUT);
      known = await takeout.reviews();
    });

    for (const { file, count: most, hasIds = true, source, isTextOnly } of EXPORTS) {
      const count = Math.min(most, total);
      test(`${file} gives the same reviews`, async () => {
        await using other = await openSandbox();
        const report = await other.take(fileOf(file), source === undefined ? {} : { source });
        const reviews = await other.reviews();
        assert.equal(report.added, count);
        assert.equal(reviews.length, count);
        const byId = new Map(known.map((review) => [review.id, essence(review, isTextOnly)]));
        const all = new Set(byId.values());
        for (const review of reviews) {
          if (hasIds) assert.equal(byId.get(review.id), essence(review, isTextOnly));
          else assert.ok(all.has(essence(review, isTextOnly)));
        }
      });

      test(`${file} beside Google Takeout makes no review twice, in one run or in two`, async () => {
        await using once = await openSandbox();
        const options = source === undefined ? {} : { source };
        assert.equal((await once.take([fileOf(file), TAKEOUT], options)).added, total);
        await using twice = await openSandbox();
        await twice.take(TAKEOUT);
        assert.equal((await twice.take(fileOf(file), options)).added, 0);
        await using backwards = await openSandbox();
        await backwards.take(fileOf(file), options);
        assert.equal((await backwards.take(TAKEOUT, options)).added, total - count);
        const ids = async (box: typeof once) => (await box.reviews()).map(({ id }) => id);
        assert.deepEqual(await ids(once), await ids(twice));
        assert.deepEqual(await ids(once), await ids(backwards));
      });
    }
  });
}

const real = EXPORT_SETS.find(({ name }) => name === "a real export");

if (real !== undefined) {
  test("the real export is 440 reviews, 308 of them without words, 91 with a reply", async () => {
    await using box = await openSandbox();
    await box.take(real.takeout);
    const reviews = await box.reviews();
    const stars = [5, 4, 3, 2, 1].map((rating) => reviews.filter((review) => review.rating === rating).length);
    assert.deepEqual(stars, [206, 107, 76, 25, 26]);
    assert.equal(reviews.filter(({ text }) => text === null).length, 308);
    assert.equal(reviews.filter(({ owner_reply }) => owner_reply !== null).length, 91);
    assert.deepEqual([reviews.at(-1)?.date, reviews[0]?.date], ["2019-01-01", "2025-08-06"]);
    assert.equal(reviews.filter(({ text }) => text?.includes("Translated by Google")).length, 0);
    assert.ok(reviews.some(({ text }) => text === "బాగుంది"));
  });
}
