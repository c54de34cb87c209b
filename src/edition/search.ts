/**
 * Search: finds the reviews of the index that match a filter. Dates narrow it to a range of positions. With a word index,
 * only texts that contain all terms of the query are read, and none if the query is one term.
 */
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import { makeFind } from "./byte-search.ts";
import { foldCase } from "./case-folding.ts";
import { countAfter, countSince, type ReviewIndex, recordSlice } from "./review-index.ts";
import { finish, type Steps } from "./steps.ts";
import { findCandidates } from "./word-index.ts";

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

/** The number of reviews that a search looks at in one step: their texts are a megabyte or two. */
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
    yield* findWords(reviewIndex, words, { start, end, isAllowed }, hits.add);
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

/** Where to look for words. */
interface Scope {
  readonly start: number;
  readonly end: number;
  readonly isAllowed: (position: number) => boolean;
}

/** Finds the reviews of the scope whose text contains the folded query. */
function* findWords(
  index: ReviewIndex,
  query: Buffer,
  { start, end, isAllowed }: Scope,
  found: (position: number) => void,
): Steps<void> {
  const candidates = index.wordIndex && (yield* findCandidates(index.wordIndex, query));
  const isCandidate = (position: number) => (candidates?.has(position) ?? true) && isAllowed(position);
  const readTexts = textReader(index, query);
  for (let position = start; position < end; ) {
    const stop = Math.min(end, position + STEP_REVIEWS);
    while (position < stop) {
      const first = position++;
      if (!isCandidate(first)) continue;
      if (candidates?.isExact) {
        found(first);
        continue;
      }
      while (position < stop && isCandidate(position)) position++;
      readTexts(first, position, found);
    }
    yield;
  }
}

/**
 * Returns what finds the texts that contain the folded query, from one position up to but not including another. The
 * query cannot contain the byte that ends each text, so no match spans two texts.
 */
function textReader({ words, wordStarts }: ReviewIndex, query: Buffer) {
  const find = makeFind(query);
  const startOf = (position: number) => wordStarts[position] as number;
  return (from: number, to: number, found: (position: number) => void): void => {
    const base = startOf(from);
    const texts = Buffer.from(words.buffer, words.byteOffset + base, startOf(to) - base);
    for (let position = from; position < to; position++) {
      const at = base + find(texts, startOf(position) - base);
      if (at < base) return;
      while (startOf(position + 1) <= at) position++;
      found(position);
    }
  };
}
