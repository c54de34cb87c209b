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

/** What shows a text to be HTML: line breaks, or whole paragraphs. */
const HTML = /<br\s?\/?>|<p(?:\s[^<>]{0,300})?>[\s\S]*<\/p>/i;
const BREAK = /\s*<br\s?\/?>[^\S\n]*\n?/gi;
const BLOCK_END = /\s*<\/(?:p|div|li|h[1-6]|blockquote)>\s*/gi;
const TAG =
  /<\/?(?:p|div|span|b|i|u|em|strong|a|ul|ol|li|h[1-6]|blockquote|font|img|small|s)(?:\s[^<>]{0,2000})?\/?>/gi;

/** Words without the tags of HTML, if they are HTML; its line breaks and paragraphs stay. Other values stay as they are. */
export function plainText(value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("<") || !HTML.test(value)) return value;
  return value.replace(BREAK, "\n").replace(BLOCK_END, "\n\n").replace(TAG, "").trim();
}
