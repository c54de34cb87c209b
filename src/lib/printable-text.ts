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
