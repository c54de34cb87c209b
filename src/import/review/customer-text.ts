/** Restores a customer's own text: removes a translator's wrapper and characters that no document may contain. */
import { printableText } from "../../lib/printable-text.ts";
import { withoutEntities } from "./html-text.ts";
import { withoutTranslation } from "./translation-labels.ts";

/** The text without wrapper and unprintable characters; null if nothing is left. */
export function customerWords(text: string): string | null {
  const clean = printableText(withoutEntities(text));
  const own = withoutTranslation(clean);
  return own.trim() === "" ? null : own;
}

/**
 * A name or address on one line, without unprintable characters, trimmed. Names are published otherwise as exported.
 */
export function oneLine(text: string): string {
  const clean = printableText(withoutEntities(text)).trim();
  return UNEVEN.test(clean) ? clean.replace(/\s+/g, " ") : clean;
}

/** Space that is more than one blank between two words. */
const UNEVEN = /\s\s|[^\S ]/;
