/**
 * Undoes HTML in customers' words: entities (`&amp;`, `&#39;`) that a program wrote in the place of characters, and the
 * tags of texts that are HTML as a whole.
 */
import { Parser } from "htmlparser2";

/** A named, decimal or hexadecimal entity. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
const decoded = new Map<string, string>();
const MAX_DECODED = 3000;

/** The text with each entity replaced by its character, once: `&amp;lt;` is `&lt;`. */
export function withoutEntities(text: string): string {
  return text.includes("&") ? text.replace(ENTITY, characterOf) : text;
}

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

const BREAK = /<br\s?\/?>/i;
const PARAGRAPH = /<p(?:\s[^<>]{0,300})?>/i;
const BLOCK_END = /<\/(?:p|div|li|h[1-6]|blockquote)>/i;
/** White space and one line end, which only indent the HTML. Each pattern here begins with a sign: none is tried anew at
 * each blank of a long run. */
const INDENT = /^[^\S\n]*\n?/;
const TAG =
  /<\/?(?:p|div|span|b|i|u|em|strong|a|ul|ol|li|h[1-6]|blockquote|font|img|small|s)(?:\s[^<>]{0,2000})?\/?>/gi;

/** Words without the tags of HTML, if they are HTML; its line breaks and paragraphs stay. Other values stay as they are. */
export function plainText(value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("<") || !isHtml(value)) return value;
  const lines = value.split(BREAK).map((line) => line.replace(INDENT, "").trimEnd());
  const blocks = lines.join("\n").split(BLOCK_END);
  return blocks
    .map((block) => block.trim())
    .join("\n\n")
    .replace(TAG, "")
    .trim();
}

/** Whether a text is HTML: it has line breaks, or whole paragraphs. */
function isHtml(text: string): boolean {
  const start = text.search(PARAGRAPH);
  return BREAK.test(text) || (start !== -1 && /<\/p>/i.test(text.slice(start)));
}
