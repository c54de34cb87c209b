/** Restores a customer's own text: removes a translator's wrapper and characters that no document may contain. */

import { withoutEntities } from "./html-text.ts";
import { withoutTranslation } from "./translation-labels.ts";

/** The text without wrapper and unprintable characters; null if nothing is left. */
export function customerWords(text: string): string | null {
  const clean = printable(withoutEntities(text));
  const own = withoutTranslation(clean);
  return own.trim() === "" ? null : own;
}

/**
 * A name or address on one line, without unprintable characters, trimmed. Names are published otherwise as exported.
 */
export function oneLine(text: string): string {
  const clean = printable(withoutEntities(text)).trim();
  return UNEVEN.test(clean) ? clean.replace(/\s+/g, " ") : clean;
}

/** Space that is more than one blank between two words. */
const UNEVEN = /\s\s|[^\S ]/;

/** Matches every text that has to be changed; most texts do not match. */
const SUSPECT = /[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]/;

/** Line ends as \n; no control characters but \n and tab, which XML forbids; half a surrogate pair as U+FFFD. */
function printable(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])[\p{Cc}\uFFFE\uFFFF]/gu, "")
    .toWellFormed();
}
