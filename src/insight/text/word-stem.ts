/**
 * Stemmer: maps the inflections of a word to one form. "arrives", "arrived", "arriving" are all `arriv`. The rules are
 * those of the language (`stems` in taxonomies/words).
 */
import { type Language, perLanguage, wordsIn } from "./language-words.ts";

const MAX_LETTERS = 24;

const rulesOf = perLanguage(({ stems, like }) => {
  const rules = (list: readonly (readonly string[])[]) =>
    list.map(([ending = "", instead = ""]) => ({ ending: new RegExp(ending, "u"), instead }));
  const [folded, endings, last] = [rules(stems.folded), rules(stems.endings), rules(stems.last)];
  const fold = (word: string) =>
    folded.reduce((form, { ending, instead }) => form.replaceAll(new RegExp(ending, "gu"), instead), word);
  const firstOf = (list: typeof endings, word: string) => {
    const rule = list.find(({ ending }) => ending.test(word));
    return rule === undefined ? word : word.replace(rule.ending, rule.instead);
  };
  const irregular = new Map(
    stems.irregular
      .flatMap((line) => line.split("|"))
      .flatMap((line) => {
        const forms = wordsIn([line]);
        return forms.map((form) => [form, forms[0] ?? form] as const);
      }),
  );
  const letters = new RegExp(`^${stems.letters}+$`, "u");
  const stemOf = (word: string): string => {
    const base = irregular.get(word);
    if (base !== undefined) return firstOf(last, fold(base));
    if (word.length < stems.fewest || word.length > MAX_LETTERS || !letters.test(word)) return word;
    return firstOf(last, firstOf(endings, fold(word)));
  };
  const heads = new Set(wordsIn(stems.heads).map(stemOf));
  const english = new Map(
    Object.entries<string>(like).flatMap(([word, all]) => wordsIn([all]).map((form) => [stemOf(form), word])),
  );
  return { stemOf, heads, english, fewest: stems.fewest_of_head };
});

/** The stem of a lower-case word. For comparison, not for display: patterns and texts are stemmed by the same rules. */
export function stem(word: string, language: Language): string {
  return rulesOf(language).stemOf(word);
}

/** The stem of the noun in which a compound ends, "termin" of "Wartungstermin"; undefined if it is none or known as it is. */
export function headOf(word: string, language: Language): string | undefined {
  const { heads, english, fewest, stemOf } = rulesOf(language);
  const whole = heads.size === 0 ? "" : stemOf(word);
  return english.has(whole) ? undefined : endOf(whole, fewest, (end) => heads.has(end));
}

/** The English word that is most like a word of another language, or like the noun in which it ends. */
export function likeEnglish(word: string, language: Language): string | undefined {
  const { english, stemOf } = rulesOf(language);
  const own = english.get(stemOf(word));
  const head = own === undefined ? headOf(word, language) : undefined;
  return own ?? (head === undefined ? undefined : english.get(head));
}

/** The longest proper end of at least `fewest` letters that is known. */
function endOf(word: string, fewest: number, isKnown: (end: string) => boolean): string | undefined {
  for (let at = 3; at <= word.length - fewest; at++) if (isKnown(word.slice(at))) return word.slice(at);
  return undefined;
}
