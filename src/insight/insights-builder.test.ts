import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { tries } from "../../test/support/properties.ts";
import { deriveReviewId } from "../../test/support/review-id.ts";
import { wholeInsights } from "../../test/support/whole-insights.ts";
import { taxonomyNamed } from "../analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../business.ts";
import { type Analysis, type Insights, insightsSchema } from "../insights-document.ts";
import type { Review } from "../review.ts";
import { mentionFinder } from "./mentions/mentions.ts";
import { isReadLanguage, languageOf, languageOfText } from "./text/language.ts";
import { analyseText } from "./text-analysis.ts";

const taxonomy = taxonomyNamed("home-services");
const business = businessFileSchema.parse({
  name: "Maple Air",
  time_zone: "UTC",
  technicians: [{ id: "bea", name: "Bea Lund" }],
  services: [{ id: "ac-repair", label: "AC repair" }],
  service_areas: [{ id: "elmford", label: "Elmford" }],
});
const find = mentionFinder(business, taxonomy);

const SENTENCES = [
  "Bea showed up right on time and was very polite.",
  "She explained every step and left the place spotless.",
  "The AC repair has held up for two summers in Elmford.",
  "Told me 9, showed up at 2.",
  "They tried to sell us a whole new unit!",
  "The bill was twice the quote, with hidden fees.",
  "Nobody ever called me back",
  "The leak came back in a week; still dripping.",
  "Same day service, honest people, fair price.",
  "It's ok.",
  "👍👍",
  "最高です。",
  "Der Monteur kam zu spät und war unfreundlich.",
  "Rápido, limpio y muy amable. Bea es genial.",
];

const text = fc.option(
  fc.oneof(
    fc.shuffledSubarray(SENTENCES, { minLength: 1, maxLength: 4 }).map((sentences) => sentences.join(" ")),
    fc.string({ unit: "grapheme", minLength: 1 }),
  ),
  { nil: null },
);
const day = fc
  .integer({ min: 0, max: 900 })
  .map((days) => new Date(Date.UTC(2023, 0, 1 + days)).toISOString().slice(0, 10));
const reviews = fc
  .array(fc.record({ text, date: day, rating: fc.integer({ min: 1, max: 5 }) }), { maxLength: 60 })
  .map((rows) => rows.map((row, index) => reviewOf(row, index)));

function reviewOf(row: { text: string | null; date: string; rating: number }, index: number): Review {
  return {
    id: deriveReviewId("google", String(index), row.date),
    author: "A customer",
    author_avatar_url: null,
    ...row,
    source: "google",
    source_url: null,
    owner_reply: null,
    verified: true,
  };
}

function compose(published: readonly Review[]): Insights {
  const analyses = published.map((review) => ({
    ...analyseText(review.text, review.rating, taxonomy),
    ...find(isReadLanguage(languageOf(review.text ?? "")) ? review.text : null),
  }));
  const generatedAt = new Date(Date.UTC(2026, 0, 1));
  return wholeInsights({ business, taxonomy, reviews: published, analyses, generatedAt, model: "test" });
}

/** The mean to two decimals as anybody would work it out, or null of nothing. */
function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function assertMean(said: number | null, values: readonly number[]): void {
  const expected = mean(values);
  if (said === null || expected === null) assert.equal(said, expected);
  else assert.ok(Math.abs(said - expected) <= 0.005 + 1e-9, `${said} for ${expected}`);
}

function law(name: string, holds: (insights: Insights, published: readonly Review[]) => void): void {
  test(`composeInsights() ${name}`, () => {
    fc.assert(
      fc.property(reviews, (published) => holds(compose(published), published)),
      { numRuns: tries(60) },
    );
  });
}

law("is valid for any reviews and the same in any order", (insights, published) => {
  insightsSchema.parse(insights);
  assert.deepEqual(compose(published.toReversed()), insights);
});

law("counts the aspects as per_review does", (insights) => {
  const all = Object.values(insights.per_review);
  assert.deepEqual(insights.aspects.map(({ id }) => id).sort(), taxonomy.aspects.map(({ id }) => id).sort());
  for (const aspect of insights.aspects) {
    const mentions = all.flatMap(({ aspects }) => aspects.filter(({ id }) => id === aspect.id));
    const count = (sentiment: string) => mentions.filter((mention) => mention.sentiment === sentiment).length;
    assert.equal(aspect.mention_count, mentions.length);
    assert.deepEqual(
      [aspect.positive_count, aspect.neutral_count, aspect.negative_count],
      [count("positive"), count("neutral"), count("negative")],
    );
    const share = mentions.length === 0 ? null : (count("positive") * 100) / mentions.length;
    assert.ok(
      share === null ? aspect.positive_pct === null : Math.abs((aspect.positive_pct ?? -1) - share) <= 0.05 + 1e-9,
    );
    assertMean(aspect.score, mentions.map(({ sentiment }) => (sentiment === "positive" ? 1 : sentiment === "negative" ? -1 : 0))); // biome-ignore format: a row
  }
  const counts = insights.aspects.map(({ mention_count }) => mention_count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
});

law("has percentages that sum to 100, or to 0 without reviews", (insights, published) => {
  const { positive_pct, neutral_pct, negative_pct, score } = insights.overall_sentiment;
  const tenths = [positive_pct, neutral_pct, negative_pct].map((share) => Math.round(share * 10));
  assert.equal(
    tenths.reduce((sum, share) => sum + share, 0),
    published.length === insights.unread_count ? 0 : 1000,
  );
  const all = Object.values(insights.per_review).filter(({ sentiment }) => sentiment !== null);
  for (const [sentiment, share] of [
    ["positive", positive_pct],
    ["neutral", neutral_pct],
    ["negative", negative_pct],
  ] as const) {
    const exact = (all.filter((analysis) => analysis.sentiment === sentiment).length * 100) / (all.length || 1);
    assert.ok(Math.abs(share - exact) < 0.1 + 1e-9);
  }
  assertMean(score, all.flatMap((analysis) => analysis.score ?? [])); // biome-ignore format: a row
});

law("counts entities and topics as per_review does", (insights, published) => {
  const rated = new Map(published.map(({ id, rating }) => [id, rating]));
  const of = (kind: keyof Analysis, id: string) =>
    Object.entries(insights.per_review).filter(([, analysis]) => (analysis[kind] as string[]).includes(id));
  for (const kind of ["technicians", "services", "problems", "service_areas"] as const) {
    for (const entity of insights.entities[kind]) {
      const naming = of(kind, entity.id);
      assert.equal(entity.mention_count, naming.length);
      assertMean(entity.average_rating, naming.map(([id]) => rated.get(id) ?? 0)); // biome-ignore format: a row
      assertMean(entity.score, naming.flatMap(([, { score }]) => score ?? [])); // biome-ignore format: a row
      assert.ok(entity.example_review_ids.every((id) => naming.some(([other]) => other === id)));
    }
  }
  const readTexts = published.filter(({ id, text }) => {
    return text !== null && text.trim() !== "" && insights.per_review[id]?.sentiment !== null;
  }).length;
  for (const topic of insights.topics) {
    const naming = of("topics", topic.id);
    assert.equal(topic.review_count, naming.length);
    assert.ok(Math.abs(topic.share_pct - (naming.length * 100) / readTexts) <= 0.05 + 1e-9);
  }
});

law("counts the reviews of each language, and says nothing of those that are not read", (insights, published) => {
  const all = Object.entries(insights.per_review);
  const texts = new Map(published.map(({ id, text }) => [id, text]));
  for (const [id, { language }] of all) assert.equal(language, languageOfText(texts.get(id) ?? null));
  const counts = Map.groupBy(all, ([, { language }]) => language);
  assert.deepEqual(
    insights.languages.map(({ language, review_count, analysed }) => [language, review_count, analysed]),
    [...counts]
      .flatMap(([language, { length }]) => (language === null ? [] : [[language, length, isReadLanguage(language)]]))
      .toSorted(([a, many = 0], [b, few = 0]) => Number(few) - Number(many) || (String(a) < String(b) ? -1 : 1)),
  );
  const unread = all.filter(([, { sentiment }]) => sentiment === null);
  assert.equal(insights.unread_count, unread.length);
  for (const [id, { language, sentiment, score, ...found }] of unread) {
    assert.ok(language !== null && !isReadLanguage(language) && sentiment === score);
    assert.ok(Object.values(found).every(({ length }) => length === 0));
    assert.ok(insights.faq.every(({ review_ids }) => !review_ids.includes(id)));
  }
});

law("has every month from the first review's to the last one's", (insights, published) => {
  const months = insights.temporal.monthly;
  for (const [index, { month, review_count, average_rating, score }] of months.entries()) {
    const group = published.filter(({ date }) => date.startsWith(month));
    assert.equal(review_count, group.length);
    assertMean(average_rating, group.map(({ rating }) => rating)); // biome-ignore format: a row
    assertMean(score, group.flatMap(({ id }) => insights.per_review[id]?.score ?? [])); // biome-ignore format: a row
    if (index === 0) continue;
    const before = new Date(`${months[index - 1]?.month}-01T00:00:00Z`);
    before.setUTCMonth(before.getUTCMonth() + 1);
    assert.equal(month, before.toISOString().slice(0, 7));
  }
  const dates = published.map(({ date }) => date).sort();
  assert.deepEqual(insights.date_range, { earliest: dates[0] ?? null, latest: dates.at(-1) ?? null });
  assert.equal(months[0]?.month, dates[0]?.slice(0, 7));
  assert.equal(months.at(-1)?.month, dates.at(-1)?.slice(0, 7));
});

law("shows nothing but what reviews say word for word, in reviews that are there", (insights, published) => {
  const texts = published.map((review) => review.text ?? "");
  for (const review of published) {
    for (const { evidence } of insights.per_review[review.id]?.aspects ?? [])
      assert.ok(review.text?.includes(evidence));
  }
  for (const { top_phrases } of insights.aspects) {
    for (const phrase of top_phrases)
      assert.ok(
        texts.some((words) => words.includes(phrase)),
        phrase,
      );
  }
  const { pull_quote } = insights;
  if (texts.every((words) => words.trim() === "")) assert.equal(pull_quote, null);
  const read = published.filter(({ id }) => insights.per_review[id]?.sentiment !== null);
  if (pull_quote !== null) assert.ok(read.some(({ text }) => text?.includes(pull_quote)));
  if (pull_quote !== null) assert.ok(pull_quote !== "" && texts.some((words) => words.includes(pull_quote)));
  const ids = new Set(published.map(({ id }) => id));
  for (const { answer, review_ids } of insights.faq) {
    assert.ok(review_ids.length > 0 && review_ids.every((id) => ids.has(id)));
    for (const [, quoted = ""] of answer.matchAll(/“([^”]*)”/g)) {
      assert.ok(
        published.some(({ id, text: words }) => review_ids.includes(id) && words?.includes(quoted)),
        quoted,
      );
    }
  }
});

test("composeInsights() of nothing, of one review and of stars alone says so and no more", () => {
  const none = compose([]);
  assert.match(none.summary, /\bno published reviews\b/);
  assert.deepEqual([none.faq, none.pull_quote, none.temporal.monthly], [[], null, []]);
  assert.equal(none.temporal.trend, "insufficient_data");
  const one = compose([reviewOf({ text: "Great AC repair, on time.", date: "2025-03-01", rating: 5 }, 0)]);
  assert.match(one.summary, /^Maple Air has (1|one) published review\b.*\b5 stars\b/);
  assert.equal(one.pull_quote, "Great AC repair, on time.");
  assert.deepEqual(one.faq, []);
  const silent = compose(
    [4, 5].map((rating, index) => reviewOf({ text: null, date: `2025-0${rating}-01`, rating }, index)),
  );
  assert.doesNotMatch(silent.summary, /praise|criticis/);
  assert.deepEqual([silent.faq, silent.pull_quote, silent.topics], [[], null, []]);
  assert.equal(silent.overall_sentiment.positive_pct, 100);
});

test("composeInsights() takes the owner's own summary as it is", () => {
  const own = businessFileSchema.parse({ name: "Maple Air", time_zone: "UTC", summary: "We fix it." });
  const input = { business: own, taxonomy, reviews: [], analyses: [], generatedAt: new Date(0), model: "test" };
  assert.equal(wholeInsights(input).summary, "We fix it.");
});
