/** Finds bytes in other bytes in linear time, whatever the input. */

/**
 * The platform's search is fast for ordinary text, but quadratic for repetitive bytes. It is therefore used for this
 * much of a needle only; the rest is compared by an algorithm that reads each byte once.
 */
const HEAD_BYTES = 32;

/** A needle, prepared for many searches. */
export interface Needle {
  /** The first position of the needle in `haystack` from `start` on, or -1. */
  findIn(haystack: Buffer, start: number): number;
}

/**
 * Prepares a needle. Occurrences that cross `end(position)`, the end of the part that contains a position, do not
 * count.
 */
export function makeNeedle(bytes: Buffer, end: (position: number) => number): Needle {
  if (bytes.length <= HEAD_BYTES) return { findIn: (haystack, start) => haystack.indexOf(bytes, start) };
  const head = bytes.subarray(0, HEAD_BYTES);
  const borders = bordersOf(bytes);
  return {
    findIn(haystack, start) {
      let at = haystack.indexOf(head, start);
      while (at !== -1) {
        const stop = end(at);
        const found = findLinearly(bytes, borders, haystack, at, stop);
        if (found !== -1) return found;
        at = haystack.indexOf(head, stop);
      }
      return -1;
    },
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

function findLinearly(
  needle: Uint8Array,
  borders: Uint32Array,
  haystack: Uint8Array,
  start: number,
  stop: number,
): number {
  if (stop - start < needle.length) return -1;
  let matched = 0;
  for (let index = start; index < stop; index++) {
    const byte = haystack[index];
    while (matched > 0 && byte !== needle[matched]) matched = borders[matched - 1] ?? 0;
    if (byte === needle[matched]) matched++;
    if (matched === needle.length) return index - matched + 1;
  }
  return -1;
}
