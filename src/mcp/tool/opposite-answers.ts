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
import { opposites } from "../../insight/taxonomy/opposites.ts";
import { type Language, languageNamed, READ_TAGS } from "../../insight/text/language-words.ts";
import { stemKeys, withoutAccents } from "../../insight/text/stem-keys.ts";
import { isKnownWord } from "../../insight/theme/word-background.ts";
import type { FaqEntry } from "../../insights-document.ts";
import type { Review } from "../../review.ts";

/** Properties of one question that are answered, the quotes for each side of one, and the reviews named. */
const [MAX_PROPERTIES, MAX_QUOTES, MAX_CITED] = [2, 3, 10];
/** A longer sentence is cut around the word. */
const MAX_QUOTE_LETTERS = 140;
/** Reviews of a side that are looked through for the words that they have. */
const MAX_READ = 100;

/** A property that a question asks for: words for it, and for its opposite. */
export interface AskedProperty {
  readonly asked: string;
  readonly opposite: string;
  readonly sides: readonly [readonly string[], readonly string[]];
}

/**
 * The properties that words of a question are for, with the words of the languages that reviews are read in (`tags`). One
 * may ask in another language, but a word that those languages have is theirs: "sale" is no French word for dirty.
 */
export function propertiesAsked(words: readonly string[], tags: readonly string[]): AskedProperty[] {
  const read = READ_TAGS.filter((tag) => tag === "en" || tags.includes(tag));
  const isOfRead = (word: string) => read.some((tag) => isKnownWord(word, languageNamed(tag)));
  const properties = opposites();
  const found = new Map<number, AskedProperty>();
  for (const asked of words) {
    for (const tag of isOfRead(asked) ? read : READ_TAGS) {
      const isAsked = isFormOf(asked, languageNamed(tag));
      const at = properties.findIndex((property) => property[tag].flat().some(isAsked));
      const property = properties[at];
      if (property === undefined) continue;
      const isFirst = property[tag][0].some(isAsked);
      const side = (at: 0 | 1) => read.flatMap((one) => property[one][at]);
      const sides = isFirst ? ([side(0), side(1)] as const) : ([side(1), side(0)] as const);
      found.getOrInsert(at, { asked, opposite: property[tag][isFirst ? 1 : 0][0] ?? "", sides });
      break;
    }
  }
  return [...found.values()].slice(0, MAX_PROPERTIES);
}

function isFormOf(word: string, language: Language): (other: string) => boolean {
  const keys = new Set(stemKeys(word, [language]));
  return (other) => stemKeys(other, [language]).some((key) => keys.has(key));
}

/** The reviews with a word for one side of a property. */
interface Side {
  readonly matched: number;
  readonly poor: number;
  readonly good: number;
  /** The words that they have. */
  readonly held: readonly string[];
  /** The newest, each with the sentence that has the word. */
  readonly quotes: readonly { readonly id: string; readonly sentence: string }[];
}

/** Answers by the word that asks, for the properties of which reviews have a word, or of the opposite. */
export function* oppositeAnswers(
  edition: Edition,
  properties: readonly AskedProperty[],
  question: { readonly words: readonly string[]; readonly inflectionsOf: (word: string) => readonly string[] },
): Steps<Map<string, FaqEntry>> {
  const found = new Map<string, FaqEntry>();
  for (const { asked, opposite, sides } of properties) {
    const withForms = (words: readonly string[]) => {
      const all = [...words, ...words.flatMap(question.inflectionsOf)].map(foldCase);
      return [...new Set(all)].filter(areWords).slice(0, MAX_WORDS);
    };
    const beside = question.words.filter((word) => word !== asked);
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
        ...(quoted.size === 0 ? [] : [`In customers’ words: ${[...quoted].join("; ")}.`]),
      ].join(" "),
      review_ids: [...new Set(cited)].slice(0, MAX_CITED),
      about: [],
    });
  }
  return found;
}

function said({ matched, held, ...stars }: Side, word: string): string {
  if (matched === 0) return `no review has “${word}” or a word like it`;
  const words = held.map((one) => `“${one}”`).join(", ");
  return `${counted(matched, "review has", "reviews have")} ${words}${starsOf(stars)}`;
}

function* readSide(edition: Edition, words: readonly string[], beside: readonly string[]): Steps<Side> {
  const filter = { words: words.join(" ") };
  const { matched, reviews } = yield* edition.listSteps(filterSchema.parse({ ...filter, limit: MAX_READ }));
  const matchedOf = function* (stars: object): Steps<number> {
    return matched === 0
      ? 0
      : (yield* edition.listSteps(filterSchema.parse({ ...filter, ...stars, limit: 1 }))).matched;
  };
  const [poor, good] = [yield* matchedOf({ max_rating: 2 }), yield* matchedOf({ min_rating: 4 })];
  const sought = new Map(words.map((word) => [withoutAccents(word), word]));
  const keys = new Set(beside.flatMap(keysOf));
  const held = new Set<string>();
  const quotes = reviews.flatMap(({ id, text }: Review) => {
    const sentences = (text ?? "").split(/(?<=[.!?…])\s+|\n+/u).flatMap((sentence) => {
      const words = [...sentence.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
      const found = words.filter(([word]) => sought.has(withoutAccents(foldCase(word))));
      for (const [word] of found) held.add(sought.get(withoutAccents(foldCase(word))) ?? word);
      const near = words.filter(([word]) => keysOf(foldCase(word)).some((key) => keys.has(key))).length;
      return found.slice(0, 1).map(({ index }) => ({ id, near, sentence: cut(sentence.trim(), index) }));
    });
    return sentences.toSorted((a, b) => b.near - a.near).slice(0, 1);
  });
  return { matched, poor, good, held: [...held], quotes: quotes.toSorted((a, b) => b.near - a.near) };
}

function keysOf(word: string): string[] {
  return stemKeys(word, READ_TAGS.map(languageNamed));
}

/** A sentence, or the words around a place of a long one. */
function cut(sentence: string, at: number): string {
  if (sentence.length <= MAX_QUOTE_LETTERS) return sentence;
  const half = MAX_QUOTE_LETTERS / 2;
  const from = at <= half ? 0 : sentence.indexOf(" ", at - half) + 1;
  const to =
    from + MAX_QUOTE_LETTERS >= sentence.length ? sentence.length : sentence.lastIndexOf(" ", from + MAX_QUOTE_LETTERS);
  return `${from > 0 ? "…" : ""}${sentence.slice(from, to)}${to < sentence.length ? "…" : ""}`;
}
