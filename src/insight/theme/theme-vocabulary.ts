/**
 * The words for themes of a store's reviews, as they are written and by what they mean: spellings and inflections of one
 * word share a key. It grows with the editions of a thread; a removal begins a new one.
 */
import { type Language, perLanguage } from "../text/language-words.ts";
import { stem } from "../text/word-stem.ts";
import { JOINT } from "./theme-words.ts";
import { kindOfWord, rateOf, WORD_KIND } from "./word-background.ts";

export interface ThemeVocabulary {
  /** The words as they are written, and for each of them the number of its key and how it is written. */
  readonly words: readonly WrittenWord[];
  readonly keys: readonly WordKey[];
  /** The number of a word of a language. */
  numberOf(written: string, language: Language): number;
}

export interface WrittenWord {
  readonly written: string;
  readonly key: number;
  /** Whether it is written as its language writes names. */
  readonly isCapital: boolean;
}

export interface WordKey {
  readonly key: string;
  /** Whether one of its words can be a theme alone. */
  isTheme: boolean;
  /** Share of the reviews of any business that have one of its words. */
  rate: number;
}

const nameOf = perLanguage(({ phrases }) => new RegExp(phrases.shown.name, "u"));

export function openVocabulary(): ThemeVocabulary {
  const [words, keys]: [WrittenWord[], WordKey[]] = [[], []];
  const [numbers, keyNumbers]: [Map<string, number>[], Map<string, number>] = [[], new Map()];
  const forms = new Set<string>();
  return {
    words,
    keys,
    numberOf(written, language) {
      numbers[language.index] ??= new Map();
      const own = numbers[language.index] as Map<string, number>;
      let number = own.get(written);
      if (number !== undefined) return number;
      const key = keyNumbers.getOrInsertComputed(keyOfWord(written, language), (shape) => {
        return keys.push({ key: shape, isTheme: false, rate: 0 }) - 1;
      });
      number = words.push({ written, key, isCapital: nameOf(language).test(written) }) - 1;
      own.set(written, number);
      const form = ownPart(written).toLowerCase();
      const entry = keys[key] as WordKey;
      if (!forms.has(`${language.tag} ${form}`)) {
        forms.add(`${language.tag} ${form}`);
        entry.rate += rateOf(form, language);
        entry.isTheme ||= kindOfWord(form, language) === WORD_KIND.theme;
      }
      return number;
    },
  };
}

/** A word without the "of" that is kept before it. */
function ownPart(written: string): string {
  return written.slice(written.indexOf(JOINT) + 1);
}

/** The stem of a word without accents and marks: "A/C" and "ac", "café" and "cafe" have the same. */
export function keyOfWord(written: string, language: Language): string {
  const form = ownPart(written)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
  return stem(form, language).normalize("NFD").replaceAll(/\p{M}/gu, "");
}
