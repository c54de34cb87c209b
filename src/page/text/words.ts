/** Chooses the language of the pages' strings: the business's language if there is a translation, otherwise English. */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import { GERMAN } from "./words-de.ts";
import { ENGLISH, type Words } from "./words-en.ts";
import { SPANISH } from "./words-es.ts";
import { FRENCH } from "./words-fr.ts";
import { DUTCH } from "./words-nl.ts";

export const LANGUAGES: Translations<Words> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH, nl: DUTCH };

/** The strings for a BCP 47 tag, and the tag of the language they are in: `de-AT` gives German. */
export function wordsFor(language: string): { readonly words: Words; readonly tag: string } {
  const own = pageLanguageOf(language);
  return own === undefined ? { words: ENGLISH, tag: "en" } : { words: LANGUAGES[own], tag: language };
}

/** Replaces `{names}` in a sentence with their values. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole) ?? whole,
  );
}
