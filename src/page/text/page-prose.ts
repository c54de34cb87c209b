/**
 * Sentences for the summary and the questions on pages in languages other than English. An English page shows the
 * published ones, which the analysis writes in English.
 */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import { GERMAN_PROSE } from "./words-de.ts";
import type { Prose } from "./words-en.ts";
import { SPANISH_PROSE } from "./words-es.ts";
import { FRENCH_PROSE } from "./words-fr.ts";
import { DUTCH_PROSE } from "./words-nl.ts";

const PROSE: Omit<Translations<Prose>, "en"> = {
  de: GERMAN_PROSE,
  es: SPANISH_PROSE,
  fr: FRENCH_PROSE,
  nl: DUTCH_PROSE,
};

/** The sentences for a page's language; undefined if the page shows the published ones. */
export function proseFor(tag: string): Prose | undefined {
  const language = pageLanguageOf(tag);
  return language === undefined || language === "en" ? undefined : PROSE[language];
}
