/**
 * The words and rules of the languages that are read, one file a language: `taxonomies/words/TAG.json`. What reads texts
 * knows no word of any language itself. A language other than English is loaded when the first text needs it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import english from "../../../taxonomies/words/en.json" with { type: "json" };
import { PROGRAM_FOLDER } from "../../program-folder.ts";

/** The contents of a language's file (`taxonomies/README.md`). */
export type LanguageWords = typeof english;

export interface Language {
  /** BCP 47 base tag. */
  readonly tag: string;
  /** Its number among the languages, for what is kept for each of them. */
  readonly index: number;
  readonly words: LanguageWords;
}

/** The tags of the languages that are read. */
export const READ_TAGS = ["en", "de", "es", "fr", "nl"] as const;
const [ENGLISH_TAG] = READ_TAGS;

export const ENGLISH: Language = { tag: ENGLISH_TAG, index: 0, words: english };

const loaded = new Map<string, Language>([[ENGLISH_TAG, ENGLISH]]);

/** A language that is read. English stands in for any other, as for a text whose language nothing tells. */
export function languageNamed(tag: string | null): Language {
  const index = READ_TAGS.indexOf(tag as (typeof READ_TAGS)[number]);
  return index < 1 ? ENGLISH : loaded.getOrInsertComputed(READ_TAGS[index] as string, () => load(index));
}

function load(index: number): Language {
  const tag = READ_TAGS[index] as string;
  const json = readFileSync(join(PROGRAM_FOLDER, "taxonomies", "words", `${tag}.json`), "utf8");
  return { tag, index, words: JSON.parse(json) as LanguageWords };
}

/** Returns a function that makes something of each language's words once. */
export function perLanguage<Made>(make: (words: LanguageWords, language: Language) => Made): (of: Language) => Made {
  const made: (Made | undefined)[] = [];
  return (language) => {
    let own = made[language.index];
    if (own === undefined) {
      own = make(language.words, language);
      made[language.index] = own;
    }
    return own;
  };
}

/** The words of lines with words between spaces. */
export function wordsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" ")).filter((word) => word !== "");
}

export function wordSet(lines: readonly string[]): ReadonlySet<string> {
  return new Set(wordsIn(lines));
}
