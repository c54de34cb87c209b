import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deriveReviewId } from "../../test/support/review-id.ts";
import { smallTrade } from "../../test/support/small-trade.ts";
import { type BusinessFile, businessFileSchema } from "../business.ts";
import type { Filter } from "../filter.ts";
import { compareReviews, type Review } from "../review.ts";
import { listAll, listOf, type ReviewList } from "../review-list.ts";
import type { Snapshot } from "../store/store.ts";
import { keptReviews } from "./column/kept-reviews.ts";
import { openEdition } from "./edition.ts";
import { type EditionMemory, type RenderedEdition, recallEdition, renderEdition, reviewsIn } from "./render-edition.ts";
import { prefixTags } from "./review-index.ts";
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
 * What changes: whether what is remembered is recalled from the last edition, or its reviews kept, reviews that are
 * written or replaced, numbers that are taken out, and perhaps the business; and whether the new edition gets a word
 * index.
 */
const change = fc.record({
  isRecalled: fc.boolean(),
  isKept: fc.boolean(),
  put: fc.array(state, { maxLength: 6 }),
  out: fc.array(fc.nat(90), { maxLength: 2 }),
  name: fc.option(fc.constantFrom("Bea Lund", "Noor"), { nil: undefined, freq: 8 }),
  isIndexed: fc.boolean(),
});

function reviewOf({ number, day, text, rating, hasReply }: State): Review {
  const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
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

/** The reviews in the order of publication: those that say the same as the last edition's are read from there. */
function listed(reviews: readonly Review[], last: ReviewList | undefined): ReviewList {
  if (last === undefined) return listOf(reviews);
  const now = new Map(reviews.map((review) => [review.id, JSON.stringify(review)]));
  const before = new Map(Array.from(last, (review) => [review.id, JSON.stringify(review)]));
  const { left } = last.without([...before].filter(([id, json]) => now.get(id) !== json).map(([id]) => id));
  return left.with(reviews.filter(({ id }) => before.get(id) !== now.get(id)));
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

function businessOf(name: string): BusinessFile {
  return businessFileSchema.parse({ name: "Ash & Co", time_zone: "UTC", technicians: [{ id: "bea", name }] });
}

function snapshotOf(reviews: ReviewList, business: BusinessFile): Snapshot {
  const revision = { number: 1, revised_at: new Date(Date.UTC(2026, 1, 1)) };
  return { revision, business, reviews, analyses: new Map(), gone: [] };
}

function render(reviews: readonly Review[], business: BusinessFile, memory: EditionMemory, last?: ReviewList) {
  return renderEdition(snapshotOf(listed(reviews, last), business), {
    baseUrl: "https://reviews.example",
    sample: false,
    taxonomy,
    memory,
  });
}

test("an edition made from the last one is the same, byte for byte, as one made from nothing", () => {
  const initial = fc.uniqueArray(state, { selector: ({ number }) => number, maxLength: 80 });
  let copied = 0;
  fc.assert(
    fc.property(initial, fc.array(change, { minLength: 1, maxLength: 5 }), (first, changes) => {
      const known = new Map(first.map((each) => [each.number, reviewOf(each)]));
      let business = businessOf("Bea Lund");
      let memory: EditionMemory = {};
      let last: RenderedEdition | undefined;
      const none = { isRecalled: false, isKept: false, put: [], out: [], name: undefined, isIndexed: true };
      for (const { isRecalled, isKept, put, out, name, isIndexed } of [none, ...changes]) {
        let kept: ReviewList | undefined;
        if (isRecalled && last !== undefined) {
          memory = {};
          kept = recallEdition(last, { taxonomy, memory });
          assert.deepEqual([...kept], [...listAll(keptReviews(last.reviewIndex))]);
        } else if (isKept && last !== undefined) kept = reviewsIn(memory, last.reviewIndex);
        for (const each of put) known.set(each.number, reviewOf(each));
        for (const number of out) known.delete(number);
        if (name !== undefined) business = businessOf(name);
        const reviews = [...known.values()].sort(compareReviews);
        if (kept !== undefined && listed(reviews, kept).runs.some(({ source }) => source === memory.last?.reviews))
          copied++;
        const quick = render(reviews, business, memory, kept);
        last = quick;
        const whole = render(reviews, business, {});
        assert.deepEqual({ ...quick, judgements: "" }, { ...whole, judgements: "" });
        assert.deepEqual([...listAll(keptReviews(quick.reviewIndex))], plain(reviews));
        const [one, other] = [openEdition(quick), openEdition(whole)];
        if (isIndexed) quick.reviewIndex.wordIndex = finish(buildWordIndex(quick.reviewIndex));
        const tags = prefixTags(quick.reviewIndex);
        for (const date of new Set([...reviews.map(({ date }) => date), "2999-01-01"])) {
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
    { numRuns: 60 },
  );
  assert.ok(copied > 0);
});

test("what is recalled of a text is not taken for another text of which the analysis says the same", () => {
  const texts = ["It was a fair price for the work?", "It was a fair price for the work"];
  const [asked, said] = texts.map((text, number) =>
    reviewOf({ number, day: number, text, rating: 5, hasReply: false }),
  );
  const reviews = [said, asked].filter((review) => review !== undefined);
  const business = businessOf("Bea Lund");
  const first = render(reviews, business, {});
  assert.deepEqual(...(reviews.map(({ id }) => openEdition(first).analysis(id)) as [unknown, unknown]));
  const memory: EditionMemory = {};
  recallEdition(first, { taxonomy, memory });
  assert.equal(render(reviews, business, memory).judgements, first.judgements);
});

test("an edition made from a recalled one asks nothing again of the mentions that both show", () => {
  const reviews = TEXTS.map((text, number) => reviewOf({ number, day: number, text, rating: 5, hasReply: false }));
  reviews.sort(compareReviews);
  const business = businessOf("Bea Lund");
  const first = render(reviews, business, {});
  const unread = {
    get: () => {
      throw new Error("A text was read again");
    },
  };
  const shut = Object.create(taxonomy, { matcher: unread, model: unread }) as typeof taxonomy;
  const memory: EditionMemory = {};
  recallEdition(first, { taxonomy: shut, memory });
  const settings = { baseUrl: "https://reviews.example", sample: false, taxonomy: shut, memory };
  const next = renderEdition(snapshotOf(listOf(reviews.slice(1)), business), settings);
  assert.ok(next.insights.aspects.some(({ top_phrases }) => top_phrases.length > 0));
});
