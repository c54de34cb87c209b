/**
 * Word valences: the VADER lexicon, corrected for words with another meaning in a trade's reviews and extended with
 * missing words (taxonomies/words.json).
 */
import { lexicon } from "vader-sentiment/src/vader_lexicon.js";
import words from "../../../taxonomies/words.json" with { type: "json" };

const VALENCES = new Map<string, number>();
for (const [word, weight] of Object.entries(lexicon)) {
  if (/^[a-z'-]+$/.test(word)) VALENCES.set(word, weight);
}
for (const word of words.neutral.flatMap((line) => line.split(" "))) VALENCES.delete(word);
for (const [word, weight] of Object.entries(words.valences)) VALENCES.set(word, weight);

/** The valence of a lower-case word: -4 (worst) to 4 (best), 0 for words without judgement. */
export function valenceOf(form: string): number {
  return VALENCES.get(form) ?? 0;
}
