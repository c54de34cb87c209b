/** Unicode normalisation (UAX #15) of text from outside, in time that grows with its length. */

/**
 * More marks in a row than a text has (UAX #15, Stream-Safe Text Format). `normalize()` sorts the marks of a run by moving
 * each past those before it, which takes minutes for a run of a megabyte.
 */
const MANY_MARKS = /([\p{M}\uff9e\uff9f]{31})/u;

/** The normal form of a text, in which the marks of longer runs than languages have stay in their order. */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (!MANY_MARKS.test(text)) return text.normalize(form);
  const pieces = text.split(MANY_MARKS).map((piece, at) => (at % 2 === 0 ? piece.normalize(form) : piece));
  return pieces.join("");
}
