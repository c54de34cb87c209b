/**
 * How well reviews are read, each task with its baselines beside it. Run with `node bench/insights.ts`.
 * The customers' texts of `../shared/data` are read where they are; a task whose data is missing says so.
 * `bench/trade/tune` was looked at while the patterns were written, `bench/trade/report` was not.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vader from "vader-sentiment";
import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import { parse } from "yaml";
import { taxonomyNamed } from "../src/analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../src/business.ts";
import { mentionFinder } from "../src/insight/mentions/mentions.ts";
import type { Taxonomy } from "../src/insight/taxonomy/taxonomy.ts";
import { analyseText } from "../src/insight/text-analysis.ts";
import type { Sentiment } from "../src/insights.ts";

const root = join(import.meta.dirname, "..");
const data = join(root, "../shared/data");
const taxonomy = taxonomyNamed("home-services");
const wink = winkNLP(model, ["sbd", "sentiment"]);

type Guess = (text: string) => Sentiment;

const byVader: Guess = (text) => signed(vader.SentimentIntensityAnalyzer.polarity_scores(text).compound, 0.05);
const byWink: Guess = (text) => signed(Number(wink.readDoc(text).out(wink.its.sentiment)), 0.05);

function signed(value: number, neutral: number): Sentiment {
  return value >= neutral ? "positive" : value <= -neutral ? "negative" : "neutral";
}

function byStars(stars: number): Sentiment {
  return signed(stars - 3, 0.5);
}

function lines<Row>(path: string): Row[] | undefined {
  if (!existsSync(path)) return undefined;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}

/** Accuracy and macro-F1 of pairs of what is and what was said. */
function judged(pairs: readonly (readonly [string, string])[]): { accuracy: number; macro: number } {
  const right = pairs.filter(([is, said]) => is === said).length;
  const classes = [...new Set(pairs.map(([is]) => is))];
  const scores = classes.map((name) => {
    const hits = pairs.filter(([is, said]) => is === name && said === name).length;
    const wrong = pairs.filter(([is, said]) => (is === name) !== (said === name)).length;
    return (2 * hits) / (2 * hits + wrong || 1);
  });
  return { accuracy: right / pairs.length, macro: scores.reduce((sum, score) => sum + score, 0) / classes.length };
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

function majority(labels: readonly string[]): string {
  const groups = [...Map.groupBy(labels, (label) => label)];
  return groups.toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? "";
}

/** Prints a table of methods by their accuracy and macro-F1. */
function table(title: string, labels: readonly string[], methods: Readonly<Record<string, readonly string[]>>): void {
  console.log(`\n${title} (${labels.length.toLocaleString("en-US")})`);
  for (const [name, said] of Object.entries(methods)) {
    const { accuracy, macro } = judged(labels.map((label, index) => [label, said[index] ?? ""] as const));
    console.log(
      `  ${name.padEnd(28)} accuracy ${percent(accuracy).padStart(7)}   macro-F1 ${percent(macro).padStart(7)}`,
    );
  }
}

interface Feedback {
  readonly text: string;
  readonly stars: number;
  readonly sentiment: string;
}

function feedback(): void {
  const rows = lines<Feedback>(join(data, "nhs-fft/reviews.jsonl"))?.filter(({ text }) => text?.trim());
  if (rows === undefined) {
    console.log("\nService feedback: skipped, ../shared/data/nhs-fft is missing");
    return;
  }
  const classOf = ({ sentiment }: Feedback): Sentiment =>
    sentiment.includes("positive") ? "positive" : sentiment.includes("negative") ? "negative" : "neutral";
  const ours = (row: Feedback) => signed(textTone(row.text), 0.12);
  for (const [title, chosen] of [
    ["three classes", rows],
    ["two classes", rows.filter((row) => classOf(row) !== "neutral")],
  ] as const) {
    const labels = chosen.map(classOf);
    const common = majority(labels);
    const forced = (guess: Sentiment): Sentiment =>
      title === "two classes" && guess === "neutral" ? "positive" : guess;
    table(`Sentiment of service feedback by its words alone, ${title}`, labels, {
      "always the most common": labels.map(() => common),
      "copying the stars": chosen.map(({ stars }) => forced(byStars(stars))),
      VADER: chosen.map(({ text }) => forced(byVader(text))),
      wink: chosen.map(({ text }) => forced(byWink(text))),
      ours: chosen.map((row) => forced(ours(row))),
    });
  }
}

/** The tone of a text without stars: what its words add to three stars. */
function textTone(text: string): number {
  return analyseText(text, 3, taxonomy).score * 4;
}

interface Labelled {
  readonly rating: number;
  readonly text: string;
  readonly sentiment: Sentiment;
  readonly aspects: readonly { id: string; sentiment: Sentiment }[];
  readonly technicians: readonly string[];
  readonly services: readonly string[];
  readonly service_areas: readonly string[];
}

interface Counts {
  hit: number;
  extra: number;
  missed: number;
}

function f1({ hit, extra, missed }: Counts): number {
  return (2 * hit) / (2 * hit + extra + missed || 1);
}

function figures(counts: Counts): string {
  const precision = counts.hit / (counts.hit + counts.extra || 1);
  const recall = counts.hit / (counts.hit + counts.missed || 1);
  return `F1 ${f1(counts).toFixed(3)}   precision ${precision.toFixed(2)}   recall ${recall.toFixed(2)}`;
}

function compare(counts: Counts, is: readonly string[], said: readonly string[]): void {
  for (const id of new Set(said)) {
    if (is.includes(id)) counts.hit++;
    else counts.extra++;
  }
  for (const id of new Set(is)) if (!said.includes(id)) counts.missed++;
}

/** The keywords that come to mind first: the baseline that a word list reaches. */
const OBVIOUS: Readonly<Record<string, RegExp>> = {
  punctuality: /\b(on time|late|punctual|window|prompt|early)\b/i,
  responsiveness: /\b(same day|quick|fast|respon\w+|emergency|wait(ed|ing)?)\b/i,
  scheduling: /\b(schedul\w+|appointment|book(ed|ing)?|reschedul\w+|cancel\w*|no.show)\b/i,
  pricing: /(\$|\b(price[sd]?|pricing|pricey|cost|expensive|cheap|quoted?|bill|charged?|affordable)\b)/i,
  honesty: /\b(honest\w*|trust\w*|upsell\w*|scam\w*|sell|sold|lied|need(ed)?)\b/i,
  technical_knowledge: /\b(knowledg\w+|knew|knows|diagnos\w+|expert\w*|found|figured)\b/i,
  workmanship: /\b(work(s|ed|ing|manship)?|fix(ed)?|repair(ed)?|install(ed)?|broke\w*|leak\w*|quality)\b/i,
  professionalism: /\b(professional\w*|polite|rude|friendly|courteous|nice|kind|respectful)\b/i,
  communication: /\b(explain\w*|communicat\w+|call(ed)? back|text(ed)?|told|informed|answer\w*)\b/i,
  cleanliness: /\b(clean\w*|mess\w*|dirt\w*|dust\w*|tidy|spotless|booties|vacuum\w*)\b/i,
};

function trade(set: "tune" | "report"): void {
  const folder = join(root, "bench/trade", set);
  const rows = lines<Labelled>(join(folder, "reviews.jsonl"));
  if (rows === undefined) {
    console.log(`\nTrade, ${set}: skipped, bench/trade/${set} is missing`);
    return;
  }
  const business = businessFileSchema.parse(parse(readFileSync(join(folder, "business.yaml"), "utf8")));
  const find = mentionFinder(business, taxonomy);
  const analyses = rows.map(({ text, rating }) => analyseText(text, rating, taxonomy));
  console.log(`\nReviews of the trade, ${set} set (${rows.length})`);
  const ours = rows.map((_, index) => analyses[index]?.aspects ?? []);
  const keyword = rows.map(({ text, rating }) =>
    Object.entries(OBVIOUS)
      .filter(([, pattern]) => pattern.test(text))
      .map(([id]) => ({ id, sentiment: byStars(rating) })),
  );
  const oursByStars = rows.map(({ rating }, index) =>
    (ours[index] ?? []).map(({ id }) => ({ id, sentiment: byStars(rating) })),
  );
  const oursByVader = rows.map((_, index) =>
    (ours[index] ?? []).map(({ id, evidence }) => ({ id, sentiment: byVader(evidence) })),
  );
  aspectLine("obvious keywords, stars", rows, keyword);
  aspectLine("our aspects, stars", rows, oursByStars);
  aspectLine("our aspects, VADER of clause", rows, oursByVader);
  aspectLine("ours", rows, ours);
  for (const { id } of taxonomy.aspects) {
    const counts = { hit: 0, extra: 0, missed: 0 };
    const only = (list: readonly { id: string }[]) => list.filter((mention) => mention.id === id).map(() => id);
    for (const [index, { aspects }] of rows.entries()) compare(counts, only(aspects), only(ours[index] ?? []));
    console.log(`    ${id.padEnd(26)} ${figures(counts)}`);
  }
  const labels = rows.map(({ sentiment }) => sentiment);
  table("  Overall sentiment", labels, {
    "copying the stars": rows.map(({ rating }) => byStars(rating)),
    VADER: rows.map(({ text }) => byVader(text)),
    ours: analyses.map(({ sentiment }) => sentiment),
  });
  for (const kind of ["technicians", "services", "service_areas"] as const) {
    const counts = { hit: 0, extra: 0, missed: 0 };
    for (const row of rows) compare(counts, row[kind], find(row.text)[kind]);
    console.log(`  ${kind.padEnd(28)} ${figures(counts)}`);
  }
}

type Said = readonly (readonly { id: string; sentiment: Sentiment }[])[];

function aspectLine(name: string, rows: readonly Labelled[], said: Said): void {
  const detection = { hit: 0, extra: 0, missed: 0 };
  const polarity = { hit: 0, extra: 0, missed: 0 };
  let against = 0;
  let right = 0;
  for (const [index, { aspects, rating }] of rows.entries()) {
    const found = said[index] ?? [];
    const pair = ({ id, sentiment }: { id: string; sentiment: Sentiment }) => `${id} ${sentiment}`;
    compare(detection, aspects.map(({ id }) => id), found.map(({ id }) => id)); // biome-ignore format: pairs
    compare(polarity, aspects.map(pair), found.map(pair));
    for (const { id, sentiment } of aspects) {
      if (sentiment === "neutral" || rating === 3 || sentiment === byStars(rating)) continue;
      against++;
      if (found.some((mention) => mention.id === id && mention.sentiment === sentiment)) right++;
    }
  }
  console.log(
    `  ${name.padEnd(28)} aspects F1 ${f1(detection).toFixed(3)}   with polarity F1 ${f1(polarity).toFixed(3)}   against the stars ${(right / against).toFixed(3)} of ${against}`,
  );
}

function speed(rows: readonly { text: string; rating: number }[], taxonomyOfTrade: Taxonomy): void {
  const folder = join(root, "bench/trade/tune/business.yaml");
  const find = mentionFinder(businessFileSchema.parse(parse(readFileSync(folder, "utf8"))), taxonomyOfTrade);
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < 3000) {
    for (const { text, rating } of rows) {
      analyseText(text, rating, taxonomyOfTrade);
      find(text);
      count++;
    }
  }
  const perSecond = (count * 1000) / (performance.now() - start);
  const words = rows.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) / rows.length;
  console.log(
    `\nSpeed: ${Math.round(perSecond).toLocaleString("en-US")} reviews a second on one core (${words.toFixed(0)} words each; limit 5,000)`,
  );
}

feedback();
trade("tune");
trade("report");
speed(lines<Labelled>(join(root, "bench/trade/tune/reviews.jsonl")) ?? [], taxonomy);
