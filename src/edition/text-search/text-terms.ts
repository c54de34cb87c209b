/**
 * The terms of folded texts in UTF-8: words of letters and digits, and single characters of scripts that do not separate
 * words, such as Chinese. White space and the punctuation of ASCII separate terms.
 */

export const SEPARATOR = 0;
export const PART_OF_WORD = 1;

/** For each byte that begins a character one of the two, or the length of the character, which is a term of its own. */
export const characterKinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return /[0-9a-z]/i.test(String.fromCharCode(byte)) ? PART_OF_WORD : SEPARATOR;
  if (byte === 0xff) return SEPARATOR; // ends each text
  if (byte >= 0xf0) return 4; // emoji and rare ideographs
  if ((byte >= 0xe2 && byte <= 0xe9) || byte === 0xef) return 3; // symbols, kana, ideographs, full-width forms
  return PART_OF_WORD;
});

/** The first byte of the next term from `at` on, or `end`. */
export function termStart(bytes: Uint8Array, at: number, end: number): number {
  let start = at;
  while (start < end && characterKinds[bytes[start] as number] === SEPARATOR) start++;
  return start;
}

/** The end of the term that starts at `start`. */
export function termEnd(bytes: Uint8Array, start: number, end: number): number {
  const kind = characterKinds[bytes[start] as number] as number;
  if (kind > PART_OF_WORD) return Math.min(start + kind, end);
  let at = start;
  while (at < end && characterKinds[bytes[at] as number] === PART_OF_WORD) at++;
  return at;
}
