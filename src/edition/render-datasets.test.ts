import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { tries } from "../../test/support/properties.ts";
import { deriveReviewId, newestFirst } from "../../test/support/review-id.ts";
import { smallTrade } from "../../test/support/small-trade.ts";
import { type BusinessFile, businessFileSchema } from "../business.ts";
import type { Filter } from "../filter.ts";
import type { Review } from "../review.ts";
import { NO_SEQUENCE } from "../store/change-sequence.ts";
import { NO_HISTORY } from "../store/public-history.ts";
import type { Snapshot } from "../store/store.ts";
import { openEdition } from "./edition.ts";
import { type RenderedDatasets, renderDatasets } from "./render-datasets.ts";
import { prefixTags } from "./review-index.ts";
import { partsOf } from "./review-index-writer.ts";
import { finish } from "./steps.ts";
import { buildWordIndex } from "./word-index.ts";

const taxonomy = smallTrade();
const TEXTS = [
  null,
  "",
  "They asked a fair price for the work. İstanbul 🙂",
  "I was overcharged for the parts by Bea.",
  "Gentle hands, and a good deal.",
  "It was an average price",
  // Themes that come and go.
  "The parking was full",
  "Parking, and a lift",
  "The waiting room had a lift",
  "Broke my gate ÿ",
  // Nothing is said of either but whom they name: as analyses they differ in nothing, as examples in their length.
  "Bea!",
  "Bea and the others were here on the first Monday of the month.",
];
const WORDS = ["price", "overcharged", "gate", "istanbul", "🙂", "ÿ", "customer", "at", "e"];

/** One review's state: its number names it, and everything else may change from one edition to the next. */
const state = fc.record({
  number: fc.nat(90),
  day: fc.nat(12),
  text: fc.constantFrom(...TEXTS),
  rating: fc.integer({ min: 1, max: 5 }),
  hasReply: fc.boolean(),
});
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * What changes: reviews that are written or replaced, perhaps with the same contents, numbers that are taken out, perhaps
 * the business; days that are read although nothing was written; and whether the new edition gets a word index.
 */
const change = fc.record({
  put: fc.array(state, { maxLength: 6 }),
  out: fc.array(fc.nat(90), { maxLength: 2 }),
  name: fc.option(fc.constantFrom("Bea Lund", "Noor"), { nil: undefined, freq: 8 }),
  otherDays: fc.array(fc.nat(14), { maxLength: 2 }),
  isIndexed: fc.boolean(),
});

function dateOf(day: number): string {
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
}

function reviewOf({ number, day, text, rating, hasReply }: State): Review {
  const date = dateOf(day);
  return {
    id: deriveReviewId("google", String(number), date),
    author: `Customer ${number}`,
    author_avatar_url: null,
    rating,
    date,
    text,
    source: "google",
    source_url: number % 3 === 0 ? `https://example.com/${number}` : null,
    owner_reply: hasReply ? { text: "Thank you", date } : null,
    verified: true,
  };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

function businessOf(name: string): BusinessFile {
  return businessFileSchema.parse({ name: "Ash & Co", time_zone: "UTC", technicians: [{ id: "bea", name }] });
}

function snapshotOf(reviews: readonly Review[], business: BusinessFile, changes?: Snapshot["changes"]): Snapshot {
  const revision = { number: 1, revised_at: new Date(Date.UTC(2026, 1, 1)) };
  return {
    revision,
    business,
    reviews,
    changes,
    analyses: new Map(),
    corrections: [],
    edits: new Map(),
    history: NO_HISTORY,
    gone: [],
    sequence: NO_SEQUENCE,
  };
}

function render(snapshot: Snapshot, before?: RenderedDatasets): RenderedDatasets {
  const last = before && { index: before.reviewIndex, foundThemes: before.foundThemes };
  return renderDatasets(snapshot, { baseUrl: "https://reviews.example", sample: false, taxonomy, last });
}

/** Without the words for themes, which are numbered in the order in which they were met. */
const withoutWords = ({ foundThemes: _, ...edition }: RenderedDatasets) => edition;

test("an edition made from the last one is the same, byte for byte, as one made from nothing", () => {
  const named = new Set<string>();
  const initial = fc.uniqueArray(state, { selector: ({ number }) => number, maxLength: 80 });
  fc.assert(
    fc.property(initial, fc.array(change, { minLength: 1, maxLength: 5 }), (first, changes) => {
      const published = new Map(first.map((each) => [each.number, reviewOf(each)]));
      const inOrder = () => [...published.values()].sort(newestFirst);
      let business = businessOf("Bea Lund");
      let last = render(snapshotOf(inOrder(), business));
      for (const { put, out, name, otherDays, isIndexed } of changes) {
        const numbers = [...put.map(({ number }) => number), ...out];
        const before = numbers.flatMap((number) => published.get(number) ?? []);
        for (const each of put) published.set(each.number, reviewOf(each));
        for (const number of out) published.delete(number);
        const after = numbers.flatMap((number) => published.get(number) ?? []);
        if (name !== undefined) business = businessOf(name);
        const reviews = inOrder();
        const days = new Set([...[...before, ...after].map(({ date }) => date), ...otherDays.map(dateOf)]);
        const written = new Set([...before, ...after].map(({ id }) => id));
        const ofDays = reviews.filter(({ date }) => days.has(date));
        const whole = render(snapshotOf(reviews, business));
        const quick =
          name === undefined
            ? render(snapshotOf(ofDays, business, { days, written }), last)
            : render(snapshotOf(reviews, business), last);
        last = quick;
        for (const { id } of quick.insights.topics) named.add(id);
        assert.deepEqual(withoutWords(quick), withoutWords(whole));
        const [one, other] = [openEdition(quick), openEdition(whole)];
        if (isIndexed) quick.reviewIndex.wordIndex = finish(buildWordIndex(quick.reviewIndex));
        const tags = prefixTags(quick.reviewIndex);
        for (const date of new Set([...reviews.map((review) => review.date), "2999-01-01"])) {
          const count = reviews.filter((review) => review.date >= date).length;
          assert.equal(tags.get(count), one.since(date).tag);
        }
        for (const query of WORDS) {
          const filter: Filter = { query, limit: 100, offset: 0 };
          assert.equal(one.search(filter).tag, other.search(filter).tag, query);
          const found = reviews.filter(({ text }) => text?.toLowerCase().replace("i̇", "i").includes(query));
          if (query !== "istanbul") assert.equal(one.list(filter).matched, found.length, query);
        }
        for (const review of reviews) {
          assert.deepEqual(one.review(review.id), plain(review));
          assert.deepEqual(one.analysis(review.id), other.analysis(review.id));
        }
      }
    }),
    { numRuns: tries(60) },
  );
  assert.ok(named.has("parking") && named.has("lift"), [...named].join());
});

test("unchanged reviews are copied from the last edition, and only the others are analysed", () => {
  const reviews = TEXTS.map((text, number) => reviewOf({ number, day: number, text, rating: 5, hasReply: false }));
  reviews.sort(newestFirst);
  const business = businessOf("Bea Lund");
  const last = render(snapshotOf(reviews, business)).reviewIndex;
  const [changed] = reviews as [Review, ...Review[]];
  const snapshot = snapshotOf([{ ...changed, rating: 1 }], business, {
    days: new Set([changed.date]),
    written: new Set([changed.id]),
  });
  assert.deepEqual(partsOf(snapshot, last), [...snapshot.reviews, { from: 1, to: TEXTS.length }]);
  const untouched = { ...snapshot, changes: { days: new Set([changed.date]), written: new Set<string>() } };
  assert.deepEqual(partsOf(untouched, last), [{ from: 0, to: TEXTS.length }]);
  assert.throws(() => partsOf(snapshot, undefined), /without the edition before/);
});
