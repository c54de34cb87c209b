/**
 * Whole words (contract §10): a word is a run of letters and digits, without regard to case and accents. Punctuation
 * between letters without a space is optional: "ac" is found in "A/C", "dana" and "danas" in "Dana's".
 */
import { normalForm } from "../lib/normal-form.ts";
import { foldCase } from "./case-folding.ts";

/** Combining accents, Arabic vowel signs and variation selectors. Other marks, as in Devanagari, are part of a letter. */
const ACCENTS = /[\u0300-\u036f]|[\u064b-\u065f\u0670]|[\ufe00-\ufe0f]/g;
const LETTER = "\\p{L}\\p{Nd}\\p{Mn}\\p{Mc}";
const RUNS = new RegExp(`[${LETTER}]+`, "gu");

/** Folds case and removes accents. The text may have been case-folded before. */
export function foldWords(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return foldCase(normalForm(text, "NFD").replace(ACCENTS, "")).replaceAll("ß", "ss");
}

/** The letters and digits of a word as it is sought. */
export function lettersOf(word: string): string {
  return runsOf(foldWords(word)).join("");
}

/** The runs of letters and digits of a folded text. */
function runsOf(folded: string): readonly string[] {
  return folded.match(RUNS) ?? [];
}

/** Runs of letters with something between them, but no white space. It begins at none but the first letter of a run. */
const COMPOUNDS = new RegExp(`(?<![${LETTER}])[${LETTER}]+(?:[^${LETTER}\\s]+[${LETTER}]+)+`, "gu");

/** What every text with a compound matches: a letter after something else, white space aside. */
const MAY_HAVE_COMPOUNDS = /[^\sa-z\d][a-z\d]|[^\0-\x7f]/;

/** Returns what tells of a folded text whether it holds one of the words, which are given as `lettersOf` returns them. */
export function makeWordTest(words: readonly string[]): (folded: string) => boolean {
  const alone = new RegExp(`(?<![${LETTER}])(?:${words.join("|")})(?![${LETTER}])`, "u");
  return (folded) => {
    if (alone.test(folded)) return true;
    if (!MAY_HAVE_COMPOUNDS.test(folded)) return false;
    return (folded.match(COMPOUNDS) ?? []).some((compound) => areJoinedIn(compound, words));
  };
}

/** Whether one of the words is a series of neighbouring runs of a compound. */
function areJoinedIn(compound: string, words: readonly string[]): boolean {
  const { letters, starts } = joinedRuns(compound);
  const isBound = new Uint8Array(letters.length + 1);
  for (const start of starts) isBound[start] = 1;
  return words.some((word) => {
    for (let at = letters.indexOf(word); at !== -1; at = letters.indexOf(word, at + 1))
      if (isBound[at] === 1 && isBound[at + word.length] === 1) return true;
    return false;
  });
}

/** The letters of all runs of a folded text, and where in them each run starts and the last one ends. */
export function joinedRuns(folded: string): { readonly letters: string; readonly starts: readonly number[] } {
  const runs = runsOf(folded);
  const starts = [0];
  for (const { length } of runs) starts.push((starts.at(-1) as number) + length);
  return { letters: runs.join(""), starts };
}
