/**
 * Checks labels against the texts of real reviews, which are kept beside the project: every span cuts whole words out
 * of its text, and no file of the project holds the words of one. Ends with 1 when something is wrong.
 *
 *     node training/labels/check.ts
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  badCuts,
  LABELS,
  REAL_TEXTS,
  type RealReview,
  readLines,
  readLow,
  readLowTexts,
  readNext,
  readReal,
  readTexts,
  wordsOf,
} from "./labels.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FILES =
  "{*,{bench,qa,training,bin,decisions,docs,models,sample,src,taxonomies,test}/**/*}.{md,ts,js,json,jsonl,yaml,csv,html}";

/** Consecutive words that two people hardly ever write alike. */
const COPIED_WORDS = 12;

/** Every run of COPIED_WORDS words of a text. */
function runsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(COPIED_WORDS - 1).map((_, index) => words.slice(index, index + COPIED_WORDS).join(" "));
}

function wrongCuts(): string[] {
  const second = readLines<RealReview & { readonly business: string }>(join(LABELS, "second", "real.jsonl"));
  const files = [
    ...readReal().map(({ business, trade, reviews }) => ({
      business,
      reviews,
      place: `real/${business}.${trade}.jsonl`,
    })),
    ...second.map((review) => ({ business: review.business, reviews: [review], place: "second/real.jsonl" })),
  ];
  const low = (["train", "report"] as const).map((part) => ({
    texts: readLowTexts(),
    reviews: readLow(part),
    place: `real-low/${part}.jsonl`,
  }));
  const next = readNext().map(({ business, trade, reviews, texts }) => ({
    texts,
    reviews,
    place: `next/${business}.${trade}.jsonl`,
  }));
  const all = [...next, ...files.map((file) => ({ ...file, texts: readTexts(file.business) })), ...low];
  return all.flatMap(({ texts, reviews, place }) => {
    return reviews.flatMap((review) => {
      const text = texts.get(review.id);
      const cuts = text === undefined ? ["no such review"] : badCuts(text, review);
      return cuts.map((cut) => `${place} ${review.id}: ${cut}`);
    });
  });
}

function copiedWords(): string[] {
  const runs = new Set(
    globSync("*.jsonl", { cwd: REAL_TEXTS })
      .map((file) => file.replace(".jsonl", ""))
      .flatMap((business) => [...readTexts(business).values()].flatMap(runsOf)),
  ).union(new Set([...readLowTexts().values()].flatMap(runsOf)));
  return globSync(FILES, { cwd: ROOT }).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap(runsOf)
      .filter((run) => runs.has(run))
      .map((run) => `${file}: ${run}`),
  );
}

if (!existsSync(REAL_TEXTS))
  throw new Error(`The texts of the real reviews are not at ${REAL_TEXTS}: nothing was checked`);
const wrong = [...wrongCuts(), ...copiedWords()];
for (const line of wrong) console.log(line);
console.log(wrong.length === 0 ? "Every span fits its text, and no text was copied." : `${wrong.length} faults`);
process.exitCode = wrong.length === 0 ? 0 : 1;
