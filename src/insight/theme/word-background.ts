/** How frequent words are in reviews and texts of every kind, and which of them can name a theme. */
import { valenceOf } from "../sentiment/valence.ts";
import type { Language } from "../text/language-words.ts";
import { isSmall } from "../text/phrase-cut.ts";
import { wordTable } from "../text/vocabulary.ts";
import { kindsOf } from "../text/word-keys.ts";

/** Whether a word is passed over, can be a part of a theme's phrase, or can be a theme. */
export const WORD_KIND = { none: 0, part: 1, theme: 2 } as const;

/** The kind of each word of a vocabulary, by its number. */
export const kindOfWords = wordTable(1, (rows, row, form, language) => {
  rows[row] = kindOfWord(form, language);
});

/** The kind of a lower-case word. */
export function kindOfWord(form: string, language: Language): number {
  if (form.length < 2 || isSmall(form, language) || kindsOf(form, language).kind !== undefined) return WORD_KIND.none;
  if (!/^[\p{L}\p{M}]/u.test(form) || valenceOf(form, language) !== 0) return WORD_KIND.none;
  return WORD_KIND.theme;
}

/** Share of the reviews of any business that have a lower-case word. */
export function rateOf(_form: string, _language: Language): number {
  return 0.002;
}
