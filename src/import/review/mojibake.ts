/** Text that was read in a wrong encoding before it was exported: `FranÃ§ois` for `François`, or `�` for what was lost. */
import { isUtf8 } from "node:buffer";

/** A damaged word, and what it was; undefined where that is lost. */
export interface Damage {
  readonly found: string;
  readonly meant: string | undefined;
}

/** The characters of Windows-1252 whose code is not their byte, by that byte from 0x80; gaps stand for themselves. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
/** A character that UTF-8 begins with such a byte, and those that go on: all as Windows-1252 shows them. */
const SUSPECT = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${WINDOWS_1252}]{1,3}`, "gu");
const WORD_AROUND = 40;
/** A letter and the punctuation after it can look like such a pair: `„MENÜ“`, `MANHÃ…`. Then no letter follows. */
const LETTER_AND_PUNCTUATION = /^\p{Lu}[‘’“”…–—‹›«»]$/u;
/** First bytes of accented Latin letters, typographic marks and emoji; letters of other alphabets come several together. */
const TELLING = /^(?:[ÂÃ]|â..|ð...)/u;

/** The first damaged word of a text; undefined for a sound one. */
export function findMojibake(text: string): Damage | undefined {
  for (const { 0: piece, index } of text.matchAll(SUSPECT)) {
    if (decoded(piece) === undefined || isLetterAndPunctuation(text, index)) continue;
    const found = wordAt(text, index);
    if (TELLING.test(piece) || pieces(found) > 1) return { found, meant: repaired(found) };
  }
  const lost = text.indexOf("\uFFFD");
  return lost === -1 ? undefined : { found: wordAt(text, lost), meant: undefined };
}

function isLetterAndPunctuation(text: string, index: number): boolean {
  return LETTER_AND_PUNCTUATION.test(text.slice(index, index + 2)) && !/\p{L}/u.test(text[index + 2] ?? "");
}

/** How many characters of a word can be put right. */
function pieces(word: string): number {
  return [...word.matchAll(SUSPECT)].filter(([piece]) => decoded(piece) !== undefined).length;
}

/** The word with everything put right that can be. */
function repaired(word: string): string {
  return word.replace(SUSPECT, (piece) => decoded(piece) ?? piece);
}

/** The characters that the bytes of the piece are in UTF-8; bytes that belong to none are kept as they were. */
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
