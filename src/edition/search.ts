/** Search: which reviews of the shelf a filter asks for. Cheap columns narrow first, the text is read last. */
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import { makeNeedle } from "./byte-search.ts";
import { foldCase } from "./case-folding.ts";
import { countSince, dayNumber, type ReviewIndex, recordSlice } from "./review-index.ts";

/** Hits before the limit, and the positions of those within it. */
export interface Hits {
  readonly matched: number;
  readonly positions: readonly number[];
}

/** What a list asks besides the filter: how many hits to pass over, and whether the owner replied. */
export interface ListOptions {
  readonly offset?: number;
  readonly replied?: boolean;
}

/** The reviews that satisfy every member of the filter, newest first. */
export function search(
  reviewIndex: ReviewIndex,
  business: Business,
  filter: Filter,
  { offset = 0, replied }: ListOptions = {},
): Hits {
  const end = filter.since === undefined ? reviewIndex.count : countSince(reviewIndex, filter.since);
  const latest = filter.until === undefined ? undefined : dayNumber(filter.until);
  const named = namedPositions(reviewIndex, business, filter);
  const worded = filter.query === undefined ? undefined : positionsWithWords(reviewIndex, foldCase(filter.query));
  const positions: number[] = [];
  let matched = 0;
  for (let position = 0; position < end; position++) {
    const rating = reviewIndex.ratings[position] ?? 0;
    if (latest !== undefined && (reviewIndex.days[position] ?? 0) > latest) continue;
    if (filter.rating !== undefined && rating !== filter.rating) continue;
    if (filter.min_rating !== undefined && rating < filter.min_rating) continue;
    if (!named.every((set) => set.has(position))) continue;
    if (worded !== undefined && worded[position] !== 1) continue;
    if (replied !== undefined && (reviewIndex.replied[position] === 1) !== replied) continue;
    matched++;
    if (matched > offset && positions.length < filter.limit) positions.push(position);
  }
  return { matched, positions };
}

/** `{ matched, returned, reviews[] }` as JSON (interface §1, search result). */
export function renderHits(reviewIndex: ReviewIndex, hits: Hits): Uint8Array {
  const reviews = hits.positions.flatMap((position, index) => {
    const record = recordSlice(reviewIndex, position, position + 1);
    return index === 0 ? [record] : [Buffer.from(","), record];
  });
  const head = `{"matched":${hits.matched},"returned":${hits.positions.length},"reviews":[`;
  return Buffer.concat([Buffer.from(head), ...reviews, Buffer.from("]}")]);
}

/** For each mention filter given: the positions that it allows. A name that nobody bears allows none. */
function namedPositions(reviewIndex: ReviewIndex, business: Business, filter: Filter): ReadonlySet<number>[] {
  const sets: ReadonlySet<number>[] = [];
  const { mentions_technician: technician, mentions_service: service } = filter;
  if (technician !== undefined) {
    const isAsked = sameAs(technician);
    const named = business.technicians.filter(({ id, name }) => isAsked(id) || isAsked(name));
    sets.push(union(named.map(({ id }) => reviewIndex.technicians.get(id))));
  }
  if (service !== undefined) {
    const isAsked = sameAs(service);
    const named = business.services.filter(({ id, label }) => isAsked(id) || isAsked(label));
    sets.push(union(named.map(({ id }) => reviewIndex.services.get(id))));
  }
  return sets;
}

function union(lists: readonly (Uint32Array | undefined)[]): ReadonlySet<number> {
  return new Set(lists.flatMap((list) => [...(list ?? [])]));
}

/** Folds what is asked once only: a tool's argument may be long. */
function sameAs(asked: string): (name: string) => boolean {
  const sought = foldCase(asked);
  return (name) => foldCase(name) === sought;
}

/**
 * A 1 for each review whose text holds the folded words. One pass over all texts; the separating byte cannot be part
 * of the needle, so no hit spans two reviews.
 */
function positionsWithWords(reviewIndex: ReviewIndex, words: string): Uint8Array {
  const flags = new Uint8Array(reviewIndex.count);
  const haystack = Buffer.from(reviewIndex.words.buffer, reviewIndex.words.byteOffset, reviewIndex.words.byteLength);
  let position = 0;
  const endOfText = (at: number): number => {
    while ((reviewIndex.wordStarts[position + 1] ?? 0) <= at) position++;
    return reviewIndex.wordStarts[position + 1] ?? 0;
  };
  const needle = makeNeedle(Buffer.from(words), endOfText);
  let at = needle.findIn(haystack, 0);
  while (at !== -1 && position < reviewIndex.count) {
    const end = endOfText(at);
    flags[position] = 1;
    at = needle.findIn(haystack, end);
  }
  return flags;
}
