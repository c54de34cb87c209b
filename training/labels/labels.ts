/**
 * Reads the labelled reviews of this folder: invented ones with their text, and the labels of real ones, whose texts
 * are beside the project. GUIDE.md defines the labels.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Sentiment } from "../../src/insights-document.ts";

export type Trade = "home-services" | "general";

/** The reason why a clause with a fault or a strong word is no verdict on the business. */
export const NO_VERDICTS = ["rival", "background", "self", "other-customer", "hypothetical", "thanks"] as const;

/** A clause of a review, in UTF-16 code units, and what it says about the business. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly aspects: readonly { readonly id: string; readonly sentiment: Sentiment }[];
  readonly not?: (typeof NO_VERDICTS)[number];
}

export interface Labels {
  readonly rating: number;
  /** Whether the review blames the business for anything, also outside the aspects. */
  readonly criticism: boolean;
  readonly spans: readonly Span[];
}

export interface OwnReview extends Labels {
  readonly text: string;
  readonly trade: Trade;
}

export interface RealReview extends Labels {
  readonly id: string;
}

/** A short text without stars. Its aspects are those of home services; one without any praises and blames nothing. */
export interface LabelledClause {
  readonly text: string;
  readonly aspects: Span["aspects"];
}

/** The labels of one business's real reviews, read for one trade. */
export interface RealFile {
  readonly business: string;
  readonly trade: Trade;
  readonly reviews: readonly RealReview[];
}

/** Which businesses the model learns from, and which only measure it. */
export interface Split {
  readonly train: readonly string[];
  readonly validate: readonly string[];
  /** The part of a business's file that matters to the reading. */
  readonly categories: Readonly<Record<string, string>>;
}

/** The ids of the aspects by trade: those of taxonomies/home-services.yaml, and those that fit any trade. */
export const ASPECTS: Readonly<Record<Trade, readonly string[]>> = {
  "home-services": [
    "punctuality",
    "responsiveness",
    "scheduling",
    "pricing",
    "honesty",
    "technical_knowledge",
    "workmanship",
    "professionalism",
    "communication",
    "cleanliness",
  ],
  general: ["staff", "quality", "value", "speed", "cleanliness", "place", "communication", "food"],
};

export const LABELS = import.meta.dirname;

/** Where the texts of the real reviews are, outside the project. */
export const REAL_TEXTS = join(LABELS, "..", "..", "..", "shared", "data", "real-reviews");

/** The objects of a JSON Lines file. */
export function readLines<Row>(file: string): Row[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

/** Every invented review in a folder, `own` of English ones or that of a language's tag, by file name without ending. */
export function readOwn(folder = "own"): ReadonlyMap<string, readonly OwnReview[]> {
  const files = globSync(`${folder}/*.jsonl`, { cwd: LABELS }).toSorted();
  return new Map(files.map((file) => [basename(file, ".jsonl"), readLines<OwnReview>(join(LABELS, file))]));
}

/** The short texts of this folder, by file name without ending. */
export function readClauses(): ReadonlyMap<string, readonly LabelledClause[]> {
  const files = globSync("clauses/*.jsonl", { cwd: LABELS }).toSorted();
  return new Map(files.map((file) => [basename(file, ".jsonl"), readLines<LabelledClause>(join(LABELS, file))]));
}

/** The labels of the real reviews, one entry for each file: `real/<business>.<trade>.jsonl`. */
export function readReal(): readonly RealFile[] {
  return globSync("real/*.jsonl", { cwd: LABELS })
    .toSorted()
    .map((file) => {
      const [business = "", trade = ""] = basename(file, ".jsonl").split(".");
      return { business, trade: trade as Trade, reviews: readLines<RealReview>(join(LABELS, file)) };
    });
}

export function readSplit(): Split {
  return JSON.parse(readFileSync(join(LABELS, "real", "split.json"), "utf8")) as Split;
}

/** The texts of a business's real reviews by id; throws where the folder of real data is missing. */
export function readTexts(business: string): ReadonlyMap<string, string> {
  const rows = readLines<{ readonly id: string; readonly text: string }>(join(REAL_TEXTS, `${business}.jsonl`));
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** Spans that leave the text, begin or end with a space, or cut a word in two. */
export function badCuts(text: string, { spans }: Labels): string[] {
  const inWord = (at: number) => /^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1));
  return spans
    .filter(({ from, to }) => {
      const words = text.slice(from, to);
      return to > text.length || words !== words.trim() || inWord(from) || inWord(to);
    })
    .map(({ from, to }) => `${from}–${to} "${text.slice(from, to)}"`);
}

/** Labels of one half of the firms in `../shared/data/real-reviews-low`, mostly unhappy customers of any trade. A firm is in one half only. */
export const readLow = (part: "train" | "report") => readLines<RealReview>(join(LABELS, "real-low", `${part}.jsonl`));

/** The texts of those reviews by id: the kind of business and the line of its file. */
export function readLowTexts(): ReadonlyMap<string, string> {
  const folder = join(REAL_TEXTS, "..", "real-reviews-low");
  return new Map(
    globSync("*.jsonl", { cwd: folder }).flatMap((file) =>
      readLines<{ readonly text: string }>(join(folder, file)).map(
        ({ text }, line) => [`${basename(file, ".jsonl")}-${line + 1}`, text] as const,
      ),
    ),
  );
}

/** Labels of real texts that no weights have learned from yet, by the name of their file: of which texts, and for which trade. */
export function readNext(): readonly (RealFile & { readonly texts: ReadonlyMap<string, string> })[] {
  return globSync("next/*.jsonl", { cwd: LABELS })
    .toSorted()
    .map((file) => {
      const [business = "", trade = ""] = basename(file, ".jsonl").split(".");
      const reviews = readLines<RealReview>(join(LABELS, file));
      return { business, trade: trade as Trade, reviews, texts: nextTexts(business) };
    });
}

/** The texts of such a file by id. */
function nextTexts(name: string): ReadonlyMap<string, string> {
  const data = join(REAL_TEXTS, "..");
  if (name === "small-towns") return readLowTexts();
  if (name === "health") {
    const answers = readLines<{ readonly id: string; readonly text: string }>(join(data, "nhs-fft", "reviews.jsonl"));
    return new Map(answers.map(({ id, text }) => [id, text]));
  }
  if (!name.startsWith("trades-")) return readTexts(name);
  // German home trades by line, as written or in Google's English.
  const rows = readLines<{ readonly text: string; readonly google_english?: string }>(
    join(data, "real-reviews-other", "de-home-trades.jsonl"),
  );
  const isEnglish = name.startsWith("trades-en");
  return new Map(
    rows.map(({ text, google_english }, line) => [`${line + 1}`, isEnglish ? (google_english ?? "") : text] as const),
  );
}

/** Lower-case words, so that spacing and punctuation hide no copy. */
export const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
