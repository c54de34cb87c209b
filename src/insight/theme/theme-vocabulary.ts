/**
 * The words for themes of a store's reviews, as they are written and by what they mean: spellings and inflections of one
 * word share a key. It grows with the editions of a thread; a removal begins a new one.
 */

import { normalForm } from "../../lib/normal-form.ts";
import { WORD_KIND } from "../text/background-table.ts";
import { type Language, perLanguage } from "../text/language-words.ts";
import { spellingMemo } from "../text/spellings.ts";
import { stem } from "../text/word-stem.ts";
import { HYPHEN, isTitled, JOINT } from "./theme-words.ts";
import { isKnownWord, kindOfWord, rateOf } from "./word-background.ts";

export interface ThemeVocabulary {
  /** The words as they are written. */
  readonly words: readonly WrittenWord[];
  readonly keys: readonly WordKey[];
  /** What gives the number of a word that is from one place to another of a string in this language. */
  numbersOf(language: Language): (text: string, from: number, to: number) => { readonly first: number };
  /** The languages of the words. */
  languages(): readonly Language[];
  /** The number of a key; undefined if no word has it. */
  keyNamed(key: string): number | undefined;
  /** What a word means; found when it is first asked for. */
  meaningOf(word: number): Meaning;
}

export interface WrittenWord {
  readonly written: string;
  readonly language: Language;
}

interface Meaning {
  /** The number of its key. */
  readonly key: number;
  /** Share of the reviews of any business that have the word. */
  readonly rate: number;
  /** Whether it is in the table of the background: another one may be a name. */
  readonly isKnown: boolean;
  /** Whether it is written as its language writes names. */
  readonly isCapital: boolean;
  /** Whether it is a longer word in capitals, which says nothing of how it is written otherwise. */
  readonly isShouted: boolean;
  /** Whether it follows a title, as a person's name does. */
  readonly isTitled: boolean;
}

export interface WordKey {
  readonly key: string;
  /** Whether its words can be a theme alone; others are parts of phrases. */
  readonly isTheme: boolean;
}

/** Of a store with few reviews and of one with many: each store that is served has its own. */
const [MIN_MEMO_SLOTS, MAX_MEMO_SLOTS] = [1_024, 32_768];

/** Before the keys of words that are only parts of phrases. */
const PART = "~";

/** Shorter ones are abbreviations. */
const SHOUTED = /^\p{Lu}{4,}$/u;

/** What is left of the bytes of an emoji or a sign that a program decoded as Windows-1252: "ðŸ˜€". */
const MISDECODED = /ðŸ|âœ|^[âïÂÃ]$/u;

const nameOf = perLanguage(({ phrases }) => new RegExp(phrases.shown.name, "u"));

/** Opens an empty vocabulary for the words of this number of reviews. */
export function openVocabulary(reviews: number): ThemeVocabulary {
  const slots = Math.min(MAX_MEMO_SLOTS, Math.max(MIN_MEMO_SLOTS, 2 ** Math.ceil(Math.log2(reviews + 1)) * 2));
  const [words, keys]: [WrittenWord[], WordKey[]] = [[], []];
  const [numbers, keyNumbers] = [new Map<Language, ReturnType<typeof openNumbers>>(), new Map<string, number>()];
  const meanings: Meaning[] = [];

  function meaning({ written, language }: WrittenWord): Meaning {
    const form = ownPart(written).toLowerCase();
    const isPart = kindOfWord(form, language) === WORD_KIND.part || MISDECODED.test(written);
    // An adjective is no noun although they have one stem: "cooked" and "cook".
    const shape = `${isPart ? PART : ""}${keyOfForm(form, language)}`;
    const key = keyNumbers.getOrInsertComputed(shape, () => keys.push({ key: shape, isTheme: !isPart }) - 1);
    const isCapital = nameOf(language).test(written);
    const isKnown = isKnownWord(form, language);
    const isShouted = SHOUTED.test(written);
    return { key, rate: rateOf(form, language), isKnown, isCapital, isShouted, isTitled: isTitled(written, language) };
  }

  function openNumbers(language: Language) {
    const own = new Map<string, number>();
    return spellingMemo((written) => {
      return { first: own.getOrInsertComputed(written, () => words.push({ written, language }) - 1) };
    }, slots);
  }

  return {
    words,
    keys,
    numbersOf: (language) => numbers.getOrInsertComputed(language, openNumbers),
    languages: () => [...numbers.keys()],
    keyNamed: (key) => keyNumbers.get(key),
    meaningOf(word) {
      meanings[word] ??= meaning(words[word] as WrittenWord);
      return meanings[word];
    },
  };
}

/** A word without the "of" or the hyphen that is kept before it. */
export function withoutJoint(written: string): string {
  return written.slice(Math.max(written.indexOf(JOINT), written.indexOf(HYPHEN)) + 1);
}

/** The same, and an abbreviation without its plural, "ACs" as "AC". */
function ownPart(written: string): string {
  const own = withoutJoint(written);
  return /^(?:\p{Lu}[./]?){2,}['’]?s$/u.test(own) ? own.replace(/['’]?s$/u, "") : own;
}

/** What a noun that is derived from a verb begins with; undefined where a language has no rule. */
const derivedFrom = perLanguage(({ themes }) => (themes.derived === "" ? undefined : new RegExp(themes.derived, "u")));

/**
 * The stem of a lower-case word without accents and marks, and without the ending that makes a noun of a verb: "A/C" and
 * "ac", "café" and "cafe", "install" and "installation" have the same.
 */
export function keyOfForm(form: string, language: Language): string {
  const whole = stem(form.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ""), language);
  const derived = derivedFrom(language);
  const base = derived === undefined ? whole : whole.replace(derived, "$1");
  return /^[a-z0-9]*$/.test(base) ? base : normalForm(base, "NFD").replaceAll(/\p{M}/gu, "");
}
