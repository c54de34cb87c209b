/** Chooses the language of the pages' strings: the business's language if there is a translation, otherwise English. */
import { GERMAN } from "./words-de.ts";
import { ENGLISH, type Words } from "./words-en.ts";

/** All translations, by BCP 47 primary subtag. */
export const LANGUAGES: Readonly<Record<string, Words>> = { en: ENGLISH, de: GERMAN };

/** The strings for a BCP 47 tag, and the tag of the language they are in: `de-AT` gives German. */
export function wordsFor(language: string): { readonly words: Words; readonly tag: string } {
  const primary = language.toLowerCase().split("-")[0] ?? "";
  const words = Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary] : undefined;
  return words === undefined ? { words: ENGLISH, tag: "en" } : { words, tag: language };
}

/** Replaces `{names}` in a sentence with their values. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole) ?? whole,
  );
}
