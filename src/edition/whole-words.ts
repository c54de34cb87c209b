/**
 * Whole words (contract §10): a word is a run of letters and digits, without regard to case and accents. What stands
 * between letters without a space may be there or not: "ac" is found in "A/C", "dana" and "danas" in "Dana's".
 */
import { foldCase } from "./case-folding.ts";

/** Combining accents, Arabic vowel signs and variation selectors. Other marks, as in Devanagari, are part of a letter. */
const ACCENTS = /[\u0300-\u036f]|[\u064b-\u065f\u0670]|[\ufe00-\ufe0f]/g;
const LETTER = "\\p{L}\\p{Nd}\\p{Mn}\\p{Mc}";
const RUNS = new RegExp(`[${LETTER}]+`, "gu");

/** Folds case and removes accents. The text may have been case-folded before. */
export function foldWords(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return foldCase(text.normalize("NFD").replace(ACCENTS, "")).replaceAll("ß", "ss");
}

/** The letters and digits of a word as it is sought. */
export function lettersOf(word: string): string {
  return runsOf(foldWords(word)).join("");
}

/** The runs of letters and digits of a folded text. */
export function runsOf(folded: string): readonly string[] {
  return folded.match(RUNS) ?? [];
}

/** A pattern that matches the folded texts which hold one of the words, given as `lettersOf` returns them. */
export function wordPattern(words: readonly string[]): RegExp {
  const alternatives = words.map((word) => [...word].join(`[^${LETTER}\\s]*`));
  return new RegExp(`(?<![${LETTER}])(?:${alternatives.join("|")})(?![${LETTER}])`, "u");
}
