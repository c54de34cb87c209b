/**
 * A segment of the inverted index (`text-segments.ts`) as it is kept: how many terms its reviews have, the numbers of
 * these terms in the dictionary, ascending, where the posting list of each starts, and the lists. A list has the gaps
 * between the reviews of a term, each in one byte or two; it is a bitmap of the segment's reviews if that is no longer.
 */
import { lowerBound } from "../../lib/lower-bound.ts";

/** The most reviews in a segment. A gap has 14 bits at most. */
export const MOST_REVIEWS = 4096;

export interface Segment {
  readonly terms: Uint32Array;
  readonly listStarts: Uint32Array;
  readonly lists: Uint8Array;
}

/** The bytes of a bitmap of so many reviews. */
export function bitmapLength(reviews: number): number {
  return (reviews + 7) >>> 3;
}

/** A segment with room for so many terms and bytes of lists. */
export function emptySegment(terms: number, bytes: number): { readonly segment: Segment; readonly all: Uint32Array } {
  const all = new Uint32Array(2 + 2 * terms + Math.ceil(bytes / 4));
  all[0] = terms;
  return { segment: openSegment(all), all };
}

/** Opens a segment. */
export function openSegment(all: Uint32Array): Segment {
  const terms = all[0] ?? 0;
  const listStarts = all.subarray(1 + terms, 2 + 2 * terms);
  const lists = all.subarray(2 + 2 * terms);
  return {
    terms: all.subarray(1, 1 + terms),
    listStarts,
    lists: new Uint8Array(lists.buffer, lists.byteOffset, lists.byteLength),
  };
}

/** One bit for each review of the segment that has one of the terms. They are in ascending order. */
export function reviewsWith(sought: readonly number[], segment: Segment, bitmap: Uint8Array): void {
  const { terms } = segment;
  let at = 0;
  for (const term of sought) {
    let step = 1;
    while (at + step < terms.length && (terms[at + step] as number) < term) {
      at += step;
      step *= 2;
    }
    const low = at;
    at += lowerBound(Math.min(step, terms.length - low), (ahead) => (terms[low + ahead] as number) >= term);
    if (at === terms.length) return;
    if (terms[at] === term) addList(segment, at, bitmap);
  }
}

function addList({ lists, listStarts }: Segment, place: number, bitmap: Uint8Array): void {
  const start = listStarts[place] as number;
  const end = listStarts[place + 1] as number;
  if (end - start === bitmap.length) {
    for (let byte = 0; byte < bitmap.length; byte++) {
      bitmap[byte] = (bitmap[byte] as number) | (lists[start + byte] as number);
    }
    return;
  }
  for (let at = start, review = -1; at < end; at++) {
    const gap = lists[at] as number;
    review += 1 + (gap < 128 ? gap : (gap & 127) + ((lists[++at] as number) << 7));
    bitmap[review >>> 3] = (bitmap[review >>> 3] as number) | (1 << (review & 7));
  }
}

/** The reviews of a bitmap, ascending. There may be bits after those of the segment. */
export function reviewsIn(bitmap: Uint8Array): number[] {
  const reviews: number[] = [];
  for (let byte = 0; byte < bitmap.length; byte++) {
    for (let bits = bitmap[byte] as number; bits !== 0; bits &= bits - 1) {
      reviews.push(byte * 8 + 31 - Math.clz32(bits & -bits));
    }
  }
  return reviews;
}
