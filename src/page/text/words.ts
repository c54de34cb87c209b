/** Which language a page's own words are in: the business's where there is a file for it, English elsewhere. */

import { GERMAN } from "./words-de.ts";
import { ENGLISH } from "./words-en.ts";

/** The same keys as English, each with a text of its own. */
type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };
export type Words = Translated<typeof ENGLISH>;

/** Every language that the pages have words in, by its BCP 47 primary subtag. */
export const LANGUAGES: Readonly<Record<string, Words>> = { en: ENGLISH, de: GERMAN };

/** The words for a BCP 47 tag and the tag of the language that they are in: `de-AT` gives German. */
export function wordsFor(language: string): { readonly words: Words; readonly tag: string } {
  const primary = language.toLowerCase().split("-")[0] ?? "";
  const words = Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary] : undefined;
  return words === undefined ? { words: ENGLISH, tag: "en" } : { words, tag: language };
}

/** A sentence with the values put in for their `{names}`. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole) ?? whole,
  );
}
