/** Finds bytes in a sequence of texts in linear time, whatever the input. */

/** Separates texts and terms. It does not occur in UTF-8. */
export const SEPARATOR = 0xff;

/**
 * The platform's search is fast for ordinary text, but quadratic for repetitive bytes. It is therefore used for this
 * much of a needle only; the rest is compared by an algorithm that reads each byte once.
 */
const HEAD_BYTES = 32;

/** Returns the first position of the needle in `texts` from `start` on, or -1. */
export type FindNeedle = (texts: Buffer, start: number) => number;

/** Prepares a needle for many searches. It may begin and end with a separator, and contains none inside. */
export function makeFind(needle: Buffer): FindNeedle {
  if (needle.length <= HEAD_BYTES) return (texts, start) => texts.indexOf(needle, start);
  const head = needle.subarray(0, HEAD_BYTES);
  const borders = bordersOf(needle);
  return (texts, start) => {
    for (let at = texts.indexOf(head, start); at !== -1; ) {
      const end = texts.indexOf(SEPARATOR, at + 1);
      const found = findLinearly(needle, borders, texts.subarray(at, end + 1));
      if (found !== -1) return at + found;
      at = texts.indexOf(head, end);
    }
    return -1;
  };
}

/** The failure function of Knuth, Morris and Pratt: for each prefix, the length of its longest proper border. */
function bordersOf(needle: Uint8Array): Uint32Array {
  const borders = new Uint32Array(needle.length);
  let length = 0;
  for (let index = 1; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[index] === needle[length]) length++;
    borders[index] = length;
  }
  return borders;
}

function findLinearly(needle: Uint8Array, borders: Uint32Array, text: Uint8Array): number {
  if (text.length < needle.length) return -1;
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    while (matched > 0 && byte !== needle[matched]) matched = borders[matched - 1] ?? 0;
    if (byte === needle[matched]) matched++;
    if (matched === needle.length) return index - matched + 1;
  }
  return -1;
}
