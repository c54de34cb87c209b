/**
 * Themes: words and phrases that this business's reviews use clearly more than reviews do in general. They are found in
 * the reviews themselves, in any trade (contract §10).
 */
import type { BusinessFile } from "../../business.ts";
import { languageNamed, READ_TAGS } from "../text/language-words.ts";
import { tokenise } from "../text/tokens.ts";
import { linkOf, type ThemeColumns, toneIn, wordOf } from "./theme-columns.ts";
import { keyOfWord, type ThemeVocabulary, type WordKey, type WrittenWord } from "./theme-vocabulary.ts";
import { JOINT, LINK, TONE } from "./theme-words.ts";

export interface Theme {
  /** Slug of the label. */
  readonly id: string;
  /** As most customers write it. */
  readonly label: string;
  /** The reviews that name it, newest first. */
  readonly positions: Uint32Array;
  /** How many of them praise or criticise it where they name it. */
  readonly praised: number;
  readonly criticised: number;
}

const MAX_THEMES = 20;
/** The fewest reviews that name a theme, and their smallest share of those with words that were read. */
const [MIN_REVIEWS, MIN_SHARE] = [3, 0.02];
/** How many times as often as in reviews in general a theme is named, and how sure that is (log-likelihood ratio). */
const [MIN_RATIO, MIN_LIKELIHOOD] = [3, 10.83];
/** The most frequent keys are paired; a phrase is one if it has this share of the reviews with its rarer word. */
const [MAX_PAIRED, MIN_BOUND] = [400, 0.3];
/** Up to this share of reviews in which a word is named outside of a phrase, the phrase stands for it. */
const MAX_ALONE = 0.5;
/** From this share of capitals within sentences on, a word is a name. */
const MIN_CAPITALS = 0.8;

/** A word or phrase by the numbers of its keys. */
interface Candidate {
  readonly keys: readonly number[];
  /** How the second key follows the first. */
  readonly link: number;
  readonly count: number;
}

/** Finds the themes, the most frequent first. `texts` is the number of reviews whose words were read. */
export function findThemes(columns: ThemeColumns, texts: number, business: BusinessFile): Theme[] {
  const { vocabulary } = columns;
  const counts = countKeys(columns);
  const least = Math.max(MIN_REVIEWS, Math.ceil(texts * MIN_SHARE));
  const excluded = excludedKeys(business, vocabulary);
  const isName = (key: number) => excluded.names.has(key) || isWrittenAsName(counts, key);
  const frequent = Array.from(vocabulary.keys.keys())
    .filter((key) => (counts.reviews[key] as number) >= least && !isName(key))
    .sort((a, b) => (counts.reviews[b] as number) - (counts.reviews[a] as number) || compare(vocabulary, a, b))
    .slice(0, MAX_PAIRED);
  const words = frequent
    .filter((key) => (vocabulary.keys[key] as WordKey).isTheme && !excluded.business.has(key))
    .map((key): Candidate => ({ keys: [key], link: LINK.apart, count: counts.reviews[key] as number }));
  const phrases = countPairs(columns, frequent).filter(({ keys, count }) => {
    const parts = keys.map((key) => counts.reviews[key] as number);
    if (keys.every((key) => excluded.business.has(key))) return false;
    return count >= least && count >= MIN_BOUND * Math.min(...parts);
  });
  const isClear = ({ keys, count }: Candidate) =>
    isMoreFrequent(count, texts, Math.min(...keys.map((key) => (vocabulary.keys[key] as WordKey).rate)) / keys.length);
  const named = apart(words.filter(isClear), phrases.filter(isClear));
  return located(columns, named).slice(0, MAX_THEMES);
}

interface KeyCounts {
  /** The number of reviews with each key. */
  readonly reviews: Int32Array;
  /** How often each occurs within sentences, and how often with a capital there. */
  readonly within: Int32Array;
  readonly capital: Int32Array;
}

function countKeys({ count, entries, starts, vocabulary: { words, keys } }: ThemeColumns): KeyCounts {
  const [reviews, within, capital] = [0, 0, 0].map(() => new Int32Array(keys.length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const seen = new Int32Array(keys.length).fill(-1);
  const keyOf = Int32Array.from(words, ({ key }) => key);
  const isCapital = Uint8Array.from(words, (word) => (word.isCapital ? 1 : 0));
  for (let position = 0; position < count; position++) {
    for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
      const entry = entries[at] as number;
      const word = wordOf(entry);
      const key = keyOf[word] as number;
      if (linkOf(entry) !== LINK.opening) {
        (within[key] as number)++;
        (capital[key] as number) += isCapital[word] as number;
      }
      if (seen[key] === position) continue;
      seen[key] = position;
      (reviews[key] as number)++;
    }
  }
  return { reviews, within, capital };
}

function isWrittenAsName({ within, capital }: KeyCounts, key: number): boolean {
  return (capital[key] as number) > 0 && (capital[key] as number) >= MIN_CAPITALS * (within[key] as number);
}

/** Keys of the business's own name, and those of the names of its people and places. */
function excludedKeys(business: BusinessFile, { keys }: ThemeVocabulary) {
  const numbers = new Map(keys.map(({ key }, number) => [key, number]));
  const keysOf = (names: readonly (string | undefined)[]) =>
    new Set(
      READ_TAGS.map(languageNamed).flatMap((language) =>
        names
          .flatMap((name) => tokenise(name ?? "", language).forms)
          .flatMap((form) => numbers.get(keyOfWord(form, language)) ?? []),
      ),
    );
  const { address, technicians, service_areas } = business;
  return {
    business: keysOf([business.name, business.legal_name]),
    names: keysOf([
      ...technicians.flatMap(({ name, aliases }) => [name, ...aliases]),
      ...service_areas.flatMap(({ label, aliases }) => [label, ...aliases]),
      ...[address?.locality, address?.region, address?.street],
    ]),
  };
}

/** The pairs of keys of which the second follows the first, by the number of reviews with each. */
function countPairs({ count, entries, starts, vocabulary }: ThemeColumns, frequent: readonly number[]): Candidate[] {
  const places = new Int32Array(vocabulary.keys.length).fill(-1);
  for (const [place, key] of frequent.entries()) places[key] = place;
  const placeOf = Int32Array.from(vocabulary.words, ({ key }) => places[key] as number);
  const size = frequent.length;
  const [reviews, seen] = [new Int32Array(2 * size * size), new Int32Array(2 * size * size).fill(-1)];
  for (let position = 0; position < count; position++) {
    let before = -1;
    for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
      const entry = entries[at] as number;
      const place = placeOf[wordOf(entry)] as number;
      const link = linkOf(entry);
      const isLinked = before >= 0 && place >= 0 && place !== before && (link === LINK.adjacent || link === LINK.of);
      const pair = ((link === LINK.of ? size : 0) + before) * size + place;
      before = place;
      if (!isLinked || seen[pair] === position) continue;
      seen[pair] = position;
      (reviews[pair] as number)++;
    }
  }
  const pairs: Candidate[] = [];
  for (const [pair, count] of reviews.entries()) {
    if (count < MIN_REVIEWS) continue;
    const [row, second] = [Math.floor(pair / size), pair % size];
    const keys = [frequent[row % size] as number, frequent[second] as number];
    pairs.push({ keys, link: row < size ? LINK.adjacent : LINK.of, count });
  }
  return pairs;
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

/** The candidates of which none is a part of another: a phrase, or the words in it, whichever is named more by itself. */
function apart(words: readonly Candidate[], phrases: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  const taken = new Set<number>();
  const countOf = new Map(words.map(({ keys: [key = -1], count }) => [key, count]));
  for (const phrase of phrases.toSorted((a, b) => b.count - a.count)) {
    const isWhole = phrase.keys.every((key) => phrase.count >= (countOf.get(key) ?? 0) * (1 - MAX_ALONE));
    if (!isWhole || phrase.keys.some((key) => taken.has(key))) continue;
    chosen.push(phrase);
    for (const key of phrase.keys) taken.add(key);
  }
  return [...chosen, ...words.filter(({ keys: [key = -1] }) => !taken.has(key))];
}

/** A theme while its reviews are looked up. */
interface Located {
  readonly positions: number[];
  readonly spellings: Map<string, number>;
  praised: number;
  criticised: number;
  /** Whether the review at the last position has judged it. */
  isJudged: boolean;
}

function located({ count, entries, starts, vocabulary }: ThemeColumns, named: readonly Candidate[]): Theme[] {
  const size = vocabulary.keys.length;
  const [alone, pairs] = [new Int32Array(size).fill(-1), new Map<number, number>()];
  const found = named.map(({ keys: [first = 0, second], link }, index): Located => {
    if (second === undefined) alone[first] = index;
    else pairs.set((first * 4 + link) * size + second, index);
    return { positions: [], spellings: new Map(), praised: 0, criticised: 0, isJudged: false };
  });
  const opens = new Uint8Array(size);
  for (const {
    keys: [first = 0, second],
  } of named)
    if (second !== undefined) opens[first] = 1;
  const themeOf = Int32Array.from(vocabulary.words, ({ key }) => alone[key] as number);
  for (let position = 0; position < count; position++) {
    for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
      const entry = entries[at] as number;
      const word = wordOf(entry);
      let index = themeOf[word] as number;
      let next = -1;
      const { key } = vocabulary.words[word] as WrittenWord;
      if (opens[key] === 1 && at + 1 < end) {
        next = entries[at + 1] as number;
        const { key: second } = vocabulary.words[wordOf(next)] as WrittenWord;
        index = pairs.get((key * 4 + linkOf(next)) * size + second) ?? index;
      }
      if (index < 0) continue;
      const theme = found[index] as Located;
      if (theme.positions.at(-1) !== position) {
        theme.positions.push(position);
        theme.isJudged = false;
        const spelling = spellingOf(vocabulary, entry, pairs.size > 0 && named[index]?.keys.length === 2 ? next : -1);
        theme.spellings.set(spelling, (theme.spellings.get(spelling) ?? 0) + 1);
      }
      const tone = toneIn(entry);
      if (tone === TONE.neutral || theme.isJudged) continue;
      theme.isJudged = true;
      if (tone === TONE.praise) theme.praised++;
      else theme.criticised++;
    }
  }
  const themes = found.map(({ positions, spellings, praised, criticised }): Theme => {
    const [label = ""] = [...spellings].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0] ?? [];
    return { id: slugOf(label), label, positions: Uint32Array.from(positions), praised, criticised };
  });
  themes.sort((a, b) => b.positions.length - a.positions.length || (a.id < b.id ? -1 : 1));
  const ids = new Set<string>();
  return themes.filter(({ id }) => id !== "" && !ids.has(id) && ids.add(id));
}

/** How a theme is written where `entry` begins it; `next` is the second word of a phrase. */
function spellingOf({ words }: ThemeVocabulary, entry: number, next: number): string {
  const { written, isCapital } = words[wordOf(entry)] as WrittenWord;
  // The first word of a sentence has a capital letter that is not its own.
  const first =
    linkOf(entry) === LINK.opening && isCapital ? written.charAt(0).toLowerCase() + written.slice(1) : written;
  if (next < 0) return first;
  const second = (words[wordOf(next)] as WrittenWord).written;
  return `${first} ${second.replace(`’${JOINT}`, "’").replace(`'${JOINT}`, "'").replace(JOINT, " ")}`;
}

function slugOf(label: string): string {
  const plain = label.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
}

function compare({ keys }: ThemeVocabulary, a: number, b: number): number {
  return (keys[a] as WordKey).key < (keys[b] as WordKey).key ? -1 : 1;
}
