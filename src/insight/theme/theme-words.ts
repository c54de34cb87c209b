/**
 * The words of a text that may name themes, as one string: what an analysis keeps of them, and what statistics read.
 * Judgements, function words, numbers and words of every trade are left out (`word-background.ts`).
 */
import { WORD_KIND } from "../text/background-table.ts";
import { type Language, perLanguage, wordSet } from "../text/language-words.ts";
import { BREAK, type Tokens } from "../text/tokens.ts";
import { kindOfWords } from "./word-background.ts";

/** What a text says of what it names. */
export const TONE = { neutral: 0, praise: 1, criticism: 2 } as const;
/** How a word follows the one before it: apart, directly, with a word such as "of" between, or as the first of a sentence. */
export const LINK = { apart: 0, adjacent: 1, of: 2, opening: 3 } as const;
/** Between a word such as "of" or "Mr" and the one after it. */
export const JOINT = "_";
/** In front of a word that a hyphen joins to the one before it. */
export const HYPHEN = "\u2010";
const TONE_SIGNS = "=+-";
const LINK_SIGNS = "; ~^";

/** Whether a word is one after a title such as "Mr", with which it is written. */
export function isTitled(written: string, language: Language): boolean {
  return rulesOf(language).beforeNames.has(written.slice(0, Math.max(0, written.indexOf(JOINT))).toLowerCase());
}

const rulesOf = perLanguage(({ phrases, negation, themes }) => ({
  of: wordSet(themes.of),
  /** Words before a verb, and words after one. */
  beforeVerbs: wordSet([
    ...phrases.subjects,
    ...phrases.auxiliaries,
    ...phrases.not_done,
    ...negation.not,
    ...negation.never,
  ]),
  objects: wordSet(phrases.objects),
  articles: wordSet(phrases.articles),
  beforeNames: wordSet(themes.before_names),
  /** Words after one that says what people do. */
  people: wordSet(themes.people),
  /** What a noun is written like within a sentence. */
  noun: new RegExp(themes.nouns, "u"),
}));
/** Longer ones are no words. */
const MAX_LETTERS = 30;
/** Words of one text beyond which nothing is added: a review is not a book. */
const MAX_WORDS = 400;

/**
 * The words as they are written, in their order: each after the sign of its link to the one before it, and those of which
 * something else is said than of the one before after the sign of the tone: `-^parking;lift+^air conditioning`. `toneAt`
 * says of the word at a place what is said of it (of `TONE`).
 */
export function themeWords(tokens: Tokens, toneAt: (at: number) => number): string {
  const { text, words, forms, starts, ends, breaks, vocabulary } = tokens;
  const kinds = kindOfWords(tokens);
  const { of, noun, beforeNames } = rulesOf(vocabulary.language);
  const isShouted = !/\p{Ll}/u.test(text);
  let [found, last, count] = ["", -1, 0];
  let toneBefore = -1;
  for (let at = 0; at < words.length && count < MAX_WORDS; at++) {
    const kind = kinds[words[at] as number] as number;
    if (kind === WORD_KIND.none || (kind === WORD_KIND.verb && isVerbAt(tokens, at))) continue;
    if (kind === WORD_KIND.part && last !== at - 1 && !isFollowed(tokens, kinds, at)) continue;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const word = text.slice(start, end);
    if (
      word.length > MAX_LETTERS ||
      beforeNames.has(forms[at] as string) ||
      isPartOfWord(tokens, at) ||
      (!isShouted && !noun.test(word))
    )
      continue;
    const isName = beforeNames.has(forms[at - 1] ?? "") && breaks[at] === BREAK.none;
    const tone = toneAt(at);
    if (tone !== toneBefore) found += TONE_SIGNS.charAt(tone);
    toneBefore = tone;
    const isOf = last === at - 2 && of.has(forms[at - 1] as string) && breaks[at - 1] === BREAK.none;
    const follows = breaks[at] === BREAK.none && last >= 0;
    const link =
      breaks[at] === BREAK.sentence
        ? LINK.opening
        : follows && last === at - 1
          ? LINK.adjacent
          : follows && isOf
            ? LINK.of
            : LINK.apart;
    const isHyphenated = link === LINK.adjacent && text.slice(ends[at - 1], start) === "-";
    const written = isHyphenated
      ? `${HYPHEN}${word}`
      : link === LINK.of || isName
        ? `${text.slice(starts[at - 1], ends[at - 1])}${JOINT}${word}`
        : word;
    found += LINK_SIGNS.charAt(link) + (isShouted ? written.toLowerCase() : written);
    last = at;
    count++;
  }
  return found;
}

/**
 * Whether a word that may be a noun is used as a verb, "will use", "not working", "call them", "Call the office", or says
 * what people there do: "waiting staff".
 */
function isVerbAt({ forms, breaks, vocabulary }: Tokens, at: number): boolean {
  const { beforeVerbs, objects, articles, people } = rulesOf(vocabulary.language);
  const next = breaks[at + 1] === BREAK.none ? (forms[at + 1] as string) : "";
  if (objects.has(next) || people.has(next) || (breaks[at] === BREAK.sentence && articles.has(next))) return true;
  return breaks[at] !== BREAK.sentence && beforeVerbs.has(forms[at - 1] as string);
}

/** Whether a word that can be in a phrase comes next. */
function isFollowed({ words, breaks }: Tokens, kinds: Int32Array, at: number): boolean {
  return breaks[at + 1] === BREAK.none && kinds[words[at + 1] as number] !== WORD_KIND.none;
}

/** Whether a token is one of the two of a contraction. */
function isPartOfWord({ starts, ends }: Tokens, at: number): boolean {
  return at > 0 && (starts[at] as number) < (ends[at - 1] as number);
}

/** By code, what a sign says: one more than a link; or `OF_TONE` and a tone. Letters have 0. */
const OF_TONE = 8;
const SIGNS = Uint8Array.from({ length: 128 }, (_, code) => {
  const [link, tone] = [LINK_SIGNS.indexOf(String.fromCharCode(code)), TONE_SIGNS.indexOf(String.fromCharCode(code))];
  return tone >= 0 ? OF_TONE + tone : link + 1;
});

/** Calls `found` for each of the words: where it is in the string, its link and its tone. Words have letters, digits, `'./,:%$`, `JOINT` and `HYPHEN` only. */
export function readThemeWords(
  words: string,
  found: (from: number, to: number, link: number, tone: number) => void,
): void {
  let [tone, link, from] = [0, 0, -1];
  for (let at = 0; at <= words.length; at++) {
    const code = at < words.length ? words.charCodeAt(at) : 0;
    const sign = at === words.length ? OF_TONE : code < 128 ? (SIGNS[code] as number) : 0;
    if (sign === 0) continue;
    if (from >= 0) found(from, at, link, tone);
    from = sign < OF_TONE ? at + 1 : -1;
    if (sign < OF_TONE) link = sign - 1;
    else tone = sign - OF_TONE;
  }
}
