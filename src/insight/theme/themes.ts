/**
 * Themes: words and phrases that this business's reviews use clearly more than reviews do in general. They are found in
 * the reviews themselves, in any trade (contract §10).
 */

import type { BusinessFile } from "../../business.ts";
import { normalForm } from "../../lib/normal-form.ts";
import { tokenise } from "../text/tokens.ts";
import { linkOf, type ThemeColumns, type WrittenThemeColumns, wordOf } from "./theme-columns.ts";
import {
  type Candidate,
  type CandidateFinder,
  candidateFinder,
  countKeys,
  countPairs,
  type FrequentWords,
  frequentPairs,
  type KeyCounts,
  type Naming,
  NO_KEY,
  nameReviews,
  type PairCounts,
  type Terms,
  termsOf,
  withCopied,
} from "./theme-counts.ts";
import { keyOfForm, type ThemeVocabulary, type WordKey, type WrittenWord, withoutJoint } from "./theme-vocabulary.ts";
import { HYPHEN, JOINT, LINK } from "./theme-words.ts";

export interface Theme extends Naming {
  /** Slug of the label. */
  readonly id: string;
  /** As most customers write it. */
  readonly label: string;
}

/** Themes, and what of them the next edition is counted from. */
export interface FoundThemes {
  /** The most frequent first. */
  readonly themes: readonly Theme[];
  readonly columns: ThemeColumns;
  readonly words: FrequentWords;
  readonly keyCounts: KeyCounts;
  readonly pairCounts: PairCounts;
  /** By `nameOf`. */
  readonly labelled: ReadonlyMap<string, Labelled>;
}

/** The reviews that name a candidate, and how most of them write it. */
type Labelled = Naming & { readonly label: string };

const MAX_THEMES = 20;
/** The fewest reviews that name a theme, and their smallest share of those with words that were read. */
const [MIN_REVIEWS, MIN_SHARE] = [3, 0.02];
/** How many times as often as in reviews in general a theme is named, and how sure that is (log-likelihood ratio). */
const [MIN_RATIO, MIN_LIKELIHOOD] = [3, 10.83];
/** The most frequent keys are paired; a phrase is one if it has this share of the reviews with its rarer word. */
const [MAX_PAIRED, MIN_BOUND] = [200, 0.3];
/** Up to this share of reviews in which a word is named outside of a phrase, the phrase stands for it. */
const MAX_ALONE = 0.5;
/** From this share of capitals within sentences on, a known word is a name, and one that is in no list. */
const [MIN_CAPITALS, MIN_CAPITALS_IF_UNKNOWN] = [0.65, 0.3];
/** From this share of occurrences after a title on, a word is a name: others call "Mr Weber" "Weber". */
const MIN_TITLED = 0.1;

/**
 * Finds the themes. `texts` is the number of reviews whose words were read. What was counted for the `last` edition is
 * kept as far as it asked for the same words: what is found is the same as from nothing.
 */
export function findThemes(
  written: WrittenThemeColumns,
  texts: number,
  business: BusinessFile,
  last?: FoundThemes,
): FoundThemes {
  const { columns } = written;
  const { vocabulary } = columns;
  const least = Math.max(MIN_REVIEWS, Math.ceil(texts * MIN_SHARE));
  const before = last?.columns.vocabulary === vocabulary ? last : undefined;
  const terms = termsOf(written, before?.columns);
  const words = frequentWords(columns, least);
  const kept = before !== undefined && terms.changed !== undefined && isStill(before.words, words) ? before : undefined;
  const changed = (isKept: boolean) => (isKept ? terms.changed : undefined) ?? terms.all;
  const keyCounts = countKeys(changed(kept !== undefined), words, kept?.keyCounts);
  const { reviews } = keyCounts;
  const excluded = excludedKeys(business, vocabulary);
  const isName = nameTest(keyCounts, words, vocabulary);
  const frequent = words.keys
    .filter((key) => (reviews[key] as number) >= least && !excluded.names.has(key) && !isName(key))
    .sort((a, b) => (reviews[b] as number) - (reviews[a] as number) || compare(vocabulary, a, b))
    .slice(0, MAX_PAIRED);
  const single = frequent
    .filter((key) => (vocabulary.keys[key] as WordKey).isTheme && !excluded.business.has(key))
    .map((key): Candidate => ({ keys: [key], link: LINK.apart, count: reviews[key] as number }));
  const paired = frequent.toSorted((a, b) => a - b);
  const keptPairs = kept?.pairCounts.keys.join() === paired.join() ? kept : undefined;
  const pairCounts = countPairs(changed(keptPairs !== undefined), words, {
    keys: paired,
    reviews: keptPairs?.pairCounts.reviews,
  });
  const phrases = frequentPairs(pairCounts, least).filter(({ keys, count }) => {
    const parts = keys.map((key) => reviews[key] as number);
    if (keys.every((key) => excluded.business.has(key) || !(vocabulary.keys[key] as WordKey).isTheme)) return false;
    return count >= MIN_BOUND * Math.min(...parts);
  });
  const rateOf = rates(words, vocabulary);
  const isClear = ({ keys, count }: Candidate) =>
    isMoreFrequent(count, texts, Math.min(...keys.map((key) => rateOf.get(key) ?? 0)) / keys.length);
  const named = apart(single.filter(isClear), inOrder(phrases.filter(isClear), frequent), partnersIn(pairCounts));
  const labelled = findNaming(columns, { terms, words, named, last: kept?.labelled });
  const ids = new Set<string>();
  const themes = [...labelled.values()]
    .map((one): Theme => ({ id: slugOf(one.label), ...one }))
    .sort((a, b) => b.positions.length - a.positions.length || (a.id < b.id ? -1 : 1))
    .filter(({ id }) => id !== "" && !ids.has(id) && ids.add(id))
    .slice(0, MAX_THEMES);
  return { themes, columns, words, keyCounts, pairCounts, labelled };
}

/** Whether words of the last edition have the same keys. Those that are new occur in new reviews alone. */
function isStill({ keyOf: last }: FrequentWords, { keyOf }: FrequentWords): boolean {
  for (let word = 0; word < last.length; word++) if (last[word] !== keyOf[word]) return false;
  return true;
}

/** From this number of words on, those that occur once in all reviews are left out: nearly all are misspelt or names. */
const MIN_WORDS_WITHOUT_SINGLE = 5_000;

/** The words of keys that occur `least` times. */
function frequentWords({ occurrences, vocabulary }: ThemeColumns, least: number): FrequentWords {
  let found = 0;
  for (let word = 0; word < occurrences.length; word++) if ((occurrences[word] as number) > 0) found++;
  const fewest = found < MIN_WORDS_WITHOUT_SINGLE ? 1 : 2;
  const recurring: number[] = [];
  for (let word = 0; word < occurrences.length; word++) {
    if ((occurrences[word] as number) >= fewest) recurring.push(word);
  }
  const keyOf = new Int32Array(occurrences.length).fill(NO_KEY);
  for (const word of recurring) keyOf[word] = vocabulary.meaningOf(word).key;
  const counts = new Int32Array(vocabulary.keys.length);
  for (const word of recurring) (counts[keyOf[word] as number] as number) += occurrences[word] as number;
  const words: number[] = [];
  for (const word of recurring) {
    if ((counts[keyOf[word] as number] as number) >= least) words.push(word);
    else keyOf[word] = NO_KEY;
  }
  return { words, keys: [...new Set(words.map((word) => keyOf[word] as number))], keyOf };
}

/** The share of reviews in general that have the most frequent word of each key. */
function rates({ words, keyOf }: FrequentWords, vocabulary: ThemeVocabulary): Map<number, number> {
  const shares = new Map<number, number>();
  for (const word of words) {
    const key = keyOf[word] as number;
    shares.set(key, Math.max(shares.get(key) ?? 0, vocabulary.meaningOf(word).rate));
  }
  return shares;
}

/**
 * What tells whether a key is written as names are, or has no word of the background's table and only begins sentences,
 * where every word has a capital.
 */
function nameTest(
  { within, capital, shouted, titled }: KeyCounts,
  { words, keyOf }: FrequentWords,
  vocabulary: ThemeVocabulary,
): (key: number) => boolean {
  const known = new Set(
    words.filter((word) => vocabulary.meaningOf(word).isKnown).map((word) => keyOf[word] as number),
  );
  return (key) => {
    const all = within[key] as number;
    if (!known.has(key) && all === 0) return true;
    const isOften = (count: number, least: number) => count > 0 && count >= least;
    const capitals = known.has(key) ? MIN_CAPITALS * (all - (shouted[key] as number)) : MIN_CAPITALS_IF_UNKNOWN * all;
    return isOften(titled[key] as number, MIN_TITLED * all) || isOften(capital[key] as number, capitals);
  };
}

/** Keys of the business's own name, and those of the names of its people and places. */
function excludedKeys(business: BusinessFile, vocabulary: ThemeVocabulary) {
  const languages = vocabulary.languages();
  const keysOf = (names: readonly (string | undefined)[]) =>
    new Set(
      languages.flatMap((language) =>
        names
          .flatMap((name) => tokenise(name ?? "", language).forms)
          .flatMap((form) => vocabulary.keyNamed(keyOfForm(form, language)) ?? []),
      ),
    );
  const { address, technicians, service_areas } = business;
  return {
    business: keysOf([business.name, business.legal_name, initialsOf(business.name)]),
    names: keysOf([
      ...technicians.flatMap(({ name, aliases }) => [name, ...aliases]),
      ...service_areas.flatMap(({ label, aliases }) => [label, ...aliases]),
      ...Object.values(address ?? {}),
    ]),
  };
}

/** What customers may shorten a name to: "BHS" for "Best Home Services". */
function initialsOf(name: string): string {
  return name.replaceAll(/(\p{L})[\p{L}\p{M}\p{N}'’]*|./gu, "$1");
}

/** Whether `count` of `texts` is clearly more than a share of `rate`: many times as much, and not by chance. */
function isMoreFrequent(count: number, texts: number, rate: number): boolean {
  const expected = rate * texts;
  if (count < MIN_RATIO * expected) return false;
  const others = texts - count;
  const likelihood =
    count * Math.log(count / expected) + (others === 0 ? 0 : others * Math.log(others / (texts - expected)));
  return 2 * likelihood >= MIN_LIKELIHOOD;
}

/** What gives the number of reviews in which two keys follow each other. */
type Partners = (one: number, other: number) => number;

function partnersIn({ keys, reviews }: PairCounts): Partners {
  const placeOf = new Map(keys.map((key, place) => [key, place]));
  const size = keys.length;
  return (one, other) => {
    const [head, part] = [placeOf.get(one), placeOf.get(other)];
    if (head === undefined || part === undefined) return 0;
    return (reviews[part * size + head] as number) + (reviews[(size + head) * size + part] as number);
  };
}

/**
 * The candidates of which none is a part of another. A phrase stands for words that are mostly named in it; where one of
 * them is named more by itself, it stands for the phrase and for the other one: "cake" for "carrot cake" and "carrot".
 * A word that is mostly named beside several others is a part of what these name: "space" of "parking space" and "dining
 * space".
 */
function apart(words: readonly Candidate[], phrases: readonly Candidate[], partners: Partners): Candidate[] {
  const chosen: Candidate[] = [];
  const taken = new Set<number>();
  const countOf = new Map(words.map(({ keys: [key = NO_KEY], count }) => [key, count]));
  for (const { keys, count, link } of phrases) {
    if (keys.some((key) => taken.has(key))) continue;
    const bound = keys.filter((key) => count >= (countOf.get(key) ?? 0) * (1 - MAX_ALONE));
    for (const key of bound) taken.add(key);
    if (bound.length === keys.length) chosen.push({ keys, count, link });
  }
  const alone = words.filter(({ keys: [key = NO_KEY] }) => !taken.has(key));
  for (const {
    keys: [key = NO_KEY],
    count,
  } of alone.toReversed()) {
    const others = alone.filter(({ keys: [other = NO_KEY] }) => other !== key && !taken.has(other));
    const beside = others.reduce((sum, { keys: [other = NO_KEY] }) => sum + partners(key, other), 0);
    if (beside >= count * (1 - MAX_ALONE)) taken.add(key);
  }
  return [...chosen, ...alone.filter(({ keys: [key = NO_KEY] }) => !taken.has(key))];
}

/** Phrases, the most frequent first, then in the order of their keys. */
function inOrder(phrases: readonly Candidate[], frequent: readonly number[]): Candidate[] {
  const rankOf = new Map(frequent.map((key, rank) => [key, rank]));
  const rank = ({ keys, link }: Candidate) =>
    [link === LINK.of ? 1 : 0, ...keys.map((key) => rankOf.get(key) ?? 0)].reduce((sum, one) => sum * MAX_PAIRED + one);
  return phrases.toSorted((a, b) => b.count - a.count || rank(a) - rank(b));
}

const nameOf = ({ keys, link }: Candidate): string => [...keys, link].join();

interface NamingSources {
  readonly terms: Terms;
  readonly words: FrequentWords;
  readonly named: readonly Candidate[];
  /** Those of the last edition, if its words had the same keys. */
  readonly last: FoundThemes["labelled"] | undefined;
}

/** The reviews that name each candidate; from those of the last edition if it had the same candidates. */
function findNaming(columns: ThemeColumns, { terms, words, named, last }: NamingSources): FoundThemes["labelled"] {
  const find = candidateFinder(named, words, columns.vocabulary);
  const isSame = last !== undefined && last.size === named.length && named.every((one) => last.has(nameOf(one)));
  const found = nameReviews((isSame ? terms.changed : undefined) ?? terms.all, find, named.length);
  return new Map(
    named.map((candidate, index): [string, Labelled] => {
      const [name, own] = [nameOf(candidate), found[index] as Naming];
      const before = isSame ? last.get(name) : undefined;
      const naming = before === undefined ? own : withCopied(before, own, terms.copies);
      const isUnchanged = own.positions.length === 0 && before?.positions.length === naming.positions.length;
      const label = isUnchanged ? before.label : labelOf(columns, naming.positions, { find, index, candidate });
      return [name, { ...naming, label }];
    }),
  );
}

/** The newest reviews that say how a theme is written. */
const MAX_SPELLED = 500;

/** How most of the newest reviews that name a candidate write it where they first do. */
function labelOf(
  columns: ThemeColumns,
  positions: Uint32Array,
  { find, index, candidate }: { readonly find: CandidateFinder; readonly index: number; readonly candidate: Candidate },
): string {
  const { entries, starts, vocabulary } = columns;
  const spellings = new Map<number, number>();
  for (const position of positions.subarray(0, MAX_SPELLED)) {
    const end = starts[position + 1] as number;
    let at = starts[position] as number;
    while (at < end && find(columns, at, end) !== index) at++;
    if (at === end) continue; // no review that names it is without it
    const entry = entries[at] as number;
    const second = candidate.keys.length === 2 ? wordOf(entries[at + 1] as number) + 1 : 0;
    const isOpening = linkOf(entry) === LINK.opening ? 1 : 0;
    const spelling = (second * vocabulary.words.length + wordOf(entry)) * 2 + isOpening;
    spellings.set(spelling, (spellings.get(spelling) ?? 0) + 1);
  }
  const [within, begun] = [new Map<string, number>(), new Map<string, number>()];
  for (const [spelling, count] of spellings) {
    const label = spellingOf(vocabulary, spelling);
    const counts = isBegun(vocabulary, spelling) ? begun : within;
    counts.set(label, (counts.get(label) ?? 0) + count);
  }
  // The first word of a sentence has a capital in any case: “Ac” may be “AC” or “ac”.
  const begunAs = (label: string) => (within.has(label.toUpperCase()) ? 0 : (begun.get(label) ?? 0));
  const [[label] = [""]] = [...(within.size === 0 ? begun : within)]
    .map(([each, count]) => [each, within.size === 0 ? count : count + begunAs(each)] as const)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return label;
}

/** Whether a spelling's capital letter is that of a sentence which it begins, and not its own, as an abbreviation's is. */
function isBegun({ words, meaningOf }: ThemeVocabulary, spelling: number): boolean {
  const word = Math.floor(spelling / 2) % words.length;
  return spelling % 2 === 1 && meaningOf(word).isCapital && !/^.\p{Lu}/u.test((words[word] as WrittenWord).written);
}

/** How a theme is written: the number of its first word and, one more, that of a second, and whether it opens a sentence. */
function spellingOf(vocabulary: ThemeVocabulary, spelling: number): string {
  const { words } = vocabulary;
  const both = Math.floor(spelling / 2);
  const written = withoutJoint((words[both % words.length] as WrittenWord).written);
  const first = isBegun(vocabulary, spelling) ? written.charAt(0).toLowerCase() + written.slice(1) : written;
  const second = Math.floor(both / words.length) - 1;
  if (second < 0) return first;
  const last = (words[second] as WrittenWord).written;
  if (last.startsWith(HYPHEN)) return `${first}-${last.slice(1)}`;
  return `${first} ${last.replace(`’${JOINT}`, "’").replace(`'${JOINT}`, "'").replace(JOINT, " ")}`;
}

function slugOf(label: string): string {
  const plain = normalForm(label, "NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
}

function compare({ keys }: ThemeVocabulary, a: number, b: number): number {
  return (keys[a] as WordKey).key < (keys[b] as WordKey).key ? -1 : 1;
}
