/**
 * Undoes what mail and programs write in the place of characters: quoted-printable (`It=E2=80=99s`), the encoded words of
 * mail (`=?UTF-8?Q?Ren=C3=A9?=`), the escapes of JSON (`\n`, `\u00e9`) and what forms send (`Great+work%21`).
 */
import { isUtf8 } from "node:buffer";

/** The text with these characters; the same text if it has none of them, or if it is not sure. */
export function withoutEscapes(text: string): string {
  if (text.includes("%") && FORM.test(text)) return formWords(text);
  const plain = text.includes("=") ? unquoted(withoutEncodedWords(text)) : text;
  return /\\|%u[\da-f]{4}/i.test(plain) ? withoutBackslashes(plain) : plain;
}

/** All of a text as forms send it: without a blank, with signs for blanks and codes for other signs. */
const FORM = /^(?=[^%]*(?:%(?!20)[\da-f]{2}))(?=.*(?:\w\+\w|%20))(?:[\w.*+!~'()-]|%[\da-f]{2})+$/i;

/** A name of the same record, in which a form needs no codes: `Bo+C.` */
const NAME_OF_FORM = /^[\p{L}\d.'-]+(?:\+[\p{L}\d.'-]+)+$/u;

/** A name as forms and links send it, of which the text beside it tells where the name itself does not. */
export function nameOfForm(name: string, text: unknown): string {
  if (/^\S{1,100}$/.test(name) && name.includes("%20")) return formWords(name);
  return typeof text === "string" && FORM.test(text) && NAME_OF_FORM.test(name) ? name.replaceAll("+", " ") : name;
}

function formWords(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

const ENCODED_WORD = /=\?([\w-]{2,20})\?([QB])\?([^?\s]{0,2000})\?=(?:\s{1,10}(?==\?))?/gi;

function withoutEncodedWords(text: string): string {
  return text.replace(ENCODED_WORD, (whole, charset: string, kind: string, words: string) => {
    const isBase64 = kind.toUpperCase() === "B";
    const bytes = isBase64 ? Buffer.from(words, "base64") : bytesOf(words.replaceAll("_", " "));
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      return whole;
    }
  });
}

/** An equals sign that quoted-printable does not have. */
const OTHER_SIGN = /=(?![\dA-F]{2}|[ \t]{0,80}(?:\r?\n|$))/i;
const BYTES = /(?:=[\dA-F]{2})+/gi;
/** The end of a line that a program broke where it was full. */
const SOFT_END = /=[ \t]{0,80}(?:\r?\n|$)/g;
const FULL_LINE = /[^\n]{40,80}=[ \t]{0,80}\r?\n|=20\r?\n/;

/** Quoted-printable as its characters, if all equals signs are of it and one stands for a character that no link has. */
function unquoted(text: string): string {
  if (!/=[\dA-F]{2}|=[ \t]{0,80}\r?\n/i.test(text) || OTHER_SIGN.test(text)) return text;
  const joined = text.replace(SOFT_END, "");
  const runs = joined.match(BYTES) ?? [];
  const hasCharacters = runs.some((run) => run.length > 3 && bytesOf(run).some((byte) => byte > 0x7f));
  if (!hasCharacters && !FULL_LINE.test(text)) return text;
  return runs.every((run) => isUtf8(bytesOf(run))) ? joined.replace(BYTES, (run) => bytesOf(run).toString()) : text;
}

function bytesOf(words: string): Buffer {
  const pieces = words.split(/=([\dA-F]{2})/i);
  return Buffer.concat(pieces.map((piece, at) => Buffer.from(piece, at % 2 === 1 ? "hex" : "utf8")));
}

/** Folders of Windows, in which a backslash is one. */
const FOLDER = /(?:^|\s)(?:[A-Z]:|\\)\\/i;
const ESCAPE = /(?:\\u|\\x(?=[\da-f]{2}(?![\da-f]))|%u)([\da-f]{2,4})|\\(r?\\?n)|\\(["/])/gi;

function withoutBackslashes(text: string): string {
  if (FOLDER.test(text)) return text;
  const plain = text.replace(ESCAPE, (whole, code?: string, line?: string, sign?: string) => {
    if (code !== undefined && (code.length === 4 || whole.startsWith("\\x")))
      return String.fromCharCode(Number.parseInt(code, 16));
    if (line !== undefined) return line === "n" || line === "r\\n" ? "\n" : whole;
    return sign ?? whole;
  });
  return plain.toWellFormed();
}
