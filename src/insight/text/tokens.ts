/**
 * Tokeniser: splits a text into words with their positions, so that every match can be shown verbatim. One pass over
 * the characters, linear for any input.
 */

import words from "../../../taxonomies/words.json" with { type: "json" };

/** The break before a word: none, a pause within the sentence, or a sentence boundary. */
export const BREAK = { none: 0, pause: 1, sentence: 2 } as const;

/**
 * A form with what was found out about it: a text's words are looked up once, and every later step has its own slot
 * (`perLexeme`), which is filled when the step first meets the form.
 */
export interface Lexeme {
  readonly form: string;
  readonly slots: unknown[];
}

/** A text's words in parallel arrays: lower-case forms, start and end offsets, and the break before each word. */
export interface Tokens {
  readonly text: string;
  readonly forms: string[];
  /** What is known of each form. */
  readonly lexemes: Lexeme[];
  readonly starts: number[];
  readonly ends: number[];
  readonly breaks: number[];
}

/**
 * Maximum length of a form. Longer runs of letters are not words and are truncated, so that the cost per word is
 * bounded.
 */
const LONGEST_FORM = 40;
const NEGATED = /^(is|are|was|were|do|does|did|has|have|had|ca|could|would|should|wo|must|need|ai|might|sha)n't$/;
const SUFFIXED = /^(.+)'(s|re|ve|ll|d|m)$/;
const WITHOUT_APOSTROPHE = new Set(
  "isnt arent wasnt werent dont doesnt didnt hasnt havent hadnt cant couldnt wouldnt shouldnt wont mustnt aint".split(
    " ",
  ),
);
/** Maps instead of objects, because a customer may write "constructor". */
const FULL = new Map([
  ["ca", "can"],
  ["wo", "will"],
  ["sha", "shall"],
  ["ai", "is"],
  ["re", "are"],
  ["ve", "have"],
  ["ll", "will"],
  ["m", "am"],
]);
const DOTTED = new Map(Object.entries(words.abbreviations));
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

/** Splits `text` into words. Contractions become two words ("didn't" is `did`, `not`), hyphenated words their parts. */
export function tokenise(text: string): Tokens {
  const tokens: Tokens = { text, forms: [], lexemes: [], starts: [], ends: [], breaks: [] };
  let pending: number = BREAK.sentence;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isWordStart(text, at, code)) {
      const end = wordEnd(text, at);
      addWord(tokens, at, end, pending);
      pending = BREAK.none;
      at = end;
      continue;
    }
    const smile = code > 0x2000 ? smileAt(text, at) : undefined;
    if (smile !== undefined) {
      push(tokens, lexemeOf(smile), at, at + smile.length, pending);
      pending = BREAK.none;
      at += smile.length;
      continue;
    }
    const kind = breakKind(text, at, code);
    if (kind > pending) pending = kind;
    at++;
  }
  return tokens;
}

function isWordStart(text: string, at: number, code: number): boolean {
  if (isWordCode(code)) return true;
  return (code === 36 || code === 0xa3 || code === 0x20ac) && isDigit(text.charCodeAt(at + 1));
}

/** Which ASCII characters are letters or digits. */
const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) => (isAsciiLetter(code) || isDigit(code) ? 1 : 0));

function isWordCode(code: number): boolean {
  return code < 128 ? ASCII_WORD[code] === 1 : isLetterCode(code);
}

const letterCodes = new Map<number, boolean>();

/** Whether a UTF-16 code unit beyond ASCII is a letter or digit; surrogates are not. */
function isLetterCode(code: number): boolean {
  let known = letterCodes.get(code);
  if (known === undefined) {
    known = /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(code));
    letterCodes.set(code, known);
  }
  return known;
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
    const next = text.charCodeAt(at + 1);
    const before = text.charCodeAt(at - 1);
    const isApostrophe = code === 39 || code === 0x2019 || code === 0x2bc;
    if (isApostrophe && isAsciiLetter(before) && isAsciiLetter(next)) continue;
    const isInNumber = (code === 46 || code === 44 || code === 58 || code === 47) && isDigit(before) && isDigit(next);
    if (isInNumber) continue;
    const isInAbbreviation = (code === 46 || code === 47) && isAsciiLetter(before) && isAsciiLetter(next);
    if (isInAbbreviation && isSingle(text, at - 1) && (code === 47 || isSingleOrLast(text, at + 1))) continue;
    break;
  }
  return text.charCodeAt(at) === 37 && isDigit(text.charCodeAt(at - 1)) ? at + 1 : at;
}

/** Whether no letter precedes the one at `at`: true for the "a" in "a.m." and "A/C", also after a number: "9a.m." */
function isSingle(text: string, at: number): boolean {
  return !isAsciiLetter(text.charCodeAt(at - 1));
}

function isSingleOrLast(text: string, at: number): boolean {
  return !isAsciiLetter(text.charCodeAt(at + 1));
}

function smileAt(text: string, at: number): string | undefined {
  const single = text.charAt(at);
  if (SMILES.has(single)) return single;
  const pair = text.slice(at, at + 2);
  return SMILES.has(pair) ? pair : undefined;
}

function breakKind(text: string, at: number, code: number): number {
  switch (code) {
    case 33: // !
    case 63: // ?
    case 10: // line feed
    case 0x2026: // …
    case 0x3002: // 。
      return BREAK.sentence;
    case 46: {
      // A dot after "p.m" and before a lower-case letter does not end the sentence.
      const next = text.charCodeAt(at + 1);
      const afterNext = text.charCodeAt(at + 2);
      const isAbbreviation = text.charCodeAt(at - 2) === 46 && next === 32 && afterNext >= 97 && afterNext <= 122;
      return isAbbreviation || isShortened(text, at) ? BREAK.none : BREAK.sentence;
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
      return text.charCodeAt(at - 1) === 32 || text.charCodeAt(at + 1) === 45 ? BREAK.pause : BREAK.none;
    default:
      return BREAK.none;
  }
}

/** Whether the dot at `at` ends an abbreviation: an initial ("W. Temperance") or a title or saint ("Mrs.", "St."). */
function isShortened(text: string, at: number): boolean {
  const letter = text.charCodeAt(at - 1);
  if (letter >= 65 && letter <= 90) return letter !== 73 && isSingle(text, at - 1);
  return /(?:^|[^\p{L}])(?:Mrs?|Ms|Dr|St|Mt|Ft)$/u.test(text.slice(Math.max(0, at - 4), at));
}

function addWord(tokens: Tokens, start: number, end: number, pause: number): void {
  const { first, second, length } = readWord(tokens.text, start, Math.min(end, start + LONGEST_FORM));
  if (second === undefined) {
    push(tokens, first, start, end, pause);
    return;
  }
  // Both words of a contraction without an apostrophe span the whole contraction.
  const cut = length === undefined ? end : start + length;
  push(tokens, first, start, cut, pause);
  push(tokens, second, length === undefined ? start : cut, end, BREAK.none);
}

/** A word's full form, or a contraction's two words and, if it can be determined, the first one's length in letters. */
interface ReadWord {
  readonly first: Lexeme;
  readonly second?: Lexeme;
  readonly length?: number;
}

/**
 * Parsed words by spelling, cached because texts share most of their words: each in the place that its letters give or
 * in the one beside it, where later words may displace it.
 */
const PLACES_OF_WORDS = 1 << 14;
const readWords: ({ readonly letters: readonly number[]; readonly word: ReadWord } | undefined)[] = new Array(
  PLACES_OF_WORDS,
);
const MOST_WORDS = 50_000;
/** Longer words are not cached: as slices of their text, they would keep all of it in memory. */
const LONGEST_KEPT = 12;

/** Parses the word from `start` to `end` (exclusive). */
function readWord(text: string, start: number, end: number): ReadWord {
  const length = end - start;
  if (length > LONGEST_KEPT) return parseWord(text.slice(start, end));
  let hash = length;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(start + at);
    letters[at] = code;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  const place = (hash ^ (hash >>> 14)) & (PLACES_OF_WORDS - 1);
  const known = readWords[place];
  if (known !== undefined && isWritten(known.letters, length)) return known.word;
  const other = readWords[place ^ 1];
  if (other !== undefined && isWritten(other.letters, length)) return other.word;
  const word = parseWord(text.slice(start, end));
  if (known !== undefined) readWords[place ^ 1] = known;
  readWords[place] = { letters: Array.from(letters.subarray(0, length)), word };
  return word;
}

/** The letters of the word that is being looked up. */
const letters = new Uint16Array(LONGEST_KEPT);

function isWritten(known: readonly number[], length: number): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at++) if (known[at] !== letters[at]) return false;
  return true;
}

function parseWord(written: string): ReadWord {
  return splitWord(written.toLowerCase().replace(/[’ʼ]/g, "'"));
}

function splitWord(form: string): ReadWord {
  const dotted = DOTTED.get(form);
  if (dotted !== undefined) return { first: lexemeOf(dotted) };
  if (form === "cannot") return { first: lexemeOf("can"), second: lexemeOf("not") };
  if (WITHOUT_APOSTROPHE.has(form)) {
    return { first: lexemeOf(FULL.get(form.slice(0, -2)) ?? form.slice(0, -2)), second: lexemeOf("not") };
  }
  if (form.length > 24 || !form.includes("'")) return { first: lexemeOf(form) };
  const negated = NEGATED.exec(form);
  if (negated?.[1] !== undefined) {
    return {
      first: lexemeOf(FULL.get(negated[1]) ?? negated[1]),
      second: lexemeOf("not"),
      length: negated[1].length,
    };
  }
  const suffixed = SUFFIXED.exec(form);
  if (suffixed?.[1] === undefined || suffixed[2] === undefined) return { first: lexemeOf(form) };
  const second = lexemeOf(FULL.get(suffixed[2]) ?? `'${suffixed[2]}`);
  return { first: lexemeOf(suffixed[1]), second, length: suffixed[1].length };
}

const lexemes = new Map<string, Lexeme>();
let slots = 0;

/** The lexeme of a form; the same object as long as it is cached. Forms as long as a customer likes are not. */
export function lexemeOf(form: string): Lexeme {
  let lexeme = lexemes.get(form);
  if (lexeme === undefined) {
    lexeme = { form, slots: [] };
    if (form.length > LONGEST_FORM) return lexeme;
    if (lexemes.size >= MOST_WORDS) lexemes.clear();
    lexemes.set(form, lexeme);
  }
  return lexeme;
}

/** Returns a function that computes a value for each lexeme, once, and keeps it in a slot of its own. */
export function perLexeme<Value>(compute: (form: string) => Value): (lexeme: Lexeme) => Value {
  const slot = slots++;
  return (lexeme) => {
    const known = lexeme.slots[slot] as Value | undefined;
    if (known !== undefined) return known;
    const value = compute(lexeme.form);
    lexeme.slots[slot] = value;
    return value;
  };
}

function push(tokens: Tokens, lexeme: Lexeme, start: number, end: number, pause: number): void {
  tokens.forms.push(lexeme.form);
  tokens.lexemes.push(lexeme);
  tokens.starts.push(start);
  tokens.ends.push(end);
  tokens.breaks.push(pause);
}

/** Whether `words` occur consecutively from token `at` on. */
export function hasWordsAt(forms: readonly string[], at: number, words: readonly string[]): boolean {
  return words.every((word, offset) => forms[at + offset] === word);
}
