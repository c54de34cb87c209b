/** Which words can name a theme, and how frequent they are in reviews in general. */
import { valenceOf } from "../sentiment/valence.ts";
import { kindIn, knownWords, levelIn, shareOfLevel, UNKNOWN_RATE, WORD_KIND } from "../text/background-table.ts";
import type { Language } from "../text/language-words.ts";
import { isSmall } from "../text/phrase-cut.ts";
import { wordTable } from "../text/vocabulary.ts";
import { kindsOf } from "../text/word-keys.ts";

/** The kind of each word of a vocabulary, by its number. */
export const kindOfWords = wordTable(1, (rows, row, form, language) => {
  rows[row] = kindOfWord(form, language);
});

/** The kind of a lower-case word. */
export function kindOfWord(form: string, language: Language): number {
  const known = knownWords(language).get(form);
  if (known !== undefined) return kindIn(known);
  const isWord = form.length > 1 && /^[\p{L}\p{M}]/u.test(form) && kindsOf(form, language).kind === undefined;
  return isWord && !isSmall(form, language) && valenceOf(form, language) === 0 ? WORD_KIND.noun : WORD_KIND.none;
}

export function isKnownWord(form: string, language: Language): boolean {
  return knownWords(language).has(form);
}

/** Share of the reviews of any business that have a lower-case word. */
export function rateOf(form: string, language: Language): number {
  const known = knownWords(language).get(form);
  return known === undefined ? UNKNOWN_RATE : shareOfLevel(levelIn(known));
}
