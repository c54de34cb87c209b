/**
 * Undoes HTML in customers' words: entities (`&amp;`, `&#39;`) that a program wrote in the place of characters, and the
 * tags of texts that are HTML as a whole, or BBCode.
 */
import { Parser } from "htmlparser2";

/** A named, decimal or hexadecimal entity. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
const decoded = new Map<string, string>();
const MAX_DECODED = 3000;

/** The text with each entity replaced by its character, once: `&amp;lt;` is `&lt;`. */
export function withoutEntities(text: string): string {
  return text.includes("&") ? text.replace(TWICE, "&$1;").replace(ENTITY, characterOf) : text;
}

/** What no customer writes: an entity that was escaped again. Angles stay, as somebody may write of HTML. */
const TWICE = /&amp;(#\d{1,7}|#x[\da-f]{1,6}|amp|quot|apos|nbsp);/gi;

function characterOf(entity: string): string {
  const known = decoded.get(entity);
  if (known !== undefined) return known;
  let character = "";
  const parser = new Parser({
    ontext(text) {
      character += text;
    },
  });
  parser.end(entity);
  if (decoded.size < MAX_DECODED) decoded.set(entity, character);
  return character;
}

/** What shows a text to be HTML: a break, or the end of an element. */
const HTML =
  /<br\s?\/?>|<!\[CDATA\[|<\/(?:p|div|span|b|i|u|em|strong|a|ul|ol|li|h[1-6]|blockquote|font|script|style)\s?>/i;
// Each of these begins with a sign: blanks around it are trimmed by hand, so that none is tried at each of a run of them.
const BREAK = /<br\s?\/?>/i;
const BLOCK_END = /<\/(?:p|li|h[1-6]|blockquote)>/i;
const LINE_END = /<\/div>/i;
/** Blanks and one line end, which only indent the HTML after a break. */
const INDENT = /^[^\S\n]*\n?/;
const UNSEEN =
  /<(?:script|style)(?:\s[^<>]{0,2000})?>[^<]{0,20000}<\/(?:script|style)\s?>|<!--[^<>]{0,2000}-->|<!\[CDATA\[|\]\]>/gi;
const TAG =
  /<\/?(?:p|div|span|b|i|u|em|strong|a|ul|ol|li|h[1-6]|blockquote|font|img|small|s)(?:\s[^<>]{0,2000})?\/?>/gi;

const BBCODE = /\[(\/?)(b|i|u|s|url|img|size|color|quote|list|center|font|email)(?:=[^[\]\n]{0,2000})?\]/gi;

/** The text without the tags of BBCode that are both opened and closed in it. */
function withoutBbcode(text: string): string {
  const names = (isEnd: boolean) =>
    new Set(
      Array.from(text.matchAll(BBCODE), ([, end, name = ""]) => ((end === "/") === isEnd ? name.toLowerCase() : "")),
    );
  const whole = names(false).intersection(names(true));
  return text.replace(BBCODE, (tag, _, name: string) => (whole.has(name.toLowerCase()) ? "" : tag));
}

/**
 * Words without the tags of HTML or BBCode, if they have them; line breaks and paragraphs stay. Other values stay as
 * they are.
 */
export function plainText(given: unknown): unknown {
  const value = typeof given === "string" && given.includes("[/") ? withoutBbcode(given) : given;
  if (typeof value !== "string") return value;
  const text =
    !value.includes("<") && value.includes("&") && /&lt;|&#0*60;/i.test(value) ? withoutEntities(value) : value;
  if (!text.includes("<") || !HTML.test(text)) return value;
  const lines = text.replace(UNSEEN, "").split(BREAK);
  const broken = lines.map((line) => line.replace(INDENT, "").trimEnd()).join("\n");
  const blocks = trimmed(broken.split(BLOCK_END)).join("\n\n");
  return trimmed(blocks.split(LINE_END)).join("\n").replace(TAG, "").trim();
}

function trimmed(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim());
}
