/**
 * Answers whether something is big or small, hot or cold: by the reviews that have a word for the property asked for, and
 * by those that have one for its opposite.
 */

import { foldCase } from "../../edition/case-folding.ts";
import type { Edition } from "../../edition/edition.ts";
import type { Steps } from "../../edition/steps.ts";
import { filterSchema } from "../../filter.ts";
import { areWords, MAX_WORDS } from "../../filter-names.ts";
import { starsOf } from "../../insight/prose/faq.ts";
import { counted } from "../../insight/prose/prose.ts";
import { MAX_POOR_STARS, MIN_GOOD_STARS } from "../../insight/statistics/aspect-positions.ts";
import { type Opposites, opposites } from "../../insight/taxonomy/opposites.ts";
import { languageNamed, READ_TAGS } from "../../insight/text/language-words.ts";
import { isFunctionWord } from "../../insight/text/phrase-cut.ts";
import { stemKeys, withoutAccents } from "../../insight/text/stem-keys.ts";
import { rateOf } from "../../insight/theme/word-background.ts";
import type { FaqEntry } from "../../insights-document.ts";
import type { Review } from "../../review.ts";

/** Properties of one question that are answered, the quotes for each side of one, and the reviews named. */
const [MAX_PROPERTIES, MAX_QUOTES, MAX_CITED] = [2, 3, 10];
/** Other words of the question that an answer names. */
const MAX_NAMED = 3;
/** A longer sentence is cut around the word. */
const MAX_QUOTE_LETTERS = 140;
/** Reviews of a side that are looked through for the words that they have. */
const MAX_READ = 100;

/** A larger share of the reviews in a language has its own words: "sale", unlike "grande", is English. */
const MAX_SHARE_OF_FOREIGN = 0.001;

/** A property that a question asks for: words for it, and for its opposite. */
export interface AskedProperty {
  readonly asked: string;
  readonly opposite: string;
  readonly sides: readonly [readonly string[], readonly string[]];
}

/**
 * The properties that words of a question are for, with the words of the languages that reviews are read in (`tags`). One
 * may ask in another language, but a word of those languages is theirs: "sale" is no French word for dirty.
 */
export function propertiesAsked(words: readonly string[], tags: readonly string[]): AskedProperty[] {
  const read = READ_TAGS.filter((tag) => tag === "en" || tags.includes(tag));
  const isOfRead = (word: string) => read.some((tag) => rateOf(word, languageNamed(tag)) > MAX_SHARE_OF_FOREIGN);
  const found = new Map<Opposites, AskedProperty>();
  for (const asked of words) {
    const place = placeOf(asked, isOfRead(asked) ? read : READ_TAGS);
    if (place === undefined) continue;
    const { property, side, tag } = place;
    const wordsOn = (one: Side) => read.flatMap((tag) => property[tag][one]);
    const opposite = property[tag][other(side)][0] ?? "";
    found.getOrInsert(property, { asked, opposite, sides: [wordsOn(side), wordsOn(other(side))] });
  }
  return [...found.values()].slice(0, MAX_PROPERTIES);
}

type Side = 0 | 1;

function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** Where a word is among the opposites. */
interface Place {
  readonly property: Opposites;
  readonly side: Side;
  readonly tag: (typeof READ_TAGS)[number];
}

/** The places by each key of their words; undefined until the first question. */
let places: ReadonlyMap<string, Place> | undefined;

function placeOf(word: string, tags: readonly string[]): Place | undefined {
  places ??= new Map(
    opposites().flatMap((property) =>
      READ_TAGS.flatMap((tag) =>
        ([0, 1] as const).flatMap((side) =>
          property[tag][side].flatMap((one) =>
            stemKeys(one, [languageNamed(tag)]).map((key) => [key, { property, side, tag }] as const),
          ),
        ),
      ),
    ),
  );
  for (const key of stemKeys(word, tags.map(languageNamed))) {
    const place = places.get(key);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The reviews with a word for one side of a property. */
interface SideWords {
  readonly matched: number;
  /** Of the newest `MAX_READ`, as all that follows. */
  readonly poor: number;
  readonly good: number;
  /** The words that they have. */
  readonly held: readonly string[];
  /** The newest, each with its sentence that has the word, and how many other words of the question that has. */
  readonly quotes: readonly { readonly id: string; readonly sentence: string; readonly shared: number }[];
}

/** Answers by the word that asks, for the properties of which reviews have a word, or of the opposite. */
export function* oppositeAnswers(
  edition: Edition,
  properties: readonly AskedProperty[],
  question: { readonly words: readonly string[]; readonly inflectionsOf: (word: string) => readonly string[] },
): Steps<Map<string, FaqEntry>> {
  const found = new Map<string, FaqEntry>();
  const ofName = wordsIn(edition.business.name);
  const withForms = (words: readonly string[]) => {
    const all = [...words, ...words.flatMap(question.inflectionsOf)].map(foldCase);
    return [...new Set(all)].filter((word) => areWords(word) && !ofName.includes(word)).slice(0, MAX_WORDS);
  };
  for (const { asked, opposite, sides } of properties) {
    const beside = question.words.filter((word) => word !== asked && !isFunctionWordOfAny(word));
    const own = yield* readSide(edition, withForms([asked, ...sides[0]]), beside);
    const others = yield* readSide(edition, withForms(sides[1]), beside);
    if (own.matched + others.matched === 0) continue;
    const quotes = [own, others].flatMap((side) => side.quotes.slice(0, MAX_QUOTES));
    const cited = [...quotes, ...own.quotes, ...others.quotes].map(({ id }) => id);
    const quoted = new Set(quotes.map(({ sentence }) => `“${sentence}”`));
    found.set(asked, {
      question: `Do customers write “${asked}” or “${opposite}”?`,
      answer: [
        `${said(own, asked)}; ${said(others, opposite)}.`.replace(/^./u, (first) => first.toUpperCase()),
        "Words are counted, whatever they are said of, and with “not” before them, too.",
        ...(beside.length === 0 ? [] : [together(beside, [own, others])]),
        ...(quoted.size === 0 ? [] : [`In customers’ words: ${[...quoted].join("; ")}.`]),
      ].join(" "),
      review_ids: [...new Set(cited)].slice(0, MAX_CITED),
      about: [],
    });
  }
  return found;
}

function isFunctionWordOfAny(word: string): boolean {
  return READ_TAGS.some((tag) => isFunctionWord(word, languageNamed(tag)));
}

function said({ matched, held, ...stars }: SideWords, word: string): string {
  if (matched === 0) return `no review has “${word}” or a word like it`;
  const words = held.map((one) => `“${one}”`).join(", ");
  const newest = matched > MAX_READ ? `; of the newest ${MAX_READ}` : "";
  return `${counted(matched, "review has", "reviews have")} ${words}${newest}${starsOf(stars)}`;
}

/** How many reviews of each side have, in the same sentence, another word of the question: what it asks about. */
function together(beside: readonly string[], sides: readonly SideWords[]): string {
  const words = beside.slice(0, MAX_NAMED).map((word) => `“${word}”`);
  const counts = sides
    .filter(({ matched }) => matched > 0)
    .map(({ matched, quotes }) => {
      const newest = matched > MAX_READ ? `newest ${MAX_READ}` : matched;
      return `${quotes.filter(({ shared }) => shared > 0).length} of the ${newest}`;
    });
  return `In a sentence with ${words.join(" or ")}: ${counts.join(", and ")}.`;
}

function* readSide(edition: Edition, words: readonly string[], beside: readonly string[]): Steps<SideWords> {
  if (words.length === 0) return { matched: 0, poor: 0, good: 0, held: [], quotes: [] };
  const filter = filterSchema.parse({ words: words.join(" "), limit: MAX_READ });
  const { matched, reviews } = yield* edition.listSteps(filter);
  const poor = reviews.filter(({ rating }) => rating <= MAX_POOR_STARS).length;
  const good = reviews.filter(({ rating }) => rating >= MIN_GOOD_STARS).length;
  const sought = new Set(words.map(withoutAccents));
  const asked = new Set(beside.flatMap(keysOf));
  const held = new Set<string>();
  const quotes = reviews.flatMap(({ id, text }: Review) => {
    const sentences = (text ?? "").trim().split(/(?<=[.!?…])\s+|\s*\n\s*/u);
    return sentences
      .flatMap((sentence) => {
        const found = wordsIn(sentence).filter((word) => sought.has(withoutAccents(word)));
        if (found.length === 0) return [];
        for (const word of found) held.add(word);
        const shared =
          asked.size === 0 ? 0 : wordsIn(sentence).filter((word) => keysOf(word).some((key) => asked.has(key))).length;
        return [{ id, shared, sentence: cut(sentence, foldCase(sentence).indexOf(found[0] ?? "")) }];
      })
      .toSorted((a, b) => b.shared - a.shared)
      .slice(0, 1);
  });
  return { matched, poor, good, held: [...held], quotes: quotes.toSorted((a, b) => b.shared - a.shared) };
}

function wordsIn(text: string): string[] {
  return foldCase(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function keysOf(word: string): string[] {
  return stemKeys(word, READ_TAGS.map(languageNamed));
}

/** A sentence, or the words around a place of a long one. */
function cut(sentence: string, at: number): string {
  if (sentence.length <= MAX_QUOTE_LETTERS) return sentence;
  const half = MAX_QUOTE_LETTERS / 2;
  const from = at <= half ? 0 : sentence.indexOf(" ", at - half) + 1;
  const end = from + MAX_QUOTE_LETTERS;
  const to = end >= sentence.length ? sentence.length : Math.max(at + 1, sentence.lastIndexOf(" ", end));
  return `${from > 0 ? "…" : ""}${sentence.slice(from, to)}${to < sentence.length ? "…" : ""}`;
}
