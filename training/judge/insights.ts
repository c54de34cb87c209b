/**
 * How well reviews are read, with baselines beside it.
 *
 *     node training/judge/insights.ts
 *
 * `tune` and the real businesses that train were used for training and only show that nothing broke. The real
 * businesses that validate and `report` were never trained on; nothing was tuned on `report`. The texts of the real
 * reviews and of the service feedback are in `../shared/data`; a part without its texts says so.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vader from "vader-sentiment";
import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import { parse } from "yaml";
import { taxonomyNamed } from "../../src/analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../../src/business.ts";
import { mentionFinder } from "../../src/insight/mentions/mentions.ts";
import { forBusiness, parseTaxonomy, type Taxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readCompiledTaxonomy, readModelFiles, readTaxonomy } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { READ_TAGS } from "../../src/insight/text/language-words.ts";
import { analyseText } from "../../src/insight/text-analysis.ts";
import type { Sentiment } from "../../src/insights-document.ts";
import { readLines, readSplit } from "../labels/labels.ts";
import {
  type LabelledText,
  labelledReviews,
  lowReviews,
  nextReviews,
  realReviews,
  reviewsIn,
} from "../train/labelled-texts.ts";
import { translatedSentences } from "../train/translated-sentences.ts";
import { PARTS, printJudged } from "./judged.ts";
import { figures, type Reader, rate } from "./mention-figures.ts";

const root = join(import.meta.dirname, "..", "..");
const home = taxonomyNamed("home-services");
const general = taxonomyNamed("general");
const { categories } = readSplit();
const wink = winkNLP(model, ["sbd", "sentiment"]);

const ours = (taxonomy: Taxonomy): Reader => {
  const ofCategory = new Map<string, Taxonomy>();
  for (const category of new Set(Object.values(categories))) {
    ofCategory.set(category, forBusiness(taxonomy, { business: "", people: [] }, category));
  }
  return ({ text, rating, origin }) => {
    const category = categories[origin.replace("real/", "")] ?? "";
    return analyseText(text, rating ?? 3, ofCategory.get(category) ?? taxonomy).aspects;
  };
};

/** Says of every review that it praises the aspect which is mentioned most often. */
const majority = (reviews: readonly LabelledText[]): Reader => {
  const groups = Map.groupBy(
    reviews.flatMap(({ spans }) => spans.flatMap(({ aspects }) => aspects)),
    ({ id, sentiment }) => `${id} ${sentiment}`,
  );
  const [most] = [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  return () => (most === undefined ? [] : [most]);
};

/** Our aspects, judged by VADER's verdict on the words that show them. */
const byVader =
  (taxonomy: Taxonomy): Reader =>
  ({ text, rating }) =>
    analyseText(text, rating ?? 3, taxonomy).aspects.map(({ id, evidence }) => ({ id, sentiment: vaderOf(evidence) }));

function vaderOf(text: string): Sentiment {
  const { compound } = vader.SentimentIntensityAnalyzer.polarity_scores(text);
  return compound >= 0.05 ? "positive" : compound <= -0.05 ? "negative" : "neutral";
}

function aspectTable(title: string, reviews: readonly LabelledText[], taxonomy: Taxonomy): void {
  if (reviews.length === 0) {
    console.log(`\n${title}: skipped, its texts are not at hand`);
    return;
  }
  console.log(`\n${title} (${reviews.length} reviews)`);
  figures("majority", reviews, majority(reviews));
  figures("our aspects, VADER", reviews, byVader(taxonomy));
  figures("ours", reviews, ours(taxonomy));
}

const KINDS = ["technicians", "services", "service_areas"] as const;
type Kind = (typeof KINDS)[number];

/** What customers name; of `services`, on which the taxonomy's words for services were tried, only those. */
function mentions(set: "tune" | "report" | "services", kinds: readonly Kind[] = KINDS): void {
  const folder = join(root, "training/trade", set);
  const business = businessFileSchema.parse(parse(readFileSync(join(folder, "business.yaml"), "utf8")));
  const find = mentionFinder(business, home);
  const rows = readLines<Readonly<Record<Kind, readonly string[]>> & { readonly text: string }>(
    join(folder, "reviews.jsonl"),
  );
  for (const kind of kinds) {
    let [right, said, is] = [0, 0, 0];
    for (const row of rows) {
      const found = find(row.text)[kind];
      right += found.filter((id) => row[kind].includes(id)).length;
      said += found.length;
      is += row[kind].length;
    }
    console.log(
      `  ${kind.padEnd(26)} F1 ${((2 * right) / (said + is)).toFixed(3)}   precision ${rate(right, said)}   recall ${rate(right, is)}`,
    );
  }
}

interface Feedback {
  readonly text: string;
  readonly stars: number;
  readonly sentiment: string;
}

/** The tone of service feedback by its words alone: of two classes the right one. */
function feedback(): void {
  const path = join(root, "../shared/data/nhs-fft/reviews.jsonl");
  if (!existsSync(path)) {
    console.log("\nService feedback: skipped, its texts are not at hand");
    return;
  }
  const rows = readLines<Feedback>(path).filter(
    ({ text, sentiment }) => text?.trim() && /positive|negative/.test(sentiment),
  );
  const share = (guess: (row: Feedback) => boolean) =>
    rate(rows.filter((row) => guess(row) === row.sentiment.includes("positive")).length, rows.length);
  console.log(`\nService feedback, praise or blame by its words alone (${rows.length} texts)`);
  console.log(`  always praise              ${share(() => true)}`);
  console.log(`  VADER                      ${share(({ text }) => vaderOf(text) !== "negative")}`);
  console.log(
    `  wink                       ${share(({ text }) => Number(wink.readDoc(text).out(wink.its.sentiment)) > -0.05)}`,
  );
  console.log(`  ours                       ${share(({ text }) => (analyseText(text, 3, general).score ?? 0) >= 0)}`);
}

/** Processor time until the first text can be read, and reviews a second of it, mentions among them. */
function speed(): void {
  const before = process.cpuUsage();
  const { name } = home;
  const fresh = parseTaxonomy(readTaxonomy(name), name, {
    isTested: true,
    model: readModelFiles(name),
    compiled: readCompiledTaxonomy(name),
  });
  analyseText("On time.", 5, fresh);
  const ready = process.cpuUsage(before);
  console.log(`\nReady to read after ${Math.round((ready.user + ready.system) / 1000)} ms of processor time`);
  const folder = join(root, "training/trade/tune");
  const find = mentionFinder(
    businessFileSchema.parse(parse(readFileSync(join(folder, "business.yaml"), "utf8"))),
    home,
  );
  const rows = labelledReviews("tune");
  const start = process.cpuUsage();
  let count = 0;
  for (let used = 0; used < 3e6; ) {
    for (const { text, rating } of rows) {
      analyseText(text, rating ?? 3, home);
      find(text);
      count++;
    }
    const { user, system } = process.cpuUsage(start);
    used = user + system;
  }
  const { user, system } = process.cpuUsage(start);
  const perSecond = Math.round((count * 1e6) / (user + system));
  console.log(`\nSpeed: ${perSecond.toLocaleString("en-US")} reviews a second of processor time (limit 5,000)`);
}

aspectTable("Trade, tune: trained on", labelledReviews("tune"), home);
mentions("tune");
console.log("\nShort texts that name services, looked at while the words for services were chosen");
mentions("services", ["services"]);
aspectTable("Trade, report: never used", labelledReviews("report"), home);
mentions("report");
aspectTable("Real home trades, businesses that validate", realReviews("validate", "home-services"), home);
aspectTable("Real businesses of any trade that validate", realReviews("validate", "general"), general);
aspectTable(
  "Real firms of any trade in small towns, mostly unhappy customers, never used",
  lowReviews("report"),
  general,
);
for (const { name, trade, reviews } of nextReviews()) {
  aspectTable(`Real texts labelled since, ${name}`, reviews, trade === "general" ? general : home);
}
for (const tag of READ_TAGS.slice(1)) {
  aspectTable(`Home trades in ${tag}, never trained on`, reviewsIn(tag, "home-services", "held"), home);
  aspectTable(`Any trade in ${tag}, never trained on`, reviewsIn(tag, "general", "held"), general);
  aspectTable(`Hotels and restaurants in ${tag}, translated (M-ABSA)`, translatedSentences(tag, "dev"), general);
}
for (const part of PARTS) {
  console.log(`\nWhat is shown of it, judged by a reader: ${part}`);
  printJudged(part);
}
feedback();
speed();
