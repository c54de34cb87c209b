import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import { BASE_URL, editionOf } from "../../test/support/real-edition.ts";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { importPaths } from "../import/importer.ts";
import { openStore } from "../store/store.ts";
import { renderBusinessDocuments } from "./business-documents.ts";
import { renderEmbedFrame, renderEmbedPage } from "./embed-page.ts";
import { renderFrontPage } from "./front-page.ts";
import { renderRatingPanel } from "./part/rating-panel.ts";
import { renderReviewPage } from "./review-page.ts";
import { renderReviewsPage } from "./reviews-page.ts";
import { localeOf } from "./text/locale.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

const textOf = (document: Document | undefined) => Buffer.from(document?.body ?? "").toString();

const SERVICES = Array.from({ length: 10 }, (_, index) => `s${String.fromCharCode(97 + index)}x repair`);

/** 40 months with one review each; the newest twelve have no words, three link to the original. */
async function edition(language: string, more = ""): Promise<Edition> {
  const paths = ["business.yaml", "reviews.jsonl"].map((name) => join(folder, name)) as [string, string];
  const services = SERVICES.map((label, index) => `{ id: s${index}, label: ${label} }`).join(", ");
  writeFileSync(
    paths[0],
    `name: "Ada & Söhn 👩‍🔧👩‍🔧"\ntime_zone: UTC\nlanguage: ${language}\ncategory: Plumber\nservices: [${services}]\n${more}`,
  );
  const rows = Array.from({ length: 40 }, (_, index) => ({
    id: `r${index}`,
    author: index === 0 ? "" : `Author ${index}`,
    rating: 5,
    date: `${2022 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}-01`,
    text: index >= 28 ? null : `They did the ${SERVICES[index % 10]} and wrote "source_url":"x" on the bill.`,
    source: "google",
    source_url: index < 3 ? `https://example.com/${index}` : null,
  }));
  writeFileSync(paths[1], rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return (await editionOf(...paths)).edition;
}

let english: Edition;
let german: Edition;

before(async () => {
  english = await edition("en");
  german = await edition("de", `opening_hours: [{ days: [Monday, Tuesday], opens: "08:00", closes: "17:00" }]`);
});

test("a range of days or hours has no spaces around its dash", () => {
  const page = textOf(renderFrontPage(german));
  assert.match(page, /<th scope="row">Mo–Di<\/th><td>08:00–17:00<\/td>/);
});

test("the trust section counts links, and mentions removals and verified rows", () => {
  const page = textOf(renderFrontPage(english));
  assert.equal(english.linkedCount, 3);
  assert.match(page, /Each names where it was written\. 3 link to the original\./);
  assert.match(page, /the business vouches for the review, or for the place where it was written/);
  assert.match(page, /may have been removed/);
  assert.doesNotMatch(page, /unedited|\bmany link/);
  assert.match(textOf(renderFrontPage(german)), /3 haben einen Link zum Original/);
});

test("services after the eighth and months before the last 36 are counted, and shown on request", () => {
  const page = textOf(renderFrontPage(english));
  assert.match(page, /<summary>2 more<\/summary>/);
  for (const label of SERVICES) assert.ok(page.includes(`<bdi>${label}</bdi>`), label);
  assert.match(page, /The newest 36 of 40 months; the table has all of them\./);
  assert.match(page, /<th scope="row">January 2022<\/th>/);
});

test("the trend is told with both counts", async () => {
  assert.match(
    textOf(renderFrontPage(english)),
    /too few reviews to tell a trend: 6 in the six months to April 2025, 12 in the twelve months before\./,
  );
  assert.match(
    textOf(renderFrontPage(german)),
    /: 6 in den sechs Monaten bis April 2025, 12 in den zwölf Monaten davor\./,
  );
  const { edition: sample } = await editionOf(SAMPLE_FOLDER);
  const { recent, before } = sample.insights.temporal.trend_basis;
  const page = textOf(renderFrontPage(sample));
  for (const { review_count, average_rating } of [recent, before])
    assert.match(page, new RegExp(`${average_rating?.toFixed(2)} (stars|in )[^.]*\\(([a-z]+: )?${review_count}\\)`));
});

test("a difference that may be chance is not told as a constant satisfaction", async () => {
  const [business, table] = [join(folder, "steady.yaml"), join(folder, "steady.jsonl")];
  const row = (rating: number, date: string, id: number) =>
    `${JSON.stringify({ id: `t${id}`, author: "C", rating, date, text: null, source: "google" })}\n`;
  const rows = Array.from({ length: 20 }, (_, at) => row(at % 2 === 0 ? 5 : 2, "2025-01-02", at));
  const recent = Array.from({ length: 10 }, (_, at) => row(at % 2 === 0 ? 5 : 1, "2025-08-02", 20 + at));
  writeFileSync(table, [...rows, ...recent].join(""));
  for (const [language, expected] of [
    ["en", /No clear change in satisfaction: 3\.00 stars .*\(reviews: 10\), 3\.50 .*\(20\)/],
    ["de", /Eine klare Veränderung .* ist nicht zu erkennen: im Durchschnitt 3,00 .*: 10\), 3,50 .*\(20\)/],
    ["es", /No se aprecia un cambio claro .* 3,00 .*\(10 reseñas\), .* 3,50 .*\(20\)/],
    ["fr", /Pas d’évolution nette .* 3,00 .*\(10 avis\), .* 3,50 .*\(20\)/],
    ["nl", /niet duidelijk veranderd: gemiddeld 3,00 .*: 10\), .* 3,50 .*\(20\)/],
  ] as const) {
    writeFileSync(business, `name: Hall\ntime_zone: UTC\ncategory: EventVenue\nlanguage: ${language}\n`);
    const { edition } = await editionOf(business, table);
    assert.equal(edition.insights.temporal.trend, "steady");
    assert.match(textOf(renderFrontPage(edition)), expected);
  }
});

test("what customers mention is shown with reviews and mean stars, and leads to just these reviews", async () => {
  const rest = Array.from({ length: 12 }, () => [5, "Very nice, we were happy with everything."] as const);
  const rows = [
    ...([
      [1, "No parking."],
      [2, "The parking was full."],
      [4, "Parking is far away."],
      [4, "Easy <b>parking</b>"],
    ] as const),
    ...([
      [5, "The lift broke."],
      [5, "We took the lift."],
      [4, "A lift!"],
    ] as const),
    ...rest,
  ];
  const [business, table] = [join(folder, "hall.yaml"), join(folder, "hall.jsonl")];
  const line = ([rating, text]: readonly [number, string], id: number) =>
    JSON.stringify({ id: `h${id}`, author: "C", rating, date: "2026-01-02", text, source: "google" });
  writeFileSync(table, rows.map((row, id) => `${line(row, id)}\n`).join(""));
  for (const [language, title, lang, ofParking, ofLift] of [
    ["en", "Customers mention", "", "2.8 of 5 stars", "4.7 of 5 stars"],
    ["de", "Die Kundschaft nennt", ' lang="en"', "2,8 von 5 Sternen", "4,7 von 5 Sternen"],
  ] as const) {
    writeFileSync(business, `name: Hall\ntime_zone: UTC\ncategory: EventVenue\nlanguage: ${language}\n`);
    const { edition } = await editionOf(business, table);
    const [, chips = ""] =
      new RegExp(`<dt>${title}</dt><dd>(.*?)</dd>`, "s").exec(textOf(renderFrontPage(edition))) ?? [];
    const chip =
      /<a class="chip" href="\/reviews\?(topic=\w+)"><bdi([^>]*)>(\w+)<\/bdi> <b>(\d+)<\/b> <svg[^>]* aria-label="([^"]+)"/g;
    const shown = [...chips.matchAll(chip)].map(([, ...parts]) => parts);
    assert.deepEqual(shown, [
      ["topic=parking", lang, "parking", "4", ofParking],
      ["topic=lift", lang, "lift", "3", ofLift],
    ]);
    for (const [query = "", , label = "", count] of shown) {
      const list = textOf(renderReviewsPage(edition, new URLSearchParams(query ?? "")));
      const texts = [...list.matchAll(/<p class="words"[^>]*>(.*?)<\/p>/gs)].map(([, text = ""]) => text);
      assert.equal(texts.length, Number(count), query);
      for (const text of texts) assert.match(text, new RegExp(label, "i"));
    }
  }
});

test("what more reviews criticise than praise is not shown as praised alone", async () => {
  const [business, table] = [join(folder, "restaurant.yaml"), join(folder, "restaurant.jsonl")];
  const texts = [
    ...Array.from({ length: 7 }, () => [1, "The food was cold and awful."] as const),
    ...Array.from({ length: 6 }, () => [1, "The staff were very rude."] as const),
    ...Array.from({ length: 5 }, () => [1, "We waited two hours, far too long."] as const),
    ...Array.from({ length: 3 }, () => [5, "We did not have to wait, very quick."] as const),
  ];
  const row = ([rating, text]: readonly [number, string], id: number) =>
    `${JSON.stringify({ id: `w${id}`, author: "C", rating, date: "2026-01-02", text, source: "google" })}\n`;
  writeFileSync(business, "name: Inn\ntime_zone: UTC\ncategory: Restaurant\nlanguage: en\n");
  writeFileSync(table, texts.map(row).join(""));
  const page = textOf(renderFrontPage((await editionOf(business, table)).edition));
  const chips = (kind: string) =>
    [...page.matchAll(new RegExp(`<a class="chip ${kind}" href="[^"]*"><span>([^<]+)</span> <b>(\\d+)</b>`, "g"))].map(
      ([, label, count]) => `${label} ${count}`,
    );
  assert.deepEqual(chips("good"), ["Speed and waiting 3"]);
  assert.deepEqual(chips("bad"), ["Food and drink 7", "Staff 6", "Speed and waiting 5"]);
});

test("a page explains once what verified means", async () => {
  for (const page of [renderFrontPage(english), renderReviewsPage(english, new URLSearchParams())])
    assert.equal(textOf(page).match(/Verified means/g)?.length, 1);
});

test("only star ratings that were given lead to reviews, and one without words takes a line", () => {
  const counts = { "5": 2, "4": 0, "3": 1, "2": 0, "1": 0 };
  const rating = {
    rating_value: 4.33,
    review_count: 3,
    best_rating: 5,
    worst_rating: 1,
    rating_counts: counts,
  } as const;
  const panel = String(
    renderRatingPanel(rating, localeOf("en"), { latest: "2026-01-02", addressOf: (stars) => `/with/${stars}` }),
  );
  assert.deepEqual(panel.match(/\/with\/\d/g), ["/with/5", "/with/3"]);
  assert.doesNotMatch(textOf(renderFrontPage(english)), /\/reviews\?rating=/, "all reviews gave five");
  const list = textOf(renderReviewsPage(english, new URLSearchParams()));
  assert.match(list, /<article class="card review bare">/);
  assert.match(list, / · stars only<\/p>/);
});

test("a list of mostly stars leads to the reviews with text", () => {
  const list = textOf(renderReviewsPage(english, new URLSearchParams()));
  assert.match(list, /<p class="narrower"><a class="chip" href="\/reviews\?has_text=true">Only reviews with text<\/a>/);
  const narrowed = textOf(renderReviewsPage(english, new URLSearchParams({ has_text: "true" })));
  assert.doesNotMatch(narrowed, /class="narrower"| · stars only<\/p>/);
});

test("a list of nothing but stars leads to no reviews with text", async () => {
  const rows = join(folder, "stars.csv");
  writeFileSync(rows, "id,rating,date,source\na,5,2026-01-01,google\nb,4,2026-01-02,google\n");
  const { edition } = await editionOf(rows);
  assert.doesNotMatch(textOf(renderReviewsPage(edition, new URLSearchParams())), /class="narrower"/);
});

test("a page that has room for every review says nothing twice", async () => {
  const [business, rows] = [join(folder, "one.yaml"), join(folder, "one.jsonl")];
  const text = "Came the same day and explained the thermostat. Fair price.";
  writeFileSync(business, "name: Ada\ntime_zone: UTC\n");
  writeFileSync(
    rows,
    JSON.stringify({ id: "a", author: "Priya", rating: 5, date: "2026-01-02", source: "google", text }),
  );
  const page = textOf(renderFrontPage((await editionOf(business, rows)).edition)).replace(/<head>.*<\/head>/s, "");
  assert.equal(page.split(text).length, 2);
  assert.doesNotMatch(page, /class="excerpts"|class="quote"|class="star-links"|Read the review|trust these reviews/);
  assert.match(page, /id="aspect-chart"/);
});

test("without reviews there is nothing to filter", async () => {
  const path = join(folder, "none.yaml");
  writeFileSync(path, "name: Ada\ntime_zone: UTC\n");
  const { edition: empty } = await editionOf(path);
  const list = textOf(renderReviewsPage(empty, new URLSearchParams()));
  assert.doesNotMatch(list, /<form|reviews\.js"/);
  assert.match(list, /As soon as reviews of/);
});

test("the pieces for other sites show the newest reviews with words, and say so", () => {
  const frame = textOf(renderEmbedFrame(english));
  assert.equal(frame.match(/<article/g)?.length, 10);
  assert.doesNotMatch(frame, /Stars only/);
  assert.match(frame, /<h2>Newest reviews with text<\/h2>/);
  assert.match(frame, /<meta name="description" content="[^"]*5\.00 of 5 stars, 40 verified reviews">/);
  const page = textOf(renderEmbedPage(english));
  assert.match(page, /&lt;goodword-reviews count=&quot;3&quot;&gt;&lt;a href=&quot;http/);
  assert.doesNotMatch(page, /e-mail too/);
  const needed = [...page.matchAll(/Content Security Policy, it needs (.*?)\.<\/p>/g)].map(
    ([, directives]) => directives,
  );
  const code = (names: string) =>
    names
      .split(" ")
      .map((name) => `<code>${name} ${english.baseUrl}</code>`)
      .join(", ");
  const style = "<code>style-src-attr &#39;unsafe-inline&#39;</code>";
  assert.deepEqual(needed, [
    `${code("img-src")}, ${style}`,
    `${code("frame-src")}, ${style}`,
    `${code("script-src connect-src img-src")}. A site that requires trusted types must also allow <code>trusted-types goodword</code>`,
  ]);
  const samples = page.split('<h2 id="').filter((piece) => /style=&quot;/.test(piece));
  assert.equal(samples.length, 2, "the policies name the style of the code that has one, and no other");
});

test("a review without an author has one in the language of the page", () => {
  const id = german.idsStartingWith("", 100).ids.at(-1) ?? "";
  assert.equal(german.review(id)?.author, "A Google user");
  assert.match(textOf(renderReviewPage(german, id)), /<bdi>Google-Nutzer<\/bdi><\/h1>/);
  assert.match(textOf(renderReviewPage(english, id)), /<bdi>A Google user<\/bdi><\/h1>/);
});

test("the short name of the installed site does not end within a character", () => {
  const manifest = renderBusinessDocuments(english, { tools: [], messages: [] }).find(
    ({ path }) => path === "/assets/site.webmanifest",
  );
  const { short_name: name } = JSON.parse(textOf(manifest)) as { short_name: string };
  assert.equal(name, "Ada & Söhn 👩‍🔧");
});

test("a logo is shown if it is at the site's own origin, and is not loaded from elsewhere", async () => {
  const own = textOf(renderFrontPage(await edition("en", `logo_url: ${BASE_URL}/logo.png\n`)));
  assert.ok(own.includes(`<img src="${BASE_URL}/logo.png"`));
  const other = textOf(renderFrontPage(await edition("en", "logo_url: https://example.com/logo.png\n")));
  assert.doesNotMatch(other, /<img src="https:/);
  assert.match(other, /"logo":"https:\/\/example\.com\/logo\.png"/);
});

test("an import warns of a logo that the pages do not show, once", async () => {
  const store = await openStore("sqlite::memory:");
  const take = async (logo: string) => {
    const path = join(folder, "logo.yaml");
    writeFileSync(path, `name: Ada\ntime_zone: UTC\nlogo_url: ${logo}\n`);
    const report = await importPaths(store, [path], { now: new Date(0), baseUrl: "https://reviews.example.com" });
    return report.warnings.filter((warning) => warning.includes("logo"));
  };
  try {
    assert.deepEqual(await take("https://reviews.example.com/logo.png"), []);
    assert.match((await take("https://cdn.example.com/logo.png")).join(), /cdn\.example\.com\/logo\.png is not shown/);
    assert.deepEqual(await take("https://cdn.example.com/logo.png"), []);
  } finally {
    await store.close();
  }
});
