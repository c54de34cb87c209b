/**
 * Sentences for the summary and the questions on pages in languages other than English. An English page shows the
 * published ones, which the analysis writes in English.
 */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import { GERMAN_PROSE } from "./words-de.ts";
import type { Counted } from "./words-en.ts";
import { SPANISH_PROSE } from "./words-es.ts";
import { FRENCH_PROSE } from "./words-fr.ts";
import { DUTCH_PROSE } from "./words-nl.ts";

export interface Prose {
  /** `{name}`, `{stars}` (mean), `{reviews}`, `{from}` and `{to}` (months). */
  readonly opening: {
    /** Of one review. */
    readonly single: string;
    /** Of several that were written in one month, `{to}`. */
    readonly oneMonth: string;
    readonly months: string;
  };
  /** `{list}`: aspects or people, each with its number of reviews. */
  readonly praised: string;
  readonly criticised: string;
  readonly named: string;
  /** `{aspect}`. */
  readonly aspectQuestion: string;
  /** `{reviews}`: three or more. */
  readonly aspectPraise: string;
  readonly aspectCriticism: string;
  /** `{reviews}`: those that name the topic, three or more. */
  readonly topicNamed: string;
  readonly techniciansQuestion: string;
  readonly servicesQuestion: string;
  readonly areasQuestion: string;
  readonly complaintsQuestion: string;
  readonly poorRatings: Counted;
}

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
