/** Texts in languages that are not read: counted and said, and in no finding (interface §6). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { taxonomyOf } from "../../src/analysis/trade-taxonomy.ts";
import { openEdition } from "../../src/edition/edition.ts";
import { renderDatasets } from "../../src/edition/render-datasets.ts";
import { removeReviews } from "../../src/maintenance/removal.ts";
import { TOOLS } from "../../src/mcp/tool/tools.ts";
import { renderFrontPage } from "../../src/page/front-page.ts";
import { renderReviewPage } from "../../src/page/review-page.ts";
import { readSnapshot } from "../../src/store/store.ts";
import { FOREIGN_LANGUAGES, reviewsIn } from "../support/foreign-reviews.ts";
import { openSandbox, type Sandbox } from "../support/import-sandbox.ts";
import { BASE_URL, parseDocument } from "../support/real-edition.ts";

const BUSINESS = `name: Test Air
time_zone: UTC
category: HVACBusiness
technicians: [{ id: bea, name: Bea Lund }]
services: [{ id: ac-repair, label: AC repair, aliases: [Klima] }]
`;
const POLISH = [
  "Bea Lund przyszła za późno i nie naprawiła Klima. Service was terrible.",
  "Bardzo niemili przez telefon i o wiele za drogo.",
  "Nigdy więcej, kaloryfer nadal cieknie.",
];
const ENGLISH = "Bea showed up on time, was very polite and asked a fair price.";

/** Rows as JSON Lines, one for each text; the stars are given or five. */
function rowsOf(texts: readonly (string | null)[], { rating = 5, source = "google", id = "r" } = {}): string {
  return texts
    .map((text, at) =>
      JSON.stringify({ id: `${id}${at}`, author: `A ${id}${at}`, rating, date: "2026-01-02", text, source }),
    )
    .join("\n");
}

async function published({ store }: Sandbox) {
  const snapshot = await readSnapshot(store);
  const taxonomy = taxonomyOf(snapshot.business);
  const edition = openEdition(renderDatasets(snapshot, { baseUrl: BASE_URL, sample: false, taxonomy }));
  const insights = parseDocument(edition, "/insights.json") as Record<string, unknown>;
  return { edition, insights };
}

const textOf = (document: { readonly body: Uint8Array } | undefined) => Buffer.from(document?.body ?? []).toString();
const SENTENCE =
  /3 reviews are in a language that is not read here \(Polish\): what they say is in no topic, score or quotation\./;

describe("a text in a language that is not read", () => {
  test("is counted, and nothing is found in it", async () => {
    await using box = await openSandbox();
    await box.take([
      box.write("business.yaml", BUSINESS),
      box.write("a.jsonl", rowsOf([...POLISH, ENGLISH, "OK 👍", null])),
    ]);
    const { insights } = await published(box);
    assert.deepEqual(insights.languages, [
      { language: "pl", review_count: 3, analysed: false },
      { language: "en", review_count: 1, analysed: true },
      { language: "und", review_count: 1, analysed: true },
    ]);
    assert.deepEqual([insights.review_count, insights.unread_count], [6, 3]);
    const entries = Object.values(insights.per_review as Record<string, { language: string | null }>);
    const nothing = { aspects: [], technicians: [], services: [], problems: [], service_areas: [], topics: [] };
    for (const entry of entries.filter(({ language }) => language === "pl"))
      assert.deepEqual(entry, { language: "pl", sentiment: null, score: null, ...nothing });
    assert.deepEqual(entries.map(({ language }) => language).toSorted(), ["en", null, "pl", "pl", "pl", "und"]);
    assert.equal((insights.overall_sentiment as { positive_pct: number }).positive_pct, 100);
    const { technicians } = insights.entities as { technicians: { mention_count: number }[] };
    const counts = technicians.map(({ mention_count }) => mention_count);
    assert.deepEqual(counts, [1]);
    assert.equal(insights.pull_quote, ENGLISH);
  });

  test("leaves the figures as they are without it", async () => {
    await using all = await openSandbox();
    await using read = await openSandbox();
    const files = (box: Sandbox, texts: readonly string[]) => [
      box.write("b.yaml", BUSINESS),
      box.write("a.jsonl", rowsOf(texts)),
    ];
    const english = Array.from({ length: 12 }, (_, at) => `${ENGLISH} Visit ${at}.`);
    await all.take(files(all, [...english, ...POLISH, ...reviewsIn("it"), ...reviewsIn("ru")]));
    await read.take(files(read, english));
    const [one, other] = [(await published(all)).insights, (await published(read)).insights];
    for (const name of ["overall_sentiment", "aspects", "entities", "topics", "faq", "pull_quote"])
      assert.deepEqual(one[name], other[name], name);
  });

  test("gives no finding in any of 23 languages", async () => {
    await using box = await openSandbox();
    const texts = FOREIGN_LANGUAGES.flatMap(reviewsIn);
    await box.take([box.write("business.yaml", BUSINESS), box.write("a.jsonl", rowsOf(texts, { rating: 1 }))]);
    const { insights } = await published(box);
    assert.equal(insights.unread_count, texts.length);
    assert.ok((insights.aspects as { mention_count: number }[]).every(({ mention_count }) => mention_count === 0));
    assert.deepEqual([insights.topics, insights.faq, insights.pull_quote], [[], [], null]);
    assert.deepEqual(insights.overall_sentiment, { score: null, positive_pct: 0, neutral_pct: 0, negative_pct: 0 });
  });
});

describe("that texts are not read is said", () => {
  test("in the report of an import, also of what earlier ones brought, and of a check", async () => {
    await using box = await openSandbox();
    const [business, polish] = [box.write("business.yaml", BUSINESS), box.write("a.jsonl", rowsOf(POLISH))];
    const checked = await box.take([business, polish], { dryRun: true });
    const first = await box.take([business, polish]);
    const later = await box.take(box.write("b.jsonl", rowsOf([ENGLISH], { id: "later" })));
    const mixed = await box.take(box.write("c.jsonl", rowsOf([POLISH[0] ?? "", ENGLISH], { id: "mixed" })));
    const none = SENTENCE.source.replace(": what", ", none of them in these files: what");
    for (const [{ unread_count, warnings }, count, said] of [
      [checked, 3, SENTENCE],
      [first, 3, SENTENCE],
      [later, 3, new RegExp(none)],
      [mixed, 4, /^4 reviews are in .* \(Polish\), 1 of them in these files: what they say/m],
    ] as const) {
      assert.equal(unread_count, count);
      assert.match(warnings.join("\n"), said);
    }
    const { warnings } = await box.take(box.write("business.yaml", `${BUSINESS}description: New\n`));
    assert.doesNotMatch(warnings.join(), /not read here/, "there are no reviews in the file");
    assert.deepEqual(later.languages, [
      { language: "pl", review_count: 3, analysed: false },
      { language: "en", review_count: 1, analysed: true },
    ]);
  });

  test("of what is published alone: not of withheld reviews, copies and redacted texts", async () => {
    await using box = await openSandbox();
    const of = (source: string) => rowsOf(POLISH, { source });
    const copied = box.write("c.jsonl", `${of("google")}\n${of("yelp")}`);
    const first = await box.take([box.write("business.yaml", BUSINESS), copied]);
    assert.equal(first.unread_count, 3);
    const both = `${BUSINESS}verified_sources: [google, yelp]\n`;
    const second = await box.take(box.write("business.yaml", both));
    assert.equal(second.unread_count, 3);
    const [review] = await box.reviews();
    await removeReviews(box.store, [String(review?.id)], { what: ["text"], now: new Date() });
    const third = await box.take(box.write("d.jsonl", rowsOf([ENGLISH], { id: "later" })));
    const { insights } = await published(box);
    assert.deepEqual([third.unread_count, insights.unread_count], [2, 2]);
    assert.deepEqual(third.languages, insights.languages);
  });

  test("not where the owner's language model reads them", async () => {
    await using box = await openSandbox();
    const { warnings } = await box.take(box.write("a.jsonl", rowsOf(POLISH)), { isReadByModel: true });
    assert.ok(!warnings.some((warning) => SENTENCE.test(warning)));
  });

  test("on the page beside the topics, in English and in German, and on the review's own page", async () => {
    await using box = await openSandbox();
    const texts = box.write("a.jsonl", rowsOf([...POLISH, ENGLISH]));
    await box.take([box.write("business.yaml", BUSINESS), texts]);
    const english = (await published(box)).edition;
    const aspects = (page: string) =>
      /<section [^>]*aria-labelledby="aspects">[\s\S]*?<\/section>/.exec(page)?.[0] ?? "";
    assert.match(
      aspects(textOf(renderFrontPage(english))),
      /3 reviews are in languages that are not read here \(Polish\)/,
    );
    const id = (text: string) => english.list({ query: text, limit: 1, offset: 0 }).reviews[0]?.id ?? "";
    assert.match(textOf(renderReviewPage(english, id("Nigdy więcej"))), /Its language, Polish, is not read here/);
    assert.doesNotMatch(textOf(renderReviewPage(english, id("showed up"))), /is not read here/);
    await box.take(box.write("business.yaml", `${BUSINESS}language: de\n`));
    const german = (await published(box)).edition;
    assert.match(
      aspects(textOf(renderFrontPage(german))),
      /3 Bewertungen sind in Sprachen verfasst, die hier nicht ausgewertet werden \(Polnisch\)/,
    );
  });

  test("in MCP's get_summary, and not where everything is read", async () => {
    await using box = await openSandbox();
    const tool = TOOLS.find(({ name }) => name === "get_summary");
    await box.take([box.write("business.yaml", BUSINESS), box.write("a.jsonl", rowsOf([ENGLISH]))]);
    const answer = async () => {
      const said = JSON.parse(String(tool?.run((await published(box)).edition, {})));
      tool?.output.parse(said);
      return said;
    };
    assert.deepEqual([(await answer()).unread_count, (await answer()).note], [0, undefined]);
    await box.take(box.write("b.jsonl", rowsOf(POLISH, { id: "later" })));
    const { languages, unread_count, note } = await answer();
    assert.deepEqual([languages[0], unread_count], [{ language: "pl", review_count: 3, analysed: false }, 3]);
    assert.match(note, SENTENCE);
  });
});
