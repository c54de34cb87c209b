/**
 * Themes: words and phrases that this business's reviews use clearly more than reviews do in general. They are found in
 * the reviews themselves, in any trade (contract §10).
 */
import type { BusinessFile } from "../../business.ts";
import { tokenise } from "../text/tokens.ts";
import { linkOf, type ThemeColumns, toneIn, wordOf } from "./theme-columns.ts";
import { keyOfForm, type ThemeVocabulary, type WordKey, type WrittenWord } from "./theme-vocabulary.ts";
import { HYPHEN, JOINT, LINK, TONE } from "./theme-words.ts";

export interface Theme {
  /** Slug of the label. */
  readonly id: string;
  /** As most customers write it. */
  readonly label: string;
  /** The reviews that name it, newest first. */
  readonly positions: Uint32Array;
  /** Those of them that praise it where they name it, and those that criticise it. */
  readonly praising: readonly number[];
  readonly criticising: readonly number[];
}

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
const [MIN_CAPITALS, MIN_CAPITALS_IF_UNKNOWN] = [0.8, 0.3];
/** From this share of occurrences after a title on, a word is a name: others call "Mr Weber" "Weber". */
const MIN_TITLED = 0.1;

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
  const least = Math.max(MIN_REVIEWS, Math.ceil(texts * MIN_SHARE));
  const candidates = frequentWords(columns, least);
  const counts = countKeys(columns, candidates);
  const excluded = excludedKeys(business, vocabulary);
  const isName = (key: number) => excluded.names.has(key) || isWrittenAsName(counts, key);
  const frequent = candidates.keys
    .filter((key) => (counts.reviews[key] as number) >= least && !isName(key))
    .sort((a, b) => (counts.reviews[b] as number) - (counts.reviews[a] as number) || compare(vocabulary, a, b))
    .slice(0, MAX_PAIRED);
  const words = frequent
    .filter((key) => (vocabulary.keys[key] as WordKey).isTheme && !excluded.business.has(key))
    .map((key): Candidate => ({ keys: [key], link: LINK.apart, count: counts.reviews[key] as number }));
  const phrases = countPairs(columns, candidates, frequent).filter(({ keys, count }) => {
    const parts = keys.map((key) => counts.reviews[key] as number);
    if (keys.every((key) => excluded.business.has(key) || !(vocabulary.keys[key] as WordKey).isTheme)) return false;
    return count >= least && count >= MIN_BOUND * Math.min(...parts);
  });
  const isClear = ({ keys, count }: Candidate) =>
    isMoreFrequent(count, texts, Math.min(...keys.map((key) => counts.rates[key] as number)) / keys.length);
  const named = apart(words.filter(isClear), phrases.filter(isClear));
  return located(columns, candidates, named).slice(0, MAX_THEMES);
}

/** From so many words on, those that occur once in all reviews are left out: nearly all are misspelt or names. */
const MIN_WORDS_WITHOUT_SINGLE = 5_000;
const NO_KEY = -1;

/** The words that may be in themes, and their keys. */
interface FrequentWords {
  readonly words: readonly number[];
  readonly keys: readonly number[];
  /** Of each word of the vocabulary the number of its key; `NO_KEY` if it is not frequent. */
  readonly keyOf: Int32Array;
}

/** The words of keys that occur `least` times. */
function frequentWords({ entries, vocabulary }: ThemeColumns, least: number): FrequentWords {
  const counts = new Int32Array(vocabulary.words.length);
  const found: number[] = [];
  for (let at = 0; at < entries.length; at++) {
    const word = wordOf(entries[at] as number);
    if (counts[word] === 0) found.push(word);
    (counts[word] as number)++;
  }
  const fewest = found.length < MIN_WORDS_WITHOUT_SINGLE ? 1 : 2;
  const occurrences = new Map<number, number>();
  const recurring = found.filter((word) => (counts[word] as number) >= fewest);
  for (const word of recurring) {
    const { key } = vocabulary.meaningOf(word);
    occurrences.set(key, (occurrences.get(key) ?? 0) + (counts[word] as number));
  }
  const keyOf = new Int32Array(vocabulary.words.length).fill(NO_KEY);
  const words = recurring.filter((word) => (occurrences.get(vocabulary.meaningOf(word).key) ?? 0) >= least);
  for (const word of words) keyOf[word] = vocabulary.meaningOf(word).key;
  return { words, keys: [...occurrences].flatMap(([key, count]) => (count >= least ? [key] : [])), keyOf };
}

/** Of each key: */
interface KeyCounts {
  /** The number of reviews that have it. */
  readonly reviews: Int32Array;
  /** How often it occurs within sentences, and how often with a capital there. */
  readonly within: Int32Array;
  readonly capital: Int32Array;
  /** How often it follows a title. */
  readonly titled: Int32Array;
  /** The share of reviews in general that have the most frequent of its words, and whether one is in the table. */
  readonly rates: Float64Array;
  readonly isKnown: Uint8Array;
}

function countKeys({ count, entries, starts, vocabulary }: ThemeColumns, { words, keyOf }: FrequentWords): KeyCounts {
  const { keys } = vocabulary;
  const [reviews, within, capital, titled] = [
    new Int32Array(keys.length),
    new Int32Array(keys.length),
    new Int32Array(keys.length),
    new Int32Array(keys.length),
  ];
  const [rates, isKnown, isCapital, isAfterTitle] = [
    new Float64Array(keys.length),
    new Uint8Array(keys.length),
    new Uint8Array(keyOf.length),
    new Uint8Array(keyOf.length),
  ];
  for (const word of words) {
    const meaning = vocabulary.meaningOf(word);
    const { key } = meaning;
    rates[key] = Math.max(rates[key] as number, meaning.rate);
    if (meaning.isKnown) isKnown[key] = 1;
    if (meaning.isCapital) isCapital[word] = 1;
    if (meaning.isTitled) isAfterTitle[word] = 1;
  }
  const seen = new Int32Array(keys.length).fill(-1);
  for (let position = 0; position < count; position++) {
    for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
      const entry = entries[at] as number;
      const word = wordOf(entry);
      const key = keyOf[word] as number;
      if (key === NO_KEY) continue;
      if (linkOf(entry) !== LINK.opening) {
        (within[key] as number)++;
        (capital[key] as number) += isCapital[word] as number;
        (titled[key] as number) += isAfterTitle[word] as number;
      }
      if (seen[key] === position) continue;
      seen[key] = position;
      (reviews[key] as number)++;
    }
  }
  return { reviews, within, capital, titled, rates, isKnown };
}

/** Whether a key is written as names are, or is unknown and only begins sentences, where every word has a capital. */
function isWrittenAsName({ within, capital, titled, isKnown }: KeyCounts, key: number): boolean {
  const all = within[key] as number;
  if (isKnown[key] === 0 && all === 0) return true;
  const isOften = (count: number, share: number) => count > 0 && count >= share * all;
  const least = isKnown[key] === 1 ? MIN_CAPITALS : MIN_CAPITALS_IF_UNKNOWN;
  return isOften(titled[key] as number, MIN_TITLED) || isOften(capital[key] as number, least);
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
    business: keysOf([business.name, business.legal_name]),
    names: keysOf([
      ...technicians.flatMap(({ name, aliases }) => [name, ...aliases]),
      ...service_areas.flatMap(({ label, aliases }) => [label, ...aliases]),
      ...[address?.locality, address?.region, address?.street],
    ]),
  };
}

/** The pairs of keys of which the second follows the first, by the number of reviews with each. */
function countPairs(
  { count, entries, starts }: ThemeColumns,
  { words, keyOf }: FrequentWords,
  frequent: readonly number[],
): Candidate[] {
  const places = new Map(frequent.map((key, place) => [key, place]));
  const placeOf = new Int32Array(keyOf.length).fill(-1);
  for (const word of words) placeOf[word] = places.get(keyOf[word] as number) ?? -1;
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
  for (let pair = 0; pair < reviews.length; pair++) {
    const count = reviews[pair] as number;
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

/**
 * The candidates of which none is a part of another. A phrase stands for words that are mostly named in it; where one of
 * them is named more by itself, it stands for the phrase and for the other one: "cake" for "carrot cake" and "carrot".
 */
function apart(words: readonly Candidate[], phrases: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  const taken = new Set<number>();
  const countOf = new Map(words.map(({ keys: [key = NO_KEY], count }) => [key, count]));
  for (const { keys, count, link } of phrases.toSorted((a, b) => b.count - a.count)) {
    if (keys.some((key) => taken.has(key))) continue;
    const bound = keys.filter((key) => count >= (countOf.get(key) ?? 0) * (1 - MAX_ALONE));
    for (const key of bound) taken.add(key);
    if (bound.length === keys.length) chosen.push({ keys, count, link });
  }
  return [...chosen, ...words.filter(({ keys: [key = NO_KEY] }) => !taken.has(key))];
}

const NO_THEME = -1;
/** The newest reviews that say how a theme is written. */
const MAX_SPELLED = 500;

/** A theme while its reviews are looked up. */
interface Located {
  readonly positions: number[];
  /** How many reviews begin to name it by each pair of entries, as `spellingOf` reads them. */
  readonly spellings: Map<number, number>;
  readonly praising: number[];
  readonly criticising: number[];
  last: number;
  /** Whether the review at the last position has judged it. */
  isJudged: boolean;
}

function located(
  { count, entries, starts, vocabulary }: ThemeColumns,
  { words, keyOf }: FrequentWords,
  named: readonly Candidate[],
): Theme[] {
  const size = vocabulary.keys.length;
  const [alone, pairs] = [new Int32Array(size).fill(NO_THEME), new Map<number, number>()];
  const found = named.map(({ keys: [first = 0, second], link }, index): Located => {
    if (second === undefined) alone[first] = index;
    else pairs.set((first * 4 + link) * size + second, index);
    return { positions: [], spellings: new Map(), praising: [], criticising: [], last: -1, isJudged: false };
  });
  const isPhrase = Uint8Array.from(named, ({ keys }) => keys.length - 1);
  const opens = new Uint8Array(size);
  for (const {
    keys: [first = 0, second],
  } of named)
    if (second !== undefined) opens[first] = 1;
  const themeOf = new Int32Array(keyOf.length).fill(NO_THEME);
  const isNaming = new Uint8Array(keyOf.length);
  for (const word of words) {
    const key = keyOf[word] as number;
    themeOf[word] = alone[key] as number;
    isNaming[word] = themeOf[word] !== NO_THEME || opens[key] === 1 ? 1 : 0;
  }
  for (let position = 0; position < count; position++) {
    for (let at = starts[position] as number, end = starts[position + 1] as number; at < end; at++) {
      const entry = entries[at] as number;
      const word = wordOf(entry);
      if (isNaming[word] === 0) continue;
      let index = themeOf[word] as number;
      let next = -1;
      const key = keyOf[word] as number;
      if (opens[key] === 1 && at + 1 < end) {
        next = entries[at + 1] as number;
        const second = keyOf[wordOf(next)] as number;
        if (second !== NO_KEY) index = pairs.get((key * 4 + linkOf(next)) * size + second) ?? index;
      }
      if (index === NO_THEME) continue;
      const theme = found[index] as Located;
      if (theme.last !== position) {
        theme.last = position;
        theme.positions.push(position);
        theme.isJudged = false;
        if (theme.positions.length <= MAX_SPELLED) {
          const second = isPhrase[index] === 1 ? wordOf(next) + 1 : 0;
          const isOpening = linkOf(entry) === LINK.opening ? 1 : 0;
          const spelling = (second * vocabulary.words.length + word) * 2 + isOpening;
          theme.spellings.set(spelling, (theme.spellings.get(spelling) ?? 0) + 1);
        }
      }
      const tone = toneIn(entry);
      if (tone === TONE.neutral || theme.isJudged) continue;
      theme.isJudged = true;
      (tone === TONE.praise ? theme.praising : theme.criticising).push(position);
    }
  }
  const themes = found.map(({ positions, spellings, praising, criticising }): Theme => {
    const labels = new Map<string, number>();
    const within = [...spellings].filter(([spelling]) => !isBegun(vocabulary, spelling));
    for (const [spelling, count] of within.length > 0 ? within : spellings) {
      const label = spellingOf(vocabulary, spelling);
      labels.set(label, (labels.get(label) ?? 0) + count);
    }
    const [label = ""] = [...labels].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0] ?? [];
    return { id: slugOf(label), label, positions: Uint32Array.from(positions), praising, criticising };
  });
  themes.sort((a, b) => b.positions.length - a.positions.length || (a.id < b.id ? -1 : 1));
  const ids = new Set<string>();
  return themes.filter(({ id }) => id !== "" && !ids.has(id) && ids.add(id));
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
  const { written } = words[both % words.length] as WrittenWord;
  const first = isBegun(vocabulary, spelling) ? written.charAt(0).toLowerCase() + written.slice(1) : written;
  const second = Math.floor(both / words.length) - 1;
  if (second < 0) return first;
  const last = (words[second] as WrittenWord).written;
  if (last.startsWith(HYPHEN)) return `${first}-${last.slice(1)}`;
  return `${first} ${last.replace(`’${JOINT}`, "’").replace(`'${JOINT}`, "'").replace(JOINT, " ")}`;
}

function slugOf(label: string): string {
  const plain = label.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
}

function compare({ keys }: ThemeVocabulary, a: number, b: number): number {
  return (keys[a] as WordKey).key < (keys[b] as WordKey).key ? -1 : 1;
}
