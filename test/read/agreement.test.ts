/**
 * What is said of an aspect in one place is said nowhere otherwise: the page, its chart and quotes, the summary, the
 * questions, `/insights.json` and MCP, over random businesses. `GOODWORD_TEST_STORES` says how many (default 20).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyOf } from "../../src/analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../../src/business.ts";
import { type Edition, openEdition } from "../../src/edition/edition.ts";
import { renderDatasets } from "../../src/edition/render-datasets.ts";
import { finish } from "../../src/edition/steps.ts";
import { listed } from "../../src/insight/prose/prose.ts";
import type { Aspect, Insights } from "../../src/insights-document.ts";
import { TOOLS } from "../../src/mcp/tool/tools.ts";
import { renderFrontPage } from "../../src/page/front-page.ts";
import { localeOf } from "../../src/page/text/locale.ts";
import { proseFor } from "../../src/page/text/page-prose.ts";
import { PAGE_LANGUAGES } from "../../src/page-languages.ts";
import type { Review } from "../../src/review.ts";
import { NO_SEQUENCE } from "../../src/store/change-sequence.ts";
import { NO_HISTORY } from "../../src/store/public-history.ts";
import { BASE_URL, parseDocument } from "../support/real-edition.ts";
import { deriveReviewId, newestFirst } from "../support/review-id.ts";
import { seededRandom } from "../support/seeded-random.ts";

const STORES = Number(process.env.GOODWORD_TEST_STORES ?? 20);
const SEED = Number(process.env.GOODWORD_TEST_SEED ?? 1);

const SENTENCES = [
  "The staff were friendly and helpful.",
  "Rude staff who ignored us.",
  "The food was delicious.",
  "The food was cold and bland.",
  "Lovely place with a great atmosphere.",
  "No parking, and the room was cramped and noisy.",
  "Fair prices, great value for money.",
  "Overpriced, and they overcharged us.",
  "Everything was spotless and clean.",
  "The tables were filthy.",
  "They came right on time.",
  "We waited two hours and nobody came.",
  "She explained every step.",
  "Nobody ever called me back.",
  "They did an excellent job and the repair has lasted.",
  "Shoddy work, it broke again after a week.",
  "The staff were friendly, but the food was cold and the place was dirty.",
  "Great place, terrible service and it was far too expensive.",
  "It's ok.",
  "👍👍",
  "Das Personal war sehr freundlich und kompetent.",
  "Der Monteur kam zu spät und war unfreundlich.",
  "最高です。",
];
const TRADES = ["HVACBusiness", "EventVenue", "Restaurant", "Dentist"];

/** The edition of a random business with up to 60 reviews. One store favours few sentences, so that counts differ. */
function randomEdition(random: () => number): Edition {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = (list: readonly string[]) => list[below(list.length)] as string;
  const business = businessFileSchema.parse({
    name: "Ada & Co",
    time_zone: "UTC",
    category: pick(TRADES),
    language: pick(["en", "en", ...PAGE_LANGUAGES]),
  });
  const liked = Array.from({ length: 1 + below(8) }, () => pick(SENTENCES));
  const reviews = Array.from({ length: below(61) }, (_, index): Review => {
    const said = Array.from({ length: below(4) }, () => pick(below(3) > 0 ? liked : SENTENCES));
    const day = new Date(Date.UTC(2024, 0, 1 + below(700))).toISOString().slice(0, 10);
    return {
      id: deriveReviewId("google", String(index), day),
      author: `Customer ${index}`,
      author_avatar_url: null,
      rating: 1 + below(5),
      date: day,
      text: said.length === 0 ? null : [...new Set(said)].join(" "),
      source: "google",
      source_url: null,
      owner_reply: null,
      verified: true,
    };
  });
  const snapshot = {
    ...{
      business,
      reviews: reviews.sort(newestFirst),
      analyses: new Map(),
      corrections: [],
      edits: new Map(),
      gone: [],
    },
    revision: { number: 1, revised_at: new Date("2026-01-03T09:00:00Z") },
    history: NO_HISTORY,
    sequence: NO_SEQUENCE,
  };
  return openEdition(renderDatasets(snapshot, { baseUrl: BASE_URL, sample: false, taxonomy: taxonomyOf(business) }));
}

// biome-ignore lint/suspicious/noExplicitAny: what comes back is what the tests look into
function answerOf(edition: Edition, name: string, args: object): any {
  const tool = TOOLS.find((one) => one.name === name);
  const answer = tool?.run(edition, args as Parameters<(typeof TOOLS)[number]["run"]>[1]) ?? "null";
  return JSON.parse(typeof answer === "string" ? answer : finish(answer));
}

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&amp;", "&")
    .trim();
const matchesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups as string[]);

/** The `max` aspects that most reviews praise or criticise, three at least, and what ties with the last, by counting. */
function most(aspects: readonly Aspect[], count: "positive_count" | "negative_count", max: number): Aspect[] {
  return aspects
    .filter((aspect) => aspect[count] >= 3 && aspects.filter((other) => other[count] > aspect[count]).length < max)
    .toSorted((a, b) => b[count] - a[count]);
}

/** The counts of the reviews' own analyses, which everything else has to repeat. */
function assertCounted({ aspects, per_review }: Insights): void {
  const analyses = Object.values(per_review);
  for (const { id, positive_count, negative_count } of aspects) {
    const count = (sentiment: string) =>
      analyses.filter((one) => one.aspects.find((aspect) => aspect.id === id)?.sentiment === sentiment).length;
    assert.deepEqual([positive_count, negative_count], [count("positive"), count("negative")], id);
  }
}

/** What is criticised at the top: what most reviews criticise, and what is praised there but criticised more. */
function criticisedChips(aspects: readonly Aspect[]): Aspect[] {
  const good = most(aspects, "positive_count", 4);
  const worse = good.filter((aspect) => aspect.negative_count > aspect.positive_count && aspect.negative_count >= 3);
  const least = Math.min(...worse.map(({ negative_count }) => negative_count));
  const two = most(aspects, "negative_count", 2);
  return most(aspects, "negative_count", 99).filter((one) => two.includes(one) || one.negative_count >= least);
}

/** The chips at the top: what most reviews praise and criticise, and what is criticised more than praised, with their numbers. */
function assertChips(page: string, aspects: readonly Aspect[]): void {
  const good = most(aspects, "positive_count", 4);
  for (const [kind, expected] of [
    ["good", good.map((one) => one.positive_count)],
    ["bad", criticisedChips(aspects).map((one) => one.negative_count)],
  ] as const) {
    const chips = matchesOf(page, new RegExp(`<a class="chip ${kind}"[^>]*>.*?<b>(\\d+)</b>`, "g"));
    assert.deepEqual(chips.map(([number]) => Number(number)), expected, kind); // biome-ignore format: a row
  }
}

/** The table of the chart has the counts of insights. */
function assertChart(page: string, aspects: readonly Aspect[]): void {
  const table = /id="aspect-chart".*?<tbody>(.*?)<\/tbody>/s.exec(page)?.[1] ?? "";
  const rows = matchesOf(table, /<tr>(.*?)<\/tr>/gs).map(([row = ""]) =>
    matchesOf(row, /<td[^>]*>(\d+)<\/td>/g).map(([number]) => Number(number)),
  );
  const mentioned = aspects.filter(({ mention_count }) => mention_count > 0);
  const expected = mentioned.map((one) => [one.positive_count, one.neutral_count, one.negative_count]);
  assert.deepEqual(rows, expected);
}

/** An aspect with praise and criticism is quoted with both, on the page and by MCP. */
function assertQuotes(page: string, edition: Edition): void {
  for (const { id, positive_count, negative_count } of edition.insights.aspects) {
    const isTwoSided = positive_count > 0 && negative_count > 0;
    const onPage = new RegExp(`<div id="about-${id}">(.*?)</div>`, "s").exec(page)?.[1];
    if (isTwoSided && onPage !== undefined)
      assert.deepEqual(
        matchesOf(onPage, /class="excerpt (\w+)"/g)
          .flat()
          .sort(),
        ["negative", "positive"],
        id,
      );
    if (onPage === undefined && positive_count + negative_count > 0 && page.includes('class="excerpts"'))
      assert.doesNotMatch(page, new RegExp(`href="#about-${id}"`));
    const { quotes, ...counts } = answerOf(edition, "get_aspect_sentiment", { aspect: id });
    assert.deepEqual([counts.positive_count, counts.negative_count], [positive_count, negative_count]);
    const kinds = new Set(quotes.map(({ sentiment }: { sentiment: string }) => sentiment));
    assert.deepEqual([kinds.has("positive"), kinds.has("negative")], [positive_count > 0, negative_count > 0], id);
  }
}

const ON_TOPIC = "What do customers say about ";

/** Each of the first five topics has a question, and its numbers are those of the topic, of the page and of MCP. */
function assertTopics(edition: Edition, page: string, faq: Insights["faq"]): void {
  const { topics } = edition.insights;
  const asked = faq.filter(({ question }) => question.startsWith(ON_TOPIC));
  assert.deepEqual(
    asked.map(({ question, about }) => [question, about]),
    topics.slice(0, 5).map(({ id, label }) => [`${ON_TOPIC}${label}?`, [id]]),
  );
  for (const [place, { answer }] of asked.entries()) {
    const { id, review_count, poor_count, good_count, praised, criticised } = topics[place] as (typeof topics)[number];
    const numbers = matchesOf(answer, /(\d+)/g).map(([number]) => Number(number));
    const [poor, good] = [{ max_rating: 2 }, { min_rating: 4 }].map(
      (stars) => answerOf(edition, "search_reviews", { topic: id, ...stars, limit: 1 }).matched,
    );
    assert.deepEqual([poor, good], [poor_count, good_count], id);
    assert.deepEqual(numbers, [review_count, poor, good, praised, criticised].filter((number) => number > 0)); // biome-ignore format: a row
  }
  for (const { id, review_count } of topics) {
    const { matched } = answerOf(edition, "search_reviews", { topic: id, limit: 1 });
    assert.equal(matched, review_count, id);
    if (page.includes(`topic=${encodeURIComponent(id)}"`))
      assert.match(page, new RegExp(`topic=${encodeURIComponent(id)}"><bdi[^>]*>[^<]*</bdi> <b>${review_count}</b>`));
  }
  assert.deepEqual(answerOf(edition, "get_summary", {}).topics, topics);
}

/** How many reviews speak of an aspect, and how many of them gave one or two stars, and four or five. */
function starsOn(edition: Edition, { id }: Aspect): number[] {
  const { per_review: each } = parseDocument(edition, "/insights.json") as Insights;
  const ids = Object.keys(each).filter((review) => each[review]?.aspects.some((one) => one.id === id));
  const ratings = ids.map((review) => edition.review(review)?.rating ?? 0);
  return [ids.length, ratings.filter((stars) => stars <= 2).length, ratings.filter((stars) => stars >= 4).length];
}

/** The numbers in brackets in what a sentence lists. */
function listedNumbers(text: string, sentence: RegExp): number[] {
  const list = sentence.exec(text)?.[1] ?? "";
  return matchesOf(list, /\((?:about |at least )?(\d+)(?: \p{L}+)?(?:; [^)]*)?\)/gu).map(([number]) => Number(number));
}

/** What criticism of an aspect is said to be about is named by as many of its reviews as is said, everywhere the same. */
function assertCriticisedTopics(edition: Edition, page: string, { aspects, faq, summary }: Insights): void {
  const { per_review: each } = parseDocument(edition, "/insights.json") as Insights;
  const topicsOf = (id: string) => listed(edition.criticisedTopics(id).map(({ label, count }) => `${label} ${count}`));
  const said = most(aspects, "negative_count", 3).map(({ id }) => topicsOf(id));
  const complaints = faq.find(({ question }) => question === "What do customers complain about?")?.answer ?? "";
  const named = (text: string) => matchesOf(text, /\d; named there: ([^)]+)\)/g).flat();
  assert.deepEqual(
    named(complaints),
    said.filter((labels) => labels !== ""),
  );
  const two = most(aspects, "negative_count", 2).map(({ id }) => topicsOf(id));
  assert.deepEqual(
    matchesOf(summary, /\d reviews?; named there: ([^)]+)\)|\d; named there: ([^)]+)\)/g).map(([a, b]) => a ?? b),
    two.filter((labels) => labels !== ""),
  );
  const locale = localeOf(edition.language);
  /** As pages say it. */
  const saidOf = (id: string) => {
    const named = edition.criticisedTopics(id).map(({ label, count }) => `${label} ${locale.number(count)}`);
    const topics = new Intl.ListFormat(edition.language).format(named);
    return named.length === 0 ? "" : locale.words.namedThere.replace("{topics}", topics);
  };
  const chips = matchesOf(page, /<a class="chip bad".*?<\/b>(.*?)<\/a>/gs).map(([text = ""]) => plain(text));
  assert.deepEqual(chips, criticisedChips(aspects).map(({ id }) => saidOf(id).trim())); // biome-ignore format: a row
  for (const { id, negative_count } of aspects) {
    const named = edition.criticisedTopics(id);
    const critical = Object.values(each).filter((one) => one.aspects.find((aspect) => aspect.id === id)?.sentiment === "negative"); // biome-ignore format: a row
    for (const { id: topic, count } of named) {
      assert.equal(count, critical.filter(({ topics }) => topics.includes(topic)).length, topic);
      assert.ok(count >= 3 && count <= negative_count, topic);
    }
    assert.equal(
      /^\d+ reviews criticise it; named there: (.*)\.$/.exec(
        answerOf(edition, "get_aspect_sentiment", { aspect: id }).note ?? "",
      )?.[1] ?? "",
      topicsOf(id),
    );
  }
  if (proseFor(edition.language) !== undefined)
    for (const { id } of most(aspects, "negative_count", 3)) assert.ok(plain(page).includes(saidOf(id)), id);
}

/** The summary and the questions name the most praised and most criticised aspects, with their numbers. */
function assertProse(edition: Edition, page: string, { aspects, faq, summary }: Insights): void {
  const numbersOf = (count: "positive_count" | "negative_count", max: number) =>
    most(aspects, count, max).map((one) => one[count]);
  const criticised = most(aspects, "negative_count", 3);
  assert.deepEqual(listedNumbers(summary, /most often praise (.*?)\.( |$)/), numbersOf("positive_count", 3));
  const complaints = listedNumbers(summary, /it is most often about (.*?)(, though|\. |\.$)/);
  assert.deepEqual(complaints, numbersOf("negative_count", 2));
  const prose = proseFor(edition.language);
  if (prose !== undefined) {
    const [praisedFor, blamedFor] = [prose.praised, prose.criticised].map(
      (sentence) => new RegExp(sentence.replaceAll(/\s/g, "\\s").replace("{list}.", "(.*?)\\.")),
    ) as [RegExp, RegExp];
    assert.deepEqual(listedNumbers(plain(page), praisedFor), numbersOf("positive_count", 3));
    assert.deepEqual(listedNumbers(plain(page), blamedFor), numbersOf("negative_count", 3));
  } else if (edition.reviewCount > 0) assert.ok(plain(page).includes(summary));
  const answer = faq.find(({ question }) => question === "What do customers complain about?");
  assert.equal(answer === undefined, criticised.length === 0);
  assert.deepEqual(answer?.about ?? [], criticised.map(({ id }) => id)); // biome-ignore format: a row
  assertTopics(edition, page, faq);
  assertCriticisedTopics(edition, page, { ...edition.insights, per_review: {} });
  for (const { question, answer: said, about } of faq) {
    if (question.startsWith(ON_TOPIC)) continue;
    const aspect = aspects.find(({ id }) => about.length === 1 && id === about[0]);
    if (aspect === undefined || question === answer?.question) continue;
    const isTwoSided = aspect.positive_count > 0 && aspect.negative_count > 0;
    assert.equal(/complain/.test(said) && /praise/.test(said), isTwoSided, said);
    const [, ...stars] =
      /(\d+) reviews speak of it(?:, (\d+) with one or two stars)?(?:,? (?:and )?(\d+) with four)?/.exec(said) ?? [];
    if (stars.length > 0) assert.deepEqual(stars.map((number) => Number(number ?? 0)), starsOn(edition, aspect)); // biome-ignore format: a row
    const quotes = said.match(/“[^”]+”/g)?.length ?? 0;
    assert.ok(isTwoSided ? quotes === 0 || quotes === 2 : quotes <= 1, said);
    if (!isTwoSided) assert.equal(/complain/.test(said), aspect.negative_count > aspect.positive_count, said);
  }
  assert.deepEqual(answerOf(edition, "get_faq", {}).faq, faq);
  assert.equal(answerOf(edition, "get_summary", {}).summary, summary);
  assert.deepEqual(
    answerOf(edition, "list_aspects", {}).aspects.map((one: Aspect) => [
      one.id,
      one.positive_count,
      one.negative_count,
    ]),
    aspects.map((one) => [one.id, one.positive_count, one.negative_count]),
  );
}

test(`page, chart, quotes, summary, FAQ, insights and MCP agree, over ${STORES} random stores`, () => {
  const random = seededRandom(SEED);
  for (let store = 0; store < STORES; store++) {
    const edition = randomEdition(random);
    const insights = parseDocument(edition, "/insights.json") as Insights;
    const page = plainPage(edition);
    try {
      assertCounted(insights);
      assertChips(page, insights.aspects);
      assertChart(page, insights.aspects);
      assertQuotes(page, edition);
      assertProse(edition, page, insights);
    } catch (error) {
      throw new Error(`store ${store} of the seed ${SEED}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
});

function plainPage(edition: Edition): string {
  return Buffer.from(renderFrontPage(edition).body).toString("utf8");
}
