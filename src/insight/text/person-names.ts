/**
 * First names that are also ordinary words, short forms, and words for relatives and other third persons
 * (taxonomies/words.json).
 */
import words from "../../../taxonomies/words.json" with { type: "json" };

const wordsOf = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(" ")));

/** Names that are also words: in lower case or at the start of a sentence, they may not mean a person. */
const WORD_NAMES = wordsOf(words.word_names);
/** Short forms by full first name: customers use them for people whom the business lists by full name. */
const SHORT_FORMS = new Map<string, readonly string[]>(Object.entries(words.short_names));
/** Words that mark the following name as another person's: "my husband Mark", "neighbor Joy". */
export const RELATIONS = wordsOf(words.relations);
/** Job titles before the name of a business's employee: "technician Mark". */
export const CALLINGS = new Set(words.callings);
/** Words for a person who may work for another company: "their guy Mark". */
export const STRANGERS = new Set(words.strangers);
/** Words for another company: "another outfit". */
export const COMPANIES = new Set(words.companies);
/** Capitalised words after a name that are not surnames. */
export const NO_SURNAMES = new Set(words.no_surnames);

/** Whether a lower-case name is also an ordinary word. */
export function isWordName(name: string): boolean {
  return WORD_NAMES.has(name);
}

/** Short forms of a lower-case first name; empty if none are known. */
export function shortForms(firstName: string): readonly string[] {
  return SHORT_FORMS.get(firstName) ?? [];
}
