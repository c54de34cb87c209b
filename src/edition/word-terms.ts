/**
 * The terms of folded texts in UTF-8: words of letters and digits, and single characters of scripts that do not separate
 * words, such as Chinese. White space and the punctuation of ASCII separate terms.
 */
import { SEPARATOR } from "./byte-search.ts";

const BETWEEN_TERMS = 0;
const PART_OF_WORD = 1;

/** By the first byte of a character: one of the two above, or the byte length of a character that is a term. */
const characterKinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return /[0-9a-z]/i.test(String.fromCharCode(byte)) ? PART_OF_WORD : BETWEEN_TERMS;
  if (byte === SEPARATOR) return BETWEEN_TERMS;
  if (byte >= 0xf0) return 4; // emoji and rare ideographs
  if ((byte >= 0xe2 && byte <= 0xe9) || byte === 0xef) return 3; // symbols, kana, ideographs, full-width forms
  return PART_OF_WORD;
});

/** Calls `found` with the start and end of each term of `bytes` from `start` up to but not including `end`. */
export function eachTerm(
  bytes: Uint8Array,
  start: number,
  end: number,
  found: (start: number, end: number) => void,
): void {
  for (let at = start; at < end; ) {
    const first = at;
    const kind = characterKinds[bytes[at] as number] as number;
    at += Math.max(1, kind);
    if (kind === BETWEEN_TERMS) continue;
    if (kind === PART_OF_WORD) while (at < end && characterKinds[bytes[at] as number] === PART_OF_WORD) at++;
    found(first, at);
  }
}
