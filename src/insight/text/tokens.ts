/**
 * Tokeniser: splits a text into words with their positions, so that every match can be shown verbatim. One pass over
 * the characters, linear for any input.
 */

import { ENGLISH, type Language, perLanguage, wordSet, wordsIn } from "./language-words.ts";
import { type ParsedWord, spellingMemo } from "./spellings.ts";
import { type Vocabulary, vocabularyForText, wordNumber } from "./vocabulary.ts";

/** The break before a word: none, a pause within the sentence, or a sentence boundary. */
export const BREAK = { none: 0, pause: 1, sentence: 2 } as const;

/**
 * A text's words in parallel arrays: lower-case forms and their numbers in the vocabulary, start and end offsets, and
 * the break before each word.
 */
export interface Tokens {
  readonly text: string;
  readonly vocabulary: Vocabulary;
  readonly forms: string[];
  readonly words: number[];
  readonly starts: number[];
  readonly ends: number[];
  readonly breaks: number[];
}

/**
 * Maximum length of a form. Longer runs of letters are not words and are truncated, so that the cost per word is
 * bounded.
 */
const MAX_FORM_LETTERS = 40;
/** How the words of a language are contracted and shortened. Maps instead of objects, because a customer may write "constructor". */
const writing = perLanguage(({ contractions, abbreviations, titles }) => ({
  negated: new RegExp(`^(${wordsIn(contractions.negated).join("|") || "$."})n't$`),
  suffixed: new RegExp(`^(.+)'(${wordsIn(contractions.suffixes).join("|") || "$."})$`),
  prefixed: new RegExp(`^(${wordsIn(contractions.prefixes).join("|") || "$."})'(.+)$`),
  withoutApostrophe: wordSet(contractions.without_apostrophe),
  full: new Map(Object.entries(contractions.full)),
  joined: new Map<string, readonly string[]>(Object.entries(contractions.joined)),
  dotted: new Map(Object.entries(abbreviations)),
  titled: new RegExp(`(?:^|[^\\p{L}])(?:${wordsIn(titles).join("|")})$`, "u"),
  titleEnds: wordSet(wordsIn(titles).map((title) => title.slice(-1))),
  longestTitle: Math.max(...wordsIn(titles).map(({ length }) => length)),
}));
const SMILES = new Set([
  "👍",
  "😊",
  "😀",
  "😁",
  "❤",
  "🙏",
  "😡",
  "🤬",
  "👎",
  "🙄",
  "😤",
  "😠",
  "🔥",
  "🤡",
  "💯",
  "😂",
  "🤣",
]);

const SPACE = 32;

/** The spellings of the words in the current vocabulary, by language. */
const spellings: ReturnType<typeof spellingsOf>[] = [];

function spellingsOf(vocabulary: Vocabulary) {
  return {
    vocabulary,
    wordAt: spellingMemo((written): ParsedWord<number> => {
      const { first, second, length } = parseWord(written, vocabulary.language);
      return {
        first: wordNumber(vocabulary, first),
        second: second === undefined ? undefined : wordNumber(vocabulary, second),
        length,
      };
    }),
  };
}

/** Splits `text` into words. Contractions become two words ("didn't" is `did`, `not`), hyphenated words their parts. */
export function tokenise(text: string, language: Language = ENGLISH): Tokens {
  const vocabulary = vocabularyForText(language);
  const tokens: Tokens = { text, vocabulary, forms: [], words: [], starts: [], ends: [], breaks: [] };
  let spelling = spellings[language.index];
  if (spelling?.vocabulary !== vocabulary) {
    spelling = spellingsOf(vocabulary);
    spellings[language.index] = spelling;
  }
  let pending: number = BREAK.sentence;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === SPACE) {
      at++;
      continue;
    }
    if (isWordStart(text, at, code)) {
      at = addWord(tokens, at, pending, spelling.wordAt);
      pending = BREAK.none;
      continue;
    }
    const smile = code > 0x2000 ? smileAt(text, at) : undefined;
    if (smile !== undefined) {
      push(tokens, wordNumber(vocabulary, smile), at, at + smile.length, pending);
      pending = BREAK.none;
      at += smile.length;
      continue;
    }
    const kind = breakKind(text, at, code, language);
    if (kind > pending) pending = kind;
    at++;
  }
  return tokens;
}

/**
 * The UTF-16 code unit at `at`, 0 before the text and after its end. A function that once asks `charCodeAt` for one there
 * is slow from then on (V8): it calls it each time, instead of reading the text.
 */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

function isWordStart(text: string, at: number, code: number): boolean {
  if (isWordCode(code)) return true;
  return (code === 36 || code === 0xa3 || code === 0x20ac) && isDigit(codeAt(text, at + 1));
}

function isWordCode(code: number): boolean {
  return code < 128 ? isAsciiLetter(code) || isDigit(code) : isLetterCode(code);
}

/** Whether a UTF-16 code unit beyond ASCII is a letter or digit; surrogates are not. */
function isLetterCode(code: number): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(code));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function wordEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isWordCode(code)) continue;
    if (code === SPACE) return at;
    const next = codeAt(text, at + 1);
    const before = codeAt(text, at - 1);
    const isApostrophe = code === 39 || code === 0x2019 || code === 0x2bc;
    if (isApostrophe && isAsciiLetter(before) && isAsciiLetter(next)) continue;
    const isInNumber = (code === 46 || code === 44 || code === 58 || code === 47) && isDigit(before) && isDigit(next);
    if (isInNumber) continue;
    const isInAbbreviation = (code === 46 || code === 47) && isAsciiLetter(before) && isAsciiLetter(next);
    if (isInAbbreviation && isSingle(text, at - 1) && (code === 47 || isSingleOrLast(text, at + 1))) continue;
    break;
  }
  return codeAt(text, at) === 37 && isDigit(codeAt(text, at - 1)) ? at + 1 : at;
}

/** Whether no letter precedes the one at `at`: true for the "a" in "a.m." and "A/C", also after a number: "9a.m." */
function isSingle(text: string, at: number): boolean {
  return !isAsciiLetter(codeAt(text, at - 1));
}

function isSingleOrLast(text: string, at: number): boolean {
  return !isAsciiLetter(codeAt(text, at + 1));
}

function smileAt(text: string, at: number): string | undefined {
  const single = text.charAt(at);
  if (SMILES.has(single)) return single;
  const pair = text.slice(at, at + 2);
  return SMILES.has(pair) ? pair : undefined;
}

function breakKind(text: string, at: number, code: number, language: Language): number {
  switch (code) {
    case 33: // !
    case 63: // ?
    case 10: // line feed
    case 0x2026: // …
    case 0x3002: // 。
      return BREAK.sentence;
    case 46: {
      // A dot after "p.m" and before a lower-case letter does not end the sentence.
      const next = codeAt(text, at + 1);
      const afterNext = codeAt(text, at + 2);
      const isAbbreviation = codeAt(text, at - 2) === 46 && next === 32 && afterNext >= 97 && afterNext <= 122;
      return isAbbreviation || isShortened(text, at, language) ? BREAK.none : BREAK.sentence;
    }
    case 44: // ,
    case 58: // :
    case 59: // ;
    case 40: // (
    case 41: // )
    case 34: // "
    case 0x201c:
    case 0x201d:
    case 0x2013: // –
    case 0x2014: // —
    case 0xb7:
    case 42: // *
    case 60: // <
    case 62: // >
      return BREAK.pause;
    case 45: // a hyphen used as a dash: after a space, or doubled
      return codeAt(text, at - 1) === 32 || codeAt(text, at + 1) === 45 ? BREAK.pause : BREAK.none;
    default:
      return BREAK.none;
  }
}

/** Whether the dot at `at` ends an abbreviation: an initial ("W. Temperance") or a title or saint ("Mrs.", "St."). */
function isShortened(text: string, at: number, language: Language): boolean {
  const letter = codeAt(text, at - 1);
  if (letter >= 65 && letter <= 90) return letter !== 73 && isSingle(text, at - 1);
  const { titled, titleEnds, longestTitle } = writing(language);
  return titleEnds.has(text.charAt(at - 1)) && titled.test(text.slice(Math.max(0, at - longestTitle - 1), at));
}

/** Adds the word that begins at `start`, which may be a contraction of two; returns where it ends. */
function addWord(
  tokens: Tokens,
  start: number,
  pause: number,
  wordAt: ReturnType<typeof spellingMemo<number>>,
): number {
  const { text } = tokens;
  const end = wordEnd(text, start);
  const { first, second, length } = wordAt(text, start, Math.min(end, start + MAX_FORM_LETTERS));
  if (second === undefined) {
    push(tokens, first, start, end, pause);
    return end;
  }
  // Both words of a contraction without an apostrophe span the whole contraction.
  const cut = length === undefined ? end : start + length;
  push(tokens, first, start, cut, pause);
  push(tokens, second, length === undefined ? start : cut, end, BREAK.none);
  return end;
}

function parseWord(written: string, language: Language): ParsedWord<string> {
  return splitWord(written.toLowerCase().replaceAll("’", "'").replaceAll("ʼ", "'"), language);
}

function splitWord(form: string, language: Language): ParsedWord<string> {
  const { dotted, joined, withoutApostrophe, negated, suffixed, prefixed, full } = writing(language);
  const shortened = dotted.get(form);
  if (shortened !== undefined) return { first: shortened };
  const [one, two] = joined.get(form) ?? [];
  if (one !== undefined) return { first: one, second: two };
  if (withoutApostrophe.has(form)) return { first: full.get(form.slice(0, -2)) ?? form.slice(0, -2), second: "not" };
  if (form.length > 24 || !form.includes("'")) return { first: form };
  const denied = negated.exec(form)?.[1];
  if (denied !== undefined) return { first: full.get(denied) ?? denied, second: "not", length: denied.length };
  const [, prefix, rest] = prefixed.exec(form) ?? [];
  if (prefix !== undefined) return { first: full.get(prefix) ?? prefix, second: rest, length: prefix.length + 1 };
  const [, first, suffix] = suffixed.exec(form) ?? [];
  if (first === undefined || suffix === undefined) return { first: form };
  return { first, second: full.get(suffix) ?? `'${suffix}`, length: first.length };
}

function push(tokens: Tokens, word: number, start: number, end: number, pause: number): void {
  tokens.forms.push(tokens.vocabulary.forms[word] as string);
  tokens.words.push(word);
  tokens.starts.push(start);
  tokens.ends.push(end);
  tokens.breaks.push(pause);
}

/** Whether `words` occur consecutively from token `at` on. */
export function hasWordsAt(forms: readonly string[], at: number, words: readonly string[]): boolean {
  return words.every((word, offset) => forms[at + offset] === word);
}
