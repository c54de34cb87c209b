/**
 * Top phrases and answers of the FAQ as a reader judged them. The list (`training/labels/judged.jsonl`) names each by a hash
 * of its words, because most are words of real customers, which stay outside of the project.
 *
 *     node training/judge/judged.ts --list        prints what was not judged yet, with its hash
 *     node training/judge/judged.ts --all         prints all, with summaries and negative mentions, to be read
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { taxonomyNamed } from "../../src/analysis/trade-taxonomy.ts";
import { type BusinessFile, businessFileSchema } from "../../src/business.ts";
import { mentionFinder } from "../../src/insight/mentions/mentions.ts";
import { forBusiness } from "../../src/insight/taxonomy/taxonomy.ts";
import { analyseText } from "../../src/insight/text-analysis.ts";
import type { Review } from "../../src/review.ts";
import { deriveReviewId } from "../../test/support/review-id.ts";
import { wholeInsights } from "../../test/support/whole-insights.ts";
import { LABELS, REAL_TEXTS, readLines, readReal, readSplit } from "../labels/labels.ts";

const TRADE = join(import.meta.dirname, "..", "trade");
const SAMPLE = join(import.meta.dirname, "..", "..", "sample");

interface Row {
  readonly id: string;
  readonly rating: number;
  readonly text: string;
}

interface Shown {
  readonly business: string;
  readonly kind: "phrase" | "answer";
  readonly about: string;
  readonly words: string;
  readonly hash: string;
}

interface Verdict {
  readonly hash: string;
  readonly kind: Shown["kind"];
  readonly good: boolean;
}

/** The businesses that are judged. The texts of the last two parts are outside the project. */
export const PARTS = ["sample", "tune", "report", "train", "validate"] as const;
type Part = (typeof PARTS)[number];

function businesses(part: Part): { name: string; taxonomy: string; business: BusinessFile; rows: Row[] }[] {
  if (part !== "validate" && part !== "train") {
    const folder = part === "sample" ? SAMPLE : join(TRADE, part);
    const business = businessFileSchema.parse(parse(readFileSync(join(folder, "business.yaml"), "utf8")));
    return [{ name: part, taxonomy: "home-services", business, rows: readLines<Row>(join(folder, "reviews.jsonl")) }];
  }
  if (!existsSync(REAL_TEXTS)) return [];
  const homes = new Set(readReal().flatMap(({ business, trade }) => (trade === "home-services" ? [business] : [])));
  const { [part]: names, categories } = readSplit();
  return names.map((name) => ({
    name,
    taxonomy: homes.has(name) ? "home-services" : "general",
    business: businessFileSchema.parse({
      name: name.replaceAll("-", " "),
      time_zone: "UTC",
      category: categories[name],
    }),
    rows: readLines<Row>(join(REAL_TEXTS, `${name}.jsonl`)),
  }));
}

function insightsOf(part: Part) {
  return businesses(part).map(({ name, taxonomy: named, business, rows }) => {
    const names = { business: business.name, people: business.technicians.map((technician) => technician.name) };
    const taxonomy = forBusiness(taxonomyNamed(named), names, business.category);
    const find = mentionFinder(business, taxonomy);
    const reviews = rows.map(({ id, rating, text }, index): Review => {
      const date = new Date(Date.UTC(2024, 0, 1 + (index % 500))).toISOString().slice(0, 10);
      const fields = { author: "A customer", author_avatar_url: null, source: "google", source_url: null };
      return {
        id: deriveReviewId("google", id, date),
        ...fields,
        rating,
        date,
        text,
        owner_reply: null,
        verified: true,
      };
    });
    const analyses = reviews.map(({ text, rating }) => ({ ...analyseText(text, rating, taxonomy), ...find(text) }));
    const input = { business, taxonomy, reviews, analyses, generatedAt: new Date(0), model: "judged" };
    return { name, insights: wholeInsights(input), reviews };
  });
}

/** The phrases and answers that a part's businesses would publish. */
function shownOf(part: Part): Shown[] {
  return insightsOf(part).flatMap(({ name, insights }) => {
    const shown = (kind: Shown["kind"], about: string, words: string): Shown => {
      const hash = createHash("sha256").update(`${kind}\0${about}\0${words}`).digest("hex").slice(0, 16);
      return { business: name, kind, about, words, hash };
    };
    return [
      ...insights.aspects.flatMap(({ id, top_phrases }) => top_phrases.map((phrase) => shown("phrase", id, phrase))),
      ...insights.faq.map(({ question, answer }) => shown("answer", question, answer)),
    ];
  });
}

/** Prints how many of a part's phrases and answers are good, of those that were judged. */
export function printJudged(part: Part): void {
  const verdicts = new Map(readLines<Verdict>(join(LABELS, "judged.jsonl")).map((verdict) => [verdict.hash, verdict]));
  const shown = shownOf(part);
  for (const kind of ["phrase", "answer"] as const) {
    const all = shown.filter((one) => one.kind === kind);
    const judged = all.flatMap(({ hash }) => verdicts.get(hash) ?? []);
    const good = judged.filter((verdict) => verdict.good).length;
    const share = judged.length === 0 ? "–" : (good / judged.length).toFixed(3);
    const title = kind === "phrase" ? "top phrases good" : "answers of the FAQ right";
    console.log(`  ${title.padEnd(26)} ${share} (${good} of ${judged.length} judged, ${all.length} shown)`);
  }
}

if (import.meta.main) {
  const known = new Set(readLines<Verdict>(join(LABELS, "judged.jsonl")).map(({ hash }) => hash));
  for (const part of PARTS) {
    const shown = shownOf(part);
    const asked = process.argv.includes("--all") ? shown : shown.filter(({ hash }) => !known.has(hash));
    console.log(`\n# ${part}`);
    for (const { hash, kind, business, about, words } of asked) {
      console.log(`${hash} ${kind} ${business} | ${about} | ${words}`);
    }
    if (!process.argv.includes("--all")) continue;
    for (const { name, insights, reviews } of insightsOf(part)) {
      console.log(`\n## ${name}\nSUMMARY ${insights.summary}\nPULL ${JSON.stringify(insights.pull_quote)}`);
      for (const { id, rating, text } of reviews) {
        for (const mention of insights.per_review[id]?.aspects ?? []) {
          if (mention.sentiment !== "negative" || part !== "validate") continue;
          const at = text?.indexOf(mention.evidence) ?? 0;
          console.log(
            `NEGATIVE ${rating} ${mention.id} | ${mention.evidence} | …${text?.slice(Math.max(0, at - 60), at)}`,
          );
        }
      }
    }
  }
}
