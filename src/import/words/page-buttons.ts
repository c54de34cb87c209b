/** Recognises the words of a page's buttons that stand in or behind a customer's words: "Read more", "Show less", "Translate". */
import { BESIDE_TEXT, MORE, SHOW_ORIGINAL } from "./page-words.ts";

/** What a button does: shows the rest, something else, or the words of which these are a translation. */
export type Button = "more" | "beside" | "original";

const [MORE_ALONE, BESIDE_ALONE, ORIGINAL_ALONE] = [MORE, BESIDE_TEXT, SHOW_ORIGINAL].map(
  (words) => new RegExp(`^(?:${words})$`, "iu"),
);
/** Signs around the words, and what a button counts or names: `Helpful (3)`, `See original (German)`. */
const SIGNS = /^[\s…./+–—\-»›▼▾▸→([]+|[\s…./+–—\-«»›▲▴▼▾▸→)\]]+$/gu;
const IN_BRACKETS = /\s?\([^()]{1,20}\)$/;
const MAX_LENGTH = 60;

/** What a button with these words does; undefined for any other words. */
export function buttonOf(given: string): Button | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const bare = given.trim().replace(IN_BRACKETS, "");
  const words = bare.replace(SIGNS, "").replace(/\s+/g, " ");
  if (MORE_ALONE?.test(words)) return "more";
  if (ORIGINAL_ALONE?.test(words)) return "original";
  return BESIDE_ALONE?.test(words) ? "beside" : undefined;
}

/** Whether the words end where a page leaves out the rest. */
export function endsCut(text: string): boolean {
  return /(?:…|\.\.\.)[\s([]{0,8}$/.test(text.slice(-10));
}

const [MIN_WORDS, MAX_WORDS, MAX_LAST] = [2, 4, 5];

/**
 * A text without the buttons that were copied with it: in lines of their own at its end, or as the last words of it,
 * which begin like a sentence (`Good work Read more`). One behind words that are cut short stays, and what shows an
 * original: they say that something is missing.
 */
export function withoutLastButtons(text: string): string {
  let rest = text.trimEnd();
  for (let count = 0; count < MAX_LAST; count += 1) {
    const from = lastButtonAt(rest);
    if (from === undefined) break;
    rest = rest.slice(0, from).trimEnd();
  }
  return rest.length === text.trimEnd().length ? text : rest;
}

/** Where the button begins with which a text ends; undefined if it ends with none, or is nothing else. */
function lastButtonAt(text: string): number | undefined {
  const line = text.lastIndexOf("\n") + 1;
  const isLine = line > 0 && isIdle(text.slice(line).replace(/\s\d{1,4}$/, ""), text.slice(0, line));
  if (isLine) return line;
  const tail = text.slice(Math.max(line, text.length - MAX_LENGTH));
  const starts = Array.from(tail.matchAll(/(?<=\s)\p{Lu}/gu), ({ index }) => text.length - tail.length + index);
  return starts.find((at) => {
    const words = text.slice(at).split(/\s+/).length;
    return words >= MIN_WORDS && words <= MAX_WORDS && isIdle(text.slice(at), text.slice(0, at));
  });
}

/** Whether words are those of a button by which nothing is missing of the words before. */
function isIdle(words: string, before: string): boolean {
  const button = buttonOf(words);
  return button === "beside" || (button === "more" && !endsCut(before) && !/^\s*(?:…|\.\.\.)/.test(words));
}

const CUT = new RegExp(`(?:…|\\.\\.\\.)\\s?[([]?(?:${MORE})[)\\]]?$`, "iu");
const MAX_END = 30;

/** Whether a text ends with the button of a page that shows the rest: "They came and … More". */
export function isCutShort(text: string): boolean {
  return CUT.test(text.slice(-MAX_END));
}
