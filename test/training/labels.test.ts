/** The labelled reviews are well formed. `training/labels/check.ts` compares the real ones with their texts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseTaxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readTaxonomy } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { READ_TAGS } from "../../src/insight/text/language-words.ts";
import { kappa } from "../../training/labels/kappa.ts";
import {
  ASPECTS,
  badCuts,
  LABELS,
  type LabelledClause,
  type Labels,
  NO_VERDICTS,
  type OwnReview,
  type RealReview,
  readClauses,
  readLines,
  readLow,
  readOwn,
  readReal,
  readSplit,
  type Trade,
  wordsOf,
} from "../../training/labels/labels.ts";

const own = ["own", ...READ_TAGS.slice(1)].flatMap((folder) =>
  [...readOwn(folder)].flatMap(([file, reviews]) =>
    reviews.map((review, index) => ({ ...review, place: `${folder}/${file}.jsonl:${index + 1}` })),
  ),
);
const real = readReal();
const low = (["train", "report"] as const).map((part) => ({
  business: `real-low/${part}`,
  trade: "general" as const,
  reviews: readLow(part),
}));
const places = [
  ...own.map(({ place, trade, ...labels }) => ({ place, trade, labels: labels as Labels })),
  ...[...real, ...low].flatMap(({ business, trade, reviews }) =>
    reviews.map((labels) => ({ place: `real/${business}.${trade}.jsonl ${labels.id}`, trade, labels })),
  ),
];

/** A real review as a second reader labels it. */
interface SecondRealReview extends RealReview {
  readonly business: string;
  readonly trade: Trade;
}
const secondOwn = readLines<OwnReview>(join(LABELS, "second", "own.jsonl"));
const secondReal = readLines<SecondRealReview>(join(LABELS, "second", "real.jsonl"));

const SENTIMENTS = ["positive", "negative", "neutral"];

/** What is wrong with the labels of a review, apart from where its spans cut the text. */
function faults(trade: Trade, { rating, criticism, spans }: Labels): string[] {
  const found: string[] = [];
  if (!Number.isInteger(rating) || rating < 1 || rating > 5) found.push(`rating ${rating}`);
  if (typeof criticism !== "boolean") found.push(`criticism ${criticism}`);
  if (!(trade in ASPECTS)) found.push(`trade ${trade}`);
  let end = 0;
  for (const { from, to, aspects, not } of spans) {
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < end || to <= from) found.push(`span ${from}–${to}`);
    end = to;
    if ((not === undefined) === (aspects.length === 0)) found.push(`span ${from}–${to} needs aspects or a "not"`);
    if (not !== undefined && !NO_VERDICTS.includes(not)) found.push(`not ${not}`);
    if (new Set(aspects.map(({ id }) => id)).size < aspects.length) found.push(`span ${from}–${to} repeats an aspect`);
    for (const { id, sentiment } of aspects) {
      if (!ASPECTS[trade]?.includes(id)) found.push(`aspect ${id}`);
      if (!SENTIMENTS.includes(sentiment)) found.push(`sentiment ${sentiment}`);
    }
  }
  if (!criticism && spans.some(({ aspects }) => aspects.some(({ sentiment }) => sentiment === "negative")))
    found.push("blames, but criticism is false");
  return found;
}

test("every labelled review has a rating, known aspects and spans in order", () => {
  assert.ok(own.length > 0 && real.length > 0);
  assert.deepEqual(
    places.flatMap(({ place, trade, labels }) => faults(trade, labels).map((fault) => `${place}: ${fault}`)),
    [],
  );
});

test("the ids of home services are those of its taxonomy", () => {
  const taxonomy = parseTaxonomy(readTaxonomy("home-services"), "home-services");
  assert.deepEqual(taxonomy.aspects.map(({ id }) => id).toSorted(), ASPECTS["home-services"].toSorted());
});

test("every span of an invented review cuts whole words out of its text", () => {
  assert.deepEqual(
    own.flatMap((review) => badCuts(review.text, review).map((cut) => `${review.place}: ${cut}`)),
    [],
  );
});

/** What so few words say, several authors say alike. */
const FEW_WORDS = 5;

test("no invented review stands twice, but for what several authors would write: never again", () => {
  const seen = new Map<string, string>();
  const repeated: string[] = [];
  for (const { text, place } of own) {
    const words = wordsOf(text).join(" ");
    const earlier = seen.get(words);
    const byAnother = earlier !== undefined && earlier.split(":")[0] !== place.split(":")[0];
    if (byAnother && wordsOf(text).length <= FEW_WORDS) continue;
    if (earlier !== undefined) repeated.push(`${place} repeats ${earlier}`);
    seen.set(words, place);
  }
  assert.deepEqual(repeated, []);
});

test("labels of real reviews hold no text, and each review has one line", () => {
  const allowed = ["criticism", "id", "rating", "spans"];
  for (const { business, trade, reviews } of [...real, ...low]) {
    assert.deepEqual(
      reviews.filter((review) => Object.keys(review).toSorted().join() !== allowed.join()),
      [],
      `${business}.${trade}`,
    );
    assert.equal(new Set(reviews.map(({ id }) => id)).size, reviews.length, `${business}.${trade} repeats an id`);
  }
});

test("a small town's review is labelled in one half only", () => {
  const [train = [], report = []] = low.map(({ reviews }) => reviews.map(({ id }) => id));
  assert.ok(train.length > 0 && report.length > 0);
  assert.deepEqual(
    train.filter((id) => report.includes(id)),
    [],
  );
});

test("a business either trains or validates, and both sides hold both kinds of trade and low stars", () => {
  const { train, validate } = readSplit();
  const businesses = new Set(real.map(({ business }) => business));
  const wrong = train.filter((name) => validate.includes(name));
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [...businesses].filter((name) => ![...train, ...validate].includes(name)),
    [],
    "labelled, but on neither side",
  );
  for (const side of [train, validate]) {
    const files = real.filter(({ business }) => side.includes(business));
    const home = files.filter(({ trade }) => trade === "home-services");
    const names = new Set(home.map(({ business }) => business));
    const others = files.filter(({ business }) => !names.has(business));
    for (const group of [home, others]) {
      const stars = group.flatMap(({ reviews }) => reviews.map(({ rating }) => rating));
      assert.ok(stars.some((rating) => rating <= 2) && stars.includes(5));
    }
  }
});

test("a review read for both trades has the same criticism in both", () => {
  for (const { business, reviews } of real.filter(({ trade }) => trade === "home-services")) {
    const general = real.find((file) => file.business === business && file.trade === "general");
    assert.deepEqual(
      general?.reviews.map(({ id, criticism }) => [id, criticism]),
      reviews.map(({ id, criticism }) => [id, criticism]),
      business,
    );
  }
});

test("the list for a second reader names 80 labelled reviews, invented and real", () => {
  const list = JSON.parse(readFileSync(join(LABELS, "second", "to-read.json"), "utf8")) as {
    readonly own: readonly { readonly file: string; readonly line: number }[];
    readonly real: readonly { readonly business: string; readonly trade: Trade; readonly id: string }[];
  };
  const lines = readOwn();
  const missing = [
    ...list.own.filter(({ file, line }) => lines.get(file)?.[line - 1] === undefined),
    ...list.real.filter(
      (one) =>
        !real.some(
          ({ business, trade, reviews }) =>
            business === one.business && trade === one.trade && reviews.some(({ id }) => id === one.id),
        ),
    ),
  ];
  assert.deepEqual(missing, []);
  assert.equal(new Set([...list.own, ...list.real].map((one) => JSON.stringify(one))).size, 80);
});

test("the second reading labels 80 reviews of the first, well formed and without the words of real ones", () => {
  const nameOf = ({ business, trade, id }: SecondRealReview) => `${business} ${trade} ${id}`;
  const first = new Set([
    ...own.map(({ text }) => text),
    ...real.flatMap(({ business, trade, reviews }) => reviews.map((review) => nameOf({ ...review, business, trade }))),
  ]);
  const second = [...secondOwn.map(({ text }) => text), ...secondReal.map(nameOf)];
  const wrong = second.filter((name) => !first.has(name));
  assert.deepEqual(wrong, []);
  assert.ok(second.length >= 80);
  assert.equal(new Set(second).size, second.length, "a review stands twice");
  assert.deepEqual(
    [
      ...secondOwn.map((review) => ({ name: review.text, found: faults(review.trade, review) })),
      ...secondReal.map((review) => ({ name: nameOf(review), found: faults(review.trade, review) })),
      ...secondOwn.map((review) => ({ name: review.text, found: badCuts(review.text, review) })),
    ].filter(({ found }) => found.length > 0),
    [],
  );
  const allowed = "business,criticism,id,rating,spans,trade";
  assert.deepEqual(
    secondReal.filter((review) => Object.keys(review).toSorted().join() !== allowed),
    [],
  );
});

test("the second reading of short texts labels texts of the first, well formed", () => {
  const first = new Set([...readClauses().values()].flat().map(({ text }) => text));
  const second = readLines<LabelledClause>(join(LABELS, "second", "clauses.jsonl"));
  assert.equal(new Set(second.map(({ text }) => text)).size, 100);
  for (const { text, aspects } of second) {
    assert.ok(first.has(text), text);
    assert.deepEqual(
      aspects.filter(({ id, sentiment }) => !ASPECTS["home-services"].includes(id) || !SENTIMENTS.includes(sentiment)),
      [],
      text,
    );
  }
});

test("kappa() is 1 where two readers agree, 0 where chance agrees as often, and as in the textbook between", () => {
  const times = (count: number, first: string, second: string) =>
    Array.from({ length: count }, () => [first, second] as const);
  assert.equal(kappa([...times(3, "yes", "yes"), ...times(2, "no", "no")]), 1);
  assert.equal(kappa([...times(1, "a", "a"), ...times(1, "a", "b"), ...times(1, "b", "a"), ...times(1, "b", "b")]), 0);
  const table = [
    ...times(20, "yes", "yes"),
    ...times(5, "yes", "no"),
    ...times(10, "no", "yes"),
    ...times(15, "no", "no"),
  ];
  assert.ok(Math.abs(kappa(table) - 0.4) < 1e-12);
  assert.ok(Number.isNaN(kappa(times(4, "yes", "yes"))));
});

test("every short text is labelled once, with aspects of home services", () => {
  const seen = new Set<string>();
  for (const [file, clauses] of readClauses()) {
    assert.ok(clauses.length > 0, file);
    for (const { text, aspects } of clauses) {
      const words = wordsOf(text).join(" ");
      assert.ok(!seen.has(words), `${file}: ${text} stands there twice`);
      seen.add(words);
      const spans = aspects.length === 0 ? [] : [{ from: 0, to: text.length, aspects }];
      assert.deepEqual(faults("home-services", { rating: 3, criticism: true, spans }), [], `${file}: ${text}`);
    }
  }
  assert.ok(seen.size > 1000);
});
