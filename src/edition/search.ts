/**
 * Search: finds the reviews of the index that match a filter. Dates narrow it to a range of positions. Texts are read
 * last, and only in blocks of reviews that may contain the query.
 */
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import { foldCase } from "./case-folding.ts";
import { lowerBound } from "./column/lower-bound.ts";
import { countAfter, countSince, type ReviewIndex, recordSlice } from "./review-index.ts";
import { finish, type Steps } from "./steps.ts";
import { makeNeedle } from "./text-search/byte-search.ts";
import { blocksOf } from "./text-search/text-blocks.ts";

/** The total number of matches, and the positions of those within offset and limit. */
export interface Hits {
  readonly matched: number;
  readonly positions: readonly number[];
}

/** Options of a list besides the filter. */
export interface ListOptions {
  /** Only reviews with an owner reply, or only those without one. */
  readonly replied?: boolean;
  /** Only reviews with text, or only those of stars alone. */
  readonly written?: boolean;
  /** The order; without one, newest first. Reviews with the same stars are newest first, too. */
  readonly order?: ListOrder | undefined;
}

export type ListOrder = "oldest" | "highest" | "lowest";

/** So many reviews are looked at, at most, before a search can give way: their texts are a megabyte or two. */
const STEP_REVIEWS = 2_048;

/**
 * Finds the reviews that match all members of the filter, newest first or in the order asked for.
 * @public Benches measure it.
 */
export function search(reviewIndex: ReviewIndex, business: Business, filter: Filter, options?: ListOptions): Hits {
  return finish(searchSteps(reviewIndex, business, filter, options));
}

/** The same in steps of a millisecond or less, after each of which other work can be done. */
export function* searchSteps(
  reviewIndex: ReviewIndex,
  business: Business,
  filter: Filter,
  { replied, written, order }: ListOptions = {},
): Steps<Hits> {
  const start = filter.until === undefined ? 0 : countAfter(reviewIndex, filter.until);
  const end = filter.since === undefined ? reviewIndex.count : countSince(reviewIndex, filter.since);
  const isRated = ratingTest(filter);
  const named = namedPositions(reviewIndex, business, filter);
  const hits = order === undefined ? collector(filter) : sortingCollector(filter, order, reviewIndex.ratings);
  const isAllowed = (position: number) =>
    isRated(position) &&
    (named === undefined || named[position] === 1) &&
    (replied === undefined || (reviewIndex.replied[position] === 1) === replied) &&
    (written === undefined || hasText(reviewIndex, position) === written);
  const words = filter.query === undefined ? undefined : Buffer.from(foldCase(filter.query));
  if (words !== undefined) {
    let looked = 0;
    for (const range of blockRanges(words, reviewIndex, start, end)) {
      for (let { from } = range; from < range.to; from += STEP_REVIEWS) {
        const to = Math.min(range.to, from + STEP_REVIEWS);
        findWords(reviewIndex, words, { from, to }, isAllowed, hits.add);
        looked += to - from;
        if (looked < STEP_REVIEWS) continue;
        looked = 0;
        yield;
      }
    }
  } else if (
    named === undefined &&
    replied === undefined &&
    written === undefined &&
    filter.rating === undefined &&
    filter.min_rating === undefined
  ) {
    hits.addAll(start, end);
  } else {
    for (let position = start; position < end; position++) {
      if (isAllowed(position)) hits.add(position);
      if ((position - start) % STEP_REVIEWS === STEP_REVIEWS - 1) yield;
    }
  }
  return { matched: hits.matched(), positions: hits.positions() };

  function ratingTest({ rating, min_rating }: Filter): (position: number) => boolean {
    const { ratings } = reviewIndex;
    const allowed = [0, 1, 2, 3, 4, 5].map(
      (stars) => (rating === undefined || stars === rating) && (min_rating === undefined || stars >= min_rating),
    );
    return (position) => allowed[ratings[position] ?? 0] ?? false;
  }
}

/** Whether the review has more in the index of texts than the byte that ends it. */
function hasText({ wordStarts }: ReviewIndex, position: number): boolean {
  return (wordStarts[position + 1] ?? 0) - (wordStarts[position] ?? 0) > 1;
}

/** Counts matches and collects the positions within offset and limit. */
function collector({ offset, limit }: Filter) {
  const positions: number[] = [];
  let matched = 0;
  return {
    positions: () => positions,
    matched: () => matched,
    add(position: number): void {
      if (matched >= offset && positions.length < limit) positions.push(position);
      matched++;
    },
    /** Adds all positions from `start` to `end` without iterating over them. */
    addAll(start: number, end: number): void {
      const last = Math.min(end, start + offset + limit);
      for (let position = start + offset; position < last; position++) positions.push(position);
      matched = Math.max(0, end - start);
    },
  };
}

/** Collects all matches, those of each number of stars apart if the order is by stars. */
function sortingCollector({ offset, limit }: Filter, order: ListOrder, ratings: Uint8Array) {
  const found: number[][] = [[], [], [], [], [], []];
  const groupOf = order === "oldest" ? () => 0 : (position: number) => ratings[position] ?? 0;
  let matched = 0;
  const add = (position: number): void => {
    matched++;
    found[groupOf(position)]?.push(position);
  };
  return {
    positions(): readonly number[] {
      const groups = order === "lowest" ? found : found.toReversed();
      const positions: number[] = [];
      let passed = 0;
      for (const group of groups) {
        const first = Math.max(0, offset - passed);
        const last = offset + limit - passed; // as group.length grows, `slice` ends where the group does
        if (last > 0) positions.push(...slice(group, first, last));
        passed += group.length;
      }
      return positions;
    },
    matched: () => matched,
    add,
    addAll(start: number, end: number): void {
      for (let position = start; position < end; position++) add(position);
    },
  };

  /** Part of a group, of which `oldest` has the last match first. */
  function slice(group: readonly number[], first: number, last: number): number[] {
    if (order !== "oldest") return group.slice(first, last);
    const length = group.length;
    return group.slice(Math.max(0, length - last), Math.max(0, length - first)).reverse();
  }
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

/**
 * 1 for each review that matches all mention filters; undefined without such filters. An unknown name matches no
 * review.
 */
function namedPositions(reviewIndex: ReviewIndex, business: Business, filter: Filter): Uint8Array | undefined {
  const { mentions_technician: technician, mentions_service: service } = filter;
  const lists: (readonly (Uint32Array | undefined)[])[] = [];
  if (technician !== undefined) {
    const isAsked = sameAs(technician);
    const named = business.technicians.filter(({ id, name }) => isAsked(id) || isAsked(name));
    lists.push(named.map(({ id }) => reviewIndex.technicians.get(id)));
  }
  if (service !== undefined) {
    const isAsked = sameAs(service);
    const named = business.services.filter(({ id, label }) => isAsked(id) || isAsked(label));
    lists.push(named.map(({ id }) => reviewIndex.services.get(id)));
  }
  if (lists.length === 0) return undefined;
  const flags = new Uint8Array(reviewIndex.count);
  for (const [round, alternatives] of lists.entries()) {
    for (const list of alternatives) {
      for (const position of list ?? []) if (flags[position] === round) flags[position] = round + 1;
    }
  }
  return lists.length === 1 ? flags : flags.map((rounds) => (rounds === lists.length ? 1 : 0));
}

/** Folds the query only once, because a tool's argument may be long. */
function sameAs(asked: string): (name: string) => boolean {
  const sought = foldCase(asked);
  return (name) => foldCase(name) === sought;
}

/** Positions from `from` up to but not including `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The ranges of positions between `start` and `end` that may contain the query. Adjacent blocks form one range. */
function* blockRanges(words: Uint8Array, index: ReviewIndex, start: number, end: number): Generator<Range> {
  const blocks = blocksOf(words, index);
  if (blocks === undefined) {
    if (start < end) yield { from: start, to: end };
    return;
  }
  const { blockStarts } = index;
  const startOf = (block: number) => blockStarts[block] ?? index.count;
  const isMarked = (block: number) => (((blocks[block >>> 5] ?? 0) >>> (block & 31)) & 1) === 1;
  const last = lowerBound(blockStarts.length - 1, (block) => startOf(block) >= end);
  for (let block = lowerBound(last, (block) => startOf(block + 1) > start); block < last; block++) {
    if ((blocks[block >>> 5] ?? 0) >>> (block & 31) === 0) {
      block |= 31; // none of the blocks that are left in this word
      continue;
    }
    if (!isMarked(block)) continue;
    const first = block;
    while (block + 1 < last && isMarked(block + 1)) block++;
    yield { from: Math.max(start, startOf(first)), to: Math.min(end, startOf(block + 1)) };
  }
}

/**
 * Finds the allowed reviews in a range whose text contains the folded query. The query cannot contain the byte that
 * separates texts, so no match spans two reviews.
 */
function findWords(
  index: ReviewIndex,
  words: Buffer,
  { from, to }: Range,
  isAllowed: (position: number) => boolean,
  found: (position: number) => void,
): void {
  const { wordStarts } = index;
  const startOf = (position: number) => wordStarts[position] ?? 0;
  const texts = Buffer.from(index.words.buffer, index.words.byteOffset + startOf(from), startOf(to) - startOf(from));
  const base = startOf(from);
  let position = from;
  const endOfText = (at: number): number => {
    while (startOf(position + 1) - base <= at) position++;
    return startOf(position + 1) - base;
  };
  const needle = makeNeedle(words, endOfText);
  let at = needle.findIn(texts, 0);
  while (at !== -1) {
    const end = endOfText(at);
    if (isAllowed(position)) found(position);
    let next = position + 1;
    while (next < to && !isAllowed(next)) next++;
    if (next >= to) return;
    at = needle.findIn(texts, next === position + 1 ? end : startOf(next) - base);
  }
}
