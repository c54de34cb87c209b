/**
 * Word valences: for English the VADER lexicon, corrected for words with another meaning in a trade's reviews and extended
 * with missing words (taxonomies/words). A word of another language has its own, or that of the English word which is
 * most like it.
 */
import { lexicon } from "vader-sentiment/src/vader_lexicon.js";
import { ENGLISH, type Language, perLanguage, wordsIn } from "../text/language-words.ts";
import { likeEnglish, stem } from "../text/word-stem.ts";

const valencesOf = perLanguage(({ neutral, valences }, language) => {
  const key = (word: string) => (language === ENGLISH ? word : stem(word, language));
  const own = new Map<string, number>();
  if (language === ENGLISH)
    for (const [word, weight] of Object.entries(lexicon)) if (/^[a-z'-]+$/.test(word)) own.set(word, weight);
  for (const word of wordsIn(neutral)) own.set(key(word), 0);
  for (const [words, weight] of Object.entries(valences))
    for (const word of wordsIn([words])) own.set(key(word), weight);
  return own;
});

/** The valence of a lower-case word: -4 (worst) to 4 (best), 0 for words without judgement. */
export function valenceOf(form: string, language: Language): number {
  if (language === ENGLISH) return valencesOf(ENGLISH).get(form) ?? 0;
  const english = likeEnglish(form, language);
  const own = valencesOf(language).get(stem(form, language));
  return own ?? (english === undefined ? 0 : valenceOf(english, ENGLISH));
}
