/**
 * How frequent words are in reviews and texts of every kind, and what kind of words they are, from
 * `models/word-background.json` (`training/train/make-word-background.ts`). A language is unpacked when its first text is
 * read.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { perLanguage } from "./language-words.ts";

export const BACKGROUND_FILE = join(PROGRAM_FOLDER, "models", "word-background.json");
const schema = z.strictObject({
  format: z.literal(1),
  sources: z.string(),
  languages: z
    .record(z.string(), z.string())
    .describe("By tag, Base64 of deflated lines: a word, a blank, the number of its kind, and its level in base 36"),
});

/** A word names nothing, is a part of a phrase only (an adjective), may be a verb or a noun, or is a noun. */
export const WORD_KIND = { none: 0, part: 1, verb: 2, noun: 3 } as const;
/** Share of reviews that a word of level 0 is in at most; each level is half as much again. */
const [MIN_SHARE, STEP] = [0.0005, 1.5];

/** The share of reviews that a word of this level is in. */
export function shareOfLevel(level: number): number {
  return MIN_SHARE * STEP ** level;
}

/** The `WORD_KIND` of an entry of `knownWords`, and its level. */
export const kindIn = (known: number): number => known & 3;
export const levelIn = (known: number): number => known >>> 2;

/** The words of a language that are known, each with its level and its kind as one number. */
export const knownWords = perLanguage((_, { tag }): ReadonlyMap<string, number> => {
  const packed = schema.parse(JSON.parse(readFileSync(BACKGROUND_FILE, "utf8")));
  const lines = inflateRawSync(Buffer.from(packed.languages[tag] ?? "", "base64")).toString();
  return new Map(
    lines.split("\n").map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), (Number.parseInt(line.slice(end + 2), 36) << 2) | Number(line.charAt(end + 1))];
    }),
  );
});
/** The share of reviews that have a word of which nothing is known. */
export const UNKNOWN_RATE = MIN_SHARE;
