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
  return /(?:…|\.\.\.)[\s([]*$/.test(text.slice(-10));
}

const CUT = new RegExp(`(?:…|\\.\\.\\.)\\s?[([]?(?:${MORE})[)\\]]?$`, "iu");
const MAX_END = 30;

/** Whether a text ends with the button of a page that shows the rest: "They came and … More". */
export function isCutShort(text: string): boolean {
  return CUT.test(text.slice(-MAX_END));
}
