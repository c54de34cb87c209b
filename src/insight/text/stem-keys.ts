/** Stem keys: what the inflections of a word have in common, in each of several languages. */
import { normalForm } from "../../lib/normal-form.ts";
import type { Language } from "./language-words.ts";
import { stem } from "./word-stem.ts";

/** What a stemmer leaves as it is: short words in the plural, such as those of abbreviations ("ACs", "TVs"). */
const SHORT_PLURAL = /^[\p{L}\p{N}]{2}s$/u;

/** The stems of a lower-case word in each language, with and without its accents, marked with the language. */
export function stemKeys(word: string, languages: readonly Language[]): string[] {
  const forms = new Set([word, withoutAccents(word)]);
  for (const form of [...forms]) if (SHORT_PLURAL.test(form)) forms.add(form.slice(0, -1));
  return languages.flatMap((language) =>
    [...forms].map((form) => {
      const once = stem(form, language); // “parkings” is “parking”, and that is “park”
      return `${language.tag} ${withoutAccents(stem(once, language))}`;
    }),
  );
}

/** A word without accents and other marks. */
export function withoutAccents(word: string): string {
  return normalForm(word, "NFD").replace(/\p{M}/gu, "");
}
