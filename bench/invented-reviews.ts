/**
 * Invented reviews as long and as varied as customers' own. A text has 200 bytes on average (median 145), and 97 of 100
 * occur once. It consists of sentences of the bundled sample with some words replaced, partly by rare ones, as in real
 * reviews: misspellings, names, models of machines. A third has an answer of the owner. As JSON, a review has 0.6 KB.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../test/support/program.ts";
import { seededRandom } from "../test/support/seeded-random.ts";

/** Share of the words that another word of the sample replaces. */
const REPLACED = 0.12;
/** Share of the words that random letters replace. */
const MADE_UP = 0.025;
const LETTERS = "etaoinshrdlucmfwypvbgk";
/** Median length of a text in characters, and the standard deviation of its logarithm (a log-normal distribution). */
const [MEDIAN_LENGTH, SPREAD] = [125, 0.92];
const MAX_LENGTH = 4_000;
const REPLIED = 1 / 3;
const DAY_MS = 86_400_000;
/** The header of {@link csvOf}. */
export const CSV_HEAD = "id,author,rating,created,text,url,owner reply,owner reply date";

const sample = readFileSync(join(import.meta.dirname, "../sample/reviews.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as { readonly text: string | null; readonly rating: number });

/** The sentences of the sample by the stars of their reviews. */
const sentences = new Map<number, string[]>();
for (const { text, rating } of sample) {
  const found = text?.match(/[^.!?]+[.!?]+/g) ?? [];
  sentences.set(rating, [...(sentences.get(rating) ?? []), ...found.map((sentence) => sentence.trim())]);
}
const words = sample.flatMap(({ text }) => text?.match(/\p{Ll}{3,}/gu) ?? []);

type Random = () => number;
const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;

function madeUpWord(random: Random): string {
  return Array.from({ length: 4 + Math.floor(random() * 6) }, () => pick([...LETTERS], random)).join("");
}

/** A sentence with some of its words replaced. */
function varied(sentence: string, random: Random): string {
  return sentence.replace(/\p{Ll}{3,}/gu, (word) => {
    const chance = random();
    if (chance < MADE_UP) return madeUpWord(random);
    return chance < MADE_UP + REPLACED ? pick(words, random) : word;
  });
}

/** Sentences of reviews with this rating, until they have `length` characters. */
function textOf(rating: number, length: number, random: Random): string {
  const parts: string[] = [];
  for (let has = 0; has < length; has += (parts.at(-1)?.length ?? 0) + 1) {
    const stars = random() < 0.8 ? rating : 1 + Math.floor(random() * 5);
    parts.push(varied(pick(sentences.get(stars) ?? [], random), random));
  }
  return parts.join(" ");
}

export interface InventedReview {
  readonly id: string;
  readonly author: string;
  readonly rating: number;
  readonly created: string;
  readonly text: string;
  readonly url: string;
  readonly reply: string;
  readonly replied: string;
}

/** A review whose values all follow from its number. */
export function inventedReview(number: number): InventedReview {
  const random = seededRandom(Math.imul(number + 1, 0x9e3779b1));
  const rating = random() < 0.7 ? 5 : 1 + Math.floor(random() * 5);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = Math.min(MAX_LENGTH, MEDIAN_LENGTH * Math.exp(SPREAD * normal));
  const isReplied = random() < REPLIED;
  const created = Date.UTC(2015, 0, 1 + (number % 3650), number % 24, number % 60);
  return {
    id: `review-${number}`,
    author: `Customer ${number % 5000}`,
    rating,
    created: new Date(created).toISOString(),
    text: textOf(rating, length * 0.8, random), // the last sentence goes beyond it
    url: `https://example.com/maps/reviews/data/${number.toString(36).padStart(30, "z")}`,
    reply: isReplied ? `Thank you. ${textOf(5, 60, random)}` : "",
    replied: isReplied ? new Date(created + DAY_MS).toISOString() : "",
  };
}

/** A review as a line of a table. */
function csvLine(number: number): string {
  const values = Object.values(inventedReview(number));
  return values.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(",");
}

/** A table of invented reviews. */
export function csvOf(from: number, count: number): string {
  const lines = [CSV_HEAD];
  for (let number = from; number < from + count; number++) {
    lines.push(csvLine(number));
  }
  return `${lines.join("\n")}\n`;
}

/** Writes the reviews of these numbers as a table to a new file in a folder, and returns its path. */
export function writeTable(folder: string, { from, rows }: { from: number; rows: number }): string {
  const path = join(folder, `reviews-${from}.csv`);
  writeFileSync(path, csvOf(from, rows));
  return path;
}

/** Imports a file into the store of a folder by the command. @throws Error with its message if it fails. */
export async function importTable(folder: string, file: string): Promise<void> {
  const { code, stderr } = await run(folder, ["import", file, "--source", "google"]);
  if (code !== 0) throw new Error(stderr);
}
