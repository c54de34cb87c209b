import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { editionOf } from "../../test/support/real-edition.ts";
import { percentages } from "../insight/statistics/arithmetic.ts";
import { digestSpans, figuresOf, makeDigest } from "./digest.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "sample");
const { edition, insights, reviews } = await editionOf(join(SAMPLE, "business.yaml"), join(SAMPLE, "reviews.jsonl"));
const [newest] = reviews;
const TODAY = newest?.date ?? "";

test("figuresOf() all reviews gives the figures of /insights.json", () => {
  const { review_count, aspects, ...counts } = figuresOf(reviews, edition);
  assert.equal(review_count, insights.review_count);
  const given = new Map(insights.aspects.map((aspect) => [aspect.id, aspect]));
  for (const { id, ...figures } of aspects) assert.partialDeepStrictEqual(given.get(id), { id, ...figures }, id);
  assert.equal(aspects.length, insights.aspects.filter(({ mention_count }) => mention_count > 0).length);
  const { positive_pct, neutral_pct, negative_pct } = insights.overall_sentiment;
  const shares = percentages([counts.positive_count, counts.neutral_count, counts.negative_count]);
  assert.deepEqual(shares, [positive_pct, neutral_pct, negative_pct]);
});

test("figuresOf() a month gives that month of /insights.json", () => {
  for (const { month, review_count, average_rating } of insights.temporal.monthly) {
    const figures = figuresOf(reviews.filter(({ date }) => date.startsWith(month)), edition); // biome-ignore format: one line
    assert.deepEqual([figures.review_count, figures.average_rating], [review_count, average_rating], month);
  }
});

/** Days over all the time of the reviews, each with its digests. */
const DIGESTS = reviews
  .filter((_, at) => at % 10 === 0)
  .flatMap(({ date: today }) =>
    (["weekly", "monthly"] as const).map((cadence) => ({ cadence, today, vanishedOn: [] })),
  );

test("makeDigest() has the figures of the two documents, and the poor reviews without a reply", () => {
  for (const options of DIGESTS) {
    const digest = makeDigest(edition, options);
    for (const { from, until, ...figures } of [digest.period, digest.before]) {
      const some = reviews.filter(({ date }) => from <= date && date <= until);
      const mentions = some.flatMap(({ id }) => insights.per_review[id]?.aspects ?? []);
      const positive = some.filter(({ id }) => insights.per_review[id]?.sentiment === "positive");
      assert.deepEqual([figures.review_count, figures.positive_count], [some.length, positive.length]);
      for (const aspect of figures.aspects)
        for (const sentiment of ["positive", "neutral", "negative"] as const) {
          const found = mentions.filter((each) => each.id === aspect.id && each.sentiment === sentiment);
          assert.equal(aspect[`${sentiment}_count`], found.length, `${aspect.id} ${sentiment}`);
        }
    }
    const poor = reviews.filter(
      (each) => each.rating <= 3 && each.owner_reply === null && each.date <= digest.period.until,
    );
    assert.equal(digest.unanswered_count, poor.length);
    assert.deepEqual(digest.unanswered.map(({ id }) => id), poor.slice(0, 5).map(({ id }) => id)); // biome-ignore format: one line
    assert.deepEqual(digest.all.overall_sentiment, insights.overall_sentiment);
    assert.equal(digest.all.trend, insights.temporal.trend);
  }
});

test("makeDigest() counts the reviews that vanished within the period", () => {
  const { period } = makeDigest(edition, { cadence: "weekly", today: TODAY, vanishedOn: [] });
  const vanishedOn = [period.from, period.until, TODAY, "2001-01-01"];
  assert.equal(makeDigest(edition, { cadence: "weekly", today: TODAY, vanishedOn }).vanished_count, 2);
});

test("digestSpans() end before the day on which the digest is made", () => {
  const cases = [
    ["weekly", "2026-11-23", "2026-11-16", "2026-11-22", "2026-10-19", "2026-11-15"],
    ["weekly", "2024-03-01", "2024-02-23", "2024-02-29", "2024-01-26", "2024-02-22"],
    ["monthly", "2026-01-01", "2025-12-01", "2025-12-31", "2025-09-01", "2025-11-30"],
    ["monthly", "2024-03-31", "2024-02-01", "2024-02-29", "2023-11-01", "2024-01-31"],
  ] as const;
  for (const [cadence, today, from, until, earliest, latest] of cases)
    assert.deepEqual(digestSpans(cadence, today), {
      period: { from, until },
      before: { from: earliest, until: latest },
    });
});
