/** Text from outside, without characters that XML forbids or that PostgreSQL and strict readers of JSON refuse. */

/** Matches every text that has to be changed; most texts do not match. */
const SUSPECT = /[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]/;

/** Line ends as \n; no control characters but \n and tab, which XML forbids; half a surrogate pair as U+FFFD. */
export function printableText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])[\p{Cc}\uFFFE\uFFFF]/gu, "")
    .toWellFormed();
}

/** Characters that break a line or change the writing direction of what follows them. */
const MISLEADING = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A file's name, or a message that holds names, as a line: `\u202Egnp.csv` would look like another one. */
export function plainLine(text: string): string {
  return text.replace(MISLEADING, "\ufffd").toWellFormed();
}
