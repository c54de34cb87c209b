/**
 * First names that are also ordinary words, short forms, and words for relatives and other third persons
 * (taxonomies/words).
 */
import { type Language, perLanguage, wordSet } from "./language-words.ts";

const namesOf = perLanguage((words) => ({
  wordNames: wordSet(words.word_names),
  shortNames: new Map<string, readonly string[]>(Object.entries(words.short_names)),
}));

/** Words about people and companies that stand beside a name. */
export const peopleWords = perLanguage(({ relations, callings, strangers, companies, no_surnames, technicians }) => ({
  /** Words that mark the following name as another person's: "my husband Mark", "neighbor Joy". */
  relations: wordSet(relations),
  /** Job titles before the name of a business's employee: "technician Mark". */
  callings: wordSet(callings),
  /** Words for a person who may work for another company: "their guy Mark". */
  strangers: wordSet(strangers),
  /** Words for another company: "another outfit". */
  companies: wordSet(companies),
  /** Capitalised words after a name that are not surnames. */
  noSurnames: wordSet([...technicians.calendar, ...no_surnames]),
  /** Words before another company or its people, and the possessives among them. */
  others: wordSet(technicians.others),
  theirs: wordSet(technicians.theirs),
  another: wordSet(technicians.another),
  theOther: wordSet(technicians.the_other),
  otherCompanies: wordSet(technicians.other_companies),
  from: wordSet(technicians.from),
  by: wordSet(technicians.by),
  with: wordSet(technicians.with),
  unknown: wordSet(technicians.unknown),
  here: wordSet(technicians.here),
  articles: wordSet(technicians.articles),
  /** Words after a name that show a person. */
  verbs: wordSet(technicians.verbs),
  /** Words that look like third-person verbs but are not, and what a verb looks like. */
  noVerbs: wordSet(technicians.no_verbs),
  isVerb: new RegExp(technicians.verb),
  /** Names that are verbs, too, and the words after one in a sentence without a subject: "Will never go back". */
  verbNames: wordSet(technicians.verb_names),
  afterVerbName: wordSet(technicians.after_will),
  and: wordSet(technicians.and),
  afterAnd: wordSet(technicians.after_and),
  places: wordSet(technicians.places),
  addressed: wordSet(technicians.addressed),
  introducing: wordSet(technicians.introducing),
  notIntroduced: wordSet(technicians.not_introduced),
  titled: technicians.titles.join(" "),
  self: wordSet(technicians.self),
}));

/** Whether a lower-case name is also an ordinary word. */
export function isWordName(name: string, language: Language): boolean {
  return namesOf(language).wordNames.has(name);
}

/** Short forms of a lower-case first name; empty if none are known. */
export function shortForms(firstName: string, language: Language): readonly string[] {
  return namesOf(language).shortNames.get(firstName) ?? [];
}
