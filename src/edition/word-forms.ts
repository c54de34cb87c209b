/** Word forms: the words of an edition's reviews that are inflections of a word, other words for the same, or spelt like it. */

import { type AskedSubject, askedSubjects } from "../insight/taxonomy/asked-subjects.ts";
import { opposites } from "../insight/taxonomy/opposites.ts";
import { type Language, languageNamed, READ_TAGS } from "../insight/text/language-words.ts";
import { isFunctionWord } from "../insight/text/phrase-cut.ts";
import { stemKeys } from "../insight/text/stem-keys.ts";
import { isKnownWord } from "../insight/theme/word-background.ts";
import { distance } from "../lib/nearest-name.ts";
import { foldCase } from "./case-folding.ts";
import type { ReviewIndex } from "./review-index.ts";
import type { Steps } from "./steps.ts";
import { eachTerm } from "./word-terms.ts";

/** Texts, or terms of the word index, that are read in one step, and the bytes of them. */
const [STEP_ITEMS, STEP_BYTES] = [1_024, 65_536];
/** Inflections begin as their word does: so many bytes of a term are compared before it is decoded. */
const PREFIX_BYTES = 2;

/** Words of reviews that may stand for another word. */
export interface HeldForms {
  /** Forms of it, or of a word for the same; by stem, then as they first occur. */
  readonly forms: readonly string[];
  /** Words that are spelt almost like it, one of which is no word that reviews usually have. It takes longer than the forms. */
  alike(): readonly string[];
}

/** For each word, what reviews hold that may stand for it. */
export function* formsOf(
  index: ReviewIndex,
  words: readonly string[],
  tags: readonly string[],
): Steps<readonly HeldForms[]> {
  const languages = READ_TAGS.filter((tag) => tag === "en" || tags.includes(tag)).map(languageNamed);
  const sought = words.map((word) => {
    const all = [foldCase(word), ...otherWordsFor(foldCase(word), languages)];
    return { all, keys: new Set(all.flatMap((one) => stemKeys(one, languages))) };
  });
  const prefixes = new Set(sought.flatMap(({ all }) => all.map((word) => prefixOf(Buffer.from(word), 0))));
  const terms = yield* termsBeginning(index, prefixes);
  const keyed = [...terms].map((term) => ({ term, keys: stemKeys(term, languages) }));
  return sought.map(({ keys, all: [word = ""] }) => {
    const others = keyed.filter(({ term }) => term !== word);
    const isForm = (own: readonly string[]) => own.some((key) => keys.has(key));
    return {
      forms: others.filter(({ keys: own }) => isForm(own)).map(({ term }) => term),
      alike: () =>
        others
          .filter(({ term, keys: own }) => !isForm(own) && isMisspelt(word, term, languages))
          .map(({ term }) => term),
    };
  });
}

/** Shorter words are too often spelt like others. */
const [MIN_LETTERS, MIN_LETTERS_OF_TWO] = [5, 8];

/** Whether one of two words is most likely the other, with one letter wrong, or two side by side of a long word. */
function isMisspelt(word: string, term: string, languages: readonly Language[]): boolean {
  const [shorter, longer] = [word.length, term.length].toSorted((a, b) => a - b) as [number, number];
  const most = shorter < MIN_LETTERS_OF_TWO ? 1 : 2;
  if (shorter < MIN_LETTERS || longer - shorter > most) return false;
  const isKnown = (one: string) => languages.some((language) => isKnownWord(one, language));
  if ((isKnown(word) && isKnown(term)) || distance(word, term) > most) return false;
  return sharedLetters(word, term) >= longer - most;
}

/** The letters at the beginning and at the end that two words share. */
function sharedLetters(one: string, other: string): number {
  const shortest = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < shortest && one[start] === other[start]) start++;
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return start + end;
}

/**
 * Single words for the same thing, from `taxonomies/asked-as.json`: those of a phrase that is the word, and those of a
 * thing that has the word in its name, such as "air" in "air conditioning". Words for an aspect are none: "drinks" and
 * "food" are asked of the same, and are two things. A phrase with function words, such as "how many guests", is a
 * question and no name.
 */
function otherWordsFor(word: string, languages: readonly Language[]): readonly string[] {
  if (languages.some((language) => isFunctionWord(word, language))) return [];
  const byKey = thingsByKey(languages);
  const things = new Set(stemKeys(word, languages).flatMap((key) => [...(byKey.get(key) ?? [])]));
  const opposite = oppositesOf(word, languages);
  return [...things]
    .flatMap((thing) => phrasesOf(thing, languages))
    .filter((phrase) => !phrase.includes(" ") && !opposite.includes(phrase));
}

/** The words for what a word denies: "small" of "big". */
function oppositesOf(word: string, languages: readonly Language[]): readonly string[] {
  return opposites().flatMap((property) =>
    languages.flatMap(({ tag }) => {
      const [one, other] = property[tag as keyof typeof property];
      return one.includes(word) ? other : other.includes(word) ? one : [];
    }),
  );
}

/** Subjects that are no aspect by each key of their words, for the languages read (their tags). */
const thingsFor = new Map<string, ReadonlyMap<string, ReadonlySet<AskedSubject>>>();

function thingsByKey(languages: readonly Language[]): ReadonlyMap<string, ReadonlySet<AskedSubject>> {
  return thingsFor.getOrInsertComputed(languages.map(({ tag }) => tag).join(), () => {
    const byKey = new Map<string, Set<AskedSubject>>();
    for (const subject of askedSubjects().filter(({ aspects }) => aspects.length === 0)) {
      const phrases = phrasesOf(subject, languages);
      const parts = phrases
        .map((phrase) => phrase.split(" "))
        .filter(isName)
        .flat();
      const names = [...phrases, ...parts];
      for (const key of names.flatMap((name) => stemKeys(name, languages)))
        byKey.getOrInsertComputed(key, () => new Set()).add(subject);
    }
    return byKey;
  });
}

function isName(words: readonly string[]): boolean {
  return !words.some((word) => READ_TAGS.some((tag) => isFunctionWord(word, languageNamed(tag))));
}

function phrasesOf({ words }: AskedSubject, languages: readonly Language[]): string[] {
  return languages.flatMap(({ tag }) => words[tag as keyof AskedSubject["words"]]);
}

/** The different terms of all texts that begin with one of the prefixes. */
function* termsBeginning({ count, words, wordStarts, wordIndex }: ReviewIndex, prefixes: ReadonlySet<number>) {
  const found = new Set<string>();
  const [bytes, starts, items] =
    wordIndex === undefined
      ? [words, wordStarts, count]
      : [wordIndex.terms, wordIndex.termStarts, wordIndex.termStarts.length - 1];
  const decoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const add = (start: number, end: number) => {
    if (prefixes.has(prefixOf(bytes, start))) found.add(decoded.toString("utf8", start, end));
  };
  for (let item = 0, read = 0; item < items; item++) {
    const [start, end] = [starts[item] as number, starts[item + 1] as number];
    eachTerm(bytes, start, end, add);
    read += end - start;
    if (read < STEP_BYTES && item % STEP_ITEMS !== STEP_ITEMS - 1) continue;
    read = 0;
    yield;
  }
  return found;
}

function prefixOf(bytes: Uint8Array, start: number): number {
  let prefix = 0;
  for (let at = start; at < start + PREFIX_BYTES; at++) prefix = prefix * 256 + (bytes[at] ?? 0);
  return prefix;
}
