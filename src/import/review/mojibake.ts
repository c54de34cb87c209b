/**
 * Detects text that was decoded with a wrong encoding before it was exported: `FranÃ§ois` for `François`, or `�` for a lost
 * character. It is only warned about, never repaired: reviews are imported as they are.
 */
import { isUtf8 } from "node:buffer";

/** A damaged word and the likely original, to be quoted in a warning; undefined if the original is lost. */
export interface Damage {
  readonly found: string;
  readonly meant: string | undefined;
  /** Whether it is a code that stands for a character that is known. */
  readonly isCode?: boolean;
}

/** Windows-1252 from byte 0x80 on. Bytes without a character map to the code point of the same number. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
/** A UTF-8 lead byte and its continuation bytes, as Windows-1252 shows them. */
const SUSPECT = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${WINDOWS_1252}]{1,3}`, "gu");
/** Matches every damaged text. */
const NOT_ASCII = /[^\0-\x7f]/;
/** What programs write in the place of characters: `It\\'s`, `caf=E9`, `%20`, `%C3%A9`, `_x000D_`, `&amp` without its end. */
const ESCAPES =
  /\w\\'\w|_x000d_|&(?:amp|quot|nbsp|apos|lt|gt)(?![\w;])|%20\w+%[2-9A-F][\dA-F]|%C[23]%[89AB][\dA-F]|[a-z](?:\+|%2[1278CF]|%3[ABF]){1,9}[a-z][^%\s]{0,99}%2[1278CF]|[a-z]%2[1278C](?![\dA-F]{2})/i;
/** Quoted-printable of an older encoding than UTF-8. */
const QUOTED = /[a-z]=[C-F][\dA-F][a-z]/;
/**
 * What programs show of characters and texts of theirs, by a sign that each has: `<U+2019>` of R, `It?s`, `Caf√©` of a Mac,
 * `\\303\\251`, `Gr³ße` of old Windows, `Gr+APw-e` of UTF-7, an object of JSON, RTF, and `b'Great'` of Python.
 */
const CODES: readonly (readonly [sign: string, RegExp])[] = [
  ["<U+", /<U\+[\dA-F]{4,6}>/],
  ["√", /\p{L}√[©®†°±∂∏§ºªß¢£¥∫Ω]/u],
  ["\\", /\\[23]\d\d\\2\d\d/],
  ["³", /\p{Ll}³\p{Ll}/u],
  ["÷", /\p{Ll}÷\p{Ll}/u],
  ["+A", /\p{L}\+A(?=[A-Z\d]{0,30}[a-z\d])[A-Za-z\d]{2,30}-/u],
  ["{", /^\{(?:\\rtf1|(["'])\w+\1:.*\}$)/s],
  ["¹", /\p{L}¹\p{Ll}/u],
  ["¿", /\p{L}¿\p{Ll}/u],
  ["£", /(?:^|\s|\p{L})£\p{Ll}{2}/u],
  ["Ÿ", /\p{L}Ÿ\p{Ll}/u],
  ["?", /(?<=^|\s)\p{L}+\?{1,2}\p{Ll}+(?=$|[\s.,;:!)"])/u],
  ["u00", /\p{L}u00[c-f][\da-f]\p{L}|\p{L}u20(?:1[39]|ac)\p{L}/u],
  ["amp;", /(?:^|[^&;\w])amp;(?:\s|#)/],
  ["#39;", /\w#39;\w/],
  ["b'", /^b'.*'$/s],
  ['b"', /^b".*"$/s],
];
/**
 * Words of other scripts in a wrong encoding: Japanese and Chinese (`縺薙ｓ縺ｫ`, `‚±‚ñ‚É`), Cyrillic and Greek (`РџСЂРёРІРµС‚`,
 * `Ïðèâåò`).
 */
const OTHER_SCRIPT =
  /(?:[縺繧繝][^\s縺繧繝]?){3}|(?:[‚ƒ][^\s‚ƒ]){3}|(?:[РС][ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬®Ї°±Ііґµ¶·ё№є»јЅѕї]){3}/u;
/** Five of them in turn are letters of another script, unless somebody lengthens a vowel. */
const ACCENTED = /[À-ÖØ-öø-ÿ]{5,}/;
const WORD_AROUND = 40;
/** A letter followed by punctuation can look the same: `„MENÜ“`, `MANHÃ…`. In that case no letter follows. */
const LETTER_AND_PUNCTUATION = /^\p{Lu}[‘’“”…–—‹›«»]$/u;
/** Lead bytes of accented Latin letters, typographic marks and emoji. Other alphabets show several in one word. */
const TELLING = /^(?:[ÂÃ]|â..|ð...)/u;

/** The first damaged word of a text; undefined if there is none. */
export function findMojibake(text: string): Damage | undefined {
  const written = /[\\%&_=+]/.test(text) ? (ESCAPES.exec(text) ?? QUOTED.exec(text) ?? codeIn(text)) : codeIn(text);
  if (written !== null)
    return { found: wordAt(text, written.index), meant: undefined, isCode: /^[_&]/.test(written[0]) };
  if (!NOT_ASCII.test(text)) return undefined;
  for (const { 0: piece, index } of text.matchAll(SUSPECT)) {
    if (decoded(piece) === undefined || isLetterAndPunctuation(text, index)) continue;
    const found = wordAt(text, index);
    if (TELLING.test(piece) || pieces(found) > 1) return { found, meant: likelyOriginal(found) };
  }
  const accented = ACCENTED.exec(text);
  const isAccented = accented !== null && new Set(accented[0].toLowerCase()).size > 2;
  const other = OTHER_SCRIPT.exec(text) ?? (isAccented ? accented : null);
  if (other !== null) return { found: wordAt(text, other.index), meant: undefined };
  const lost = text.indexOf("\uFFFD");
  return lost === -1 ? undefined : { found: wordAt(text, lost), meant: undefined };
}

function codeIn(text: string): RegExpExecArray | null {
  for (const [sign, form] of CODES) {
    const found = text.includes(sign) ? form.exec(text) : null;
    if (found !== null) return found;
  }
  return null;
}

function isLetterAndPunctuation(text: string, index: number): boolean {
  return LETTER_AND_PUNCTUATION.test(text.slice(index, index + 2)) && !/\p{L}/u.test(text[index + 2] ?? "");
}

/** The number of damaged characters in a word that can be decoded. */
function pieces(word: string): number {
  return [...word.matchAll(SUSPECT)].filter(([piece]) => decoded(piece) !== undefined).length;
}

/** The likely original of a damaged word, for the warning. */
function likelyOriginal(word: string): string {
  return word.replace(SUSPECT, (piece) => decoded(piece) ?? piece);
}

/** Decodes the piece as UTF-8. Trailing bytes that are not part of a character are kept. */
function decoded(piece: string): string | undefined {
  const bytes = Buffer.from([...piece].map(byteOf));
  for (let length = bytes.length; length > 1; length -= 1) {
    const start = bytes.subarray(0, length);
    if (!isUtf8(start)) continue;
    const text = start.toString("utf8");
    return text.length < length && text >= "\u00A0" ? text + piece.slice(length) : undefined;
  }
  return undefined;
}

function byteOf(character: string): number {
  const place = WINDOWS_1252.indexOf(character);
  return place === -1 ? character.charCodeAt(0) : 0x80 + place;
}

function wordAt(text: string, index: number): string {
  const before = /\S*$/.exec(text.slice(Math.max(0, index - WORD_AROUND), index))?.[0] ?? "";
  const after = /^\S*/.exec(text.slice(index, index + WORD_AROUND))?.[0] ?? "";
  return (before + after).toWellFormed();
}
