/** Unicode simple case folding, which search uses (interface §2; Unicode Standard §3.13, status C and S). */

/** Replaces each code point by its simple folding. Texts that differ only in case become equal. */
export function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase(); // for ASCII that is the same, and much faster
  const lower = text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  return lower.replace(/[^\0-\x7f]/gu, foldCodePoint);
}

/**
 * Folds one code point. JavaScript has full case conversion and, in `/iu` expressions, comparison by simple folding. A
 * result of the former counts only if the latter agrees (dotless ı is not i).
 */
function foldCodePoint(character: string): string {
  const upper = onePoint(character.toUpperCase()) ?? character;
  const candidate = onePoint(upper.toLowerCase()) ?? upper;
  if (candidate === character) return character; // as most are: they have no case, or the lower one
  const agrees = new RegExp(`^${character}$`, "iu").test(candidate);
  return agrees ? candidate : character;
}

/** The text when it is a single code point. */
function onePoint(text: string): string | undefined {
  return [...text].length === 1 ? text : undefined;
}
