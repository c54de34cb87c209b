/** Chooses the language of the desk's strings: that of the business if there is a translation, otherwise English. */
import { pageLanguageOf } from "../../page-languages.ts";
import { GERMAN_MESSAGES } from "./desk-messages-de.ts";
import { DESK_GERMAN } from "./desk-words-de.ts";
import { DESK_ENGLISH, type DeskWords } from "./desk-words-en.ts";

export type { DeskWords } from "./desk-words-en.ts";

/** The strings for a BCP 47 tag. */
export function deskWordsFor(tag: string): DeskWords {
  return pageLanguageOf(tag) === "de" ? DESK_GERMAN : DESK_ENGLISH;
}

/** Whether the desk is in this language: not in all of the pages' ones. */
export function hasDeskWords(tag: string): boolean {
  const language = pageLanguageOf(tag);
  return language === "en" || language === "de";
}

/** The longest text that a pattern needs, by which most are passed over: a long message costs each of the others a while. */
function literalOf(pattern: RegExp): string {
  let source = pattern.source.replaceAll(/\\./g, "\0");
  for (let before = ""; source !== before; ) {
    before = source;
    source = source.replaceAll(/\[[^\]]*\]|\([^()]*\)/g, "\0");
  }
  const texts = source.split(/.[?*]|[\0.^$+]/);
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

const GERMAN = GERMAN_MESSAGES.map(([pattern, german]) => ({ pattern, german, literal: literalOf(pattern) }));

/**
 * A German sentence with what its pattern found in the place of `$1`; of `$1 [Bewertung ist|Bewertungen sind]` the form
 * for that number.
 */
function filled(german: string, groups: readonly unknown[]): string {
  const group = (at: string) => String(groups[Number(at) - 1] ?? "");
  return german
    .replace(/\$(\d) \[([^|]*)\|([^\]]*)\]/g, (_all, at, one, other) => `$${at} ${group(at) === "1" ? one : other}`)
    .replace(/\$(\d)/g, (_all, at) => group(at));
}

/** A message of an import or a check in the language of the words, as far as there is a translation. */
export function translatedMessage(message: string, words: DeskWords): string {
  if (words !== DESK_GERMAN) return message;
  return GERMAN.reduce(
    (said, { pattern, german, literal }) =>
      said.includes(literal) ? said.replace(pattern, (_all, ...groups) => filled(german, groups)) : said,
    message,
  );
}
