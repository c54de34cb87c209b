/**
 * Reviews in the order of publication, most of them without an object of their own: a list says where its reviews are,
 * and they are read when they are asked for. The next edition's list has stretches of the last edition, and the reviews
 * that changed between them.
 */
import { lowerBound } from "./lib/lower-bound.ts";
import { compareReviews, type Review } from "./review.ts";

/** Where reviews are: in memory as they are, or in the bytes of an edition. In the order of publication. */
export interface ReviewSource {
  readonly length: number;
  /** The review at a place, perhaps made for this call. */
  at(place: number): Review;
  idAt(place: number): string;
  ratingAt(place: number): number;
}

/** The reviews of a source from one place up to but not including another. */
interface Run {
  readonly source: ReviewSource;
  readonly from: number;
  readonly to: number;
}

export interface ReviewList extends Iterable<Review> {
  readonly length: number;
  /** Where the reviews are, in their order. */
  readonly runs: readonly Run[];
  /** The review at a position; undefined where there is none. */
  at(position: number): Review | undefined;
  /** The stars of all reviews. */
  ratings(): Uint8Array;
  /** The reviews from a position up to but not including another. Neither is negative. */
  slice(from: number, to?: number): ReviewList;
  /** The list without the reviews that have these ids, and the reviews taken out. */
  without(ids: Iterable<string>): { readonly left: ReviewList; readonly taken: readonly Review[] };
  /** The list with other reviews, whose ids it does not have. */
  with(others: readonly Review[]): ReviewList;
}

/** The reviews as they are. */
export function listOf(reviews: readonly Review[]): ReviewList {
  return listFrom([wholeOf(inMemory(reviews))]);
}

/** All reviews of a source. */
export function listAll(source: ReviewSource): ReviewList {
  return listFrom([wholeOf(source)]);
}

function wholeOf(source: ReviewSource): Run {
  return { source, from: 0, to: source.length };
}

function inMemory(reviews: readonly Review[]): ReviewSource {
  const at = (place: number) => reviews[place] as Review;
  return { length: reviews.length, at, idAt: (place) => at(place).id, ratingAt: (place) => at(place).rating };
}

function listFrom(parts: readonly Run[]): ReviewList {
  const runs = joined(parts);
  /** The position of each run's first review. */
  const starts: number[] = [];
  let length = 0;
  for (const { from, to } of runs) {
    starts.push(length);
    length += to - from;
  }
  /** The run of the review that was asked for last: mostly they are asked for in their order. */
  let current = 0;

  /** The run that has this position. */
  function runAt(position: number): number {
    const isIn = (run: number) => (starts[run] ?? length) <= position && position < (starts[run + 1] ?? length);
    if (isIn(current)) return current;
    if (isIn(current + 1)) return ++current;
    current = lowerBound(runs.length, (run) => (starts[run] as number) > position) - 1;
    return current;
  }

  function atPlace<Result>(position: number, read: (source: ReviewSource, place: number) => Result): Result {
    const run = runAt(position);
    const { source, from } = runs[run] as Run;
    return read(source, from + position - (starts[run] as number));
  }

  const reviewAt = (position: number) => atPlace(position, (source, place) => source.at(place));
  const idAt = (position: number) => atPlace(position, (source, place) => source.idAt(place));

  /** Appends the runs of the reviews from a position up to but not including another. There may be very many. */
  function cut(from: number, to: number, into: Run[]): Run[] {
    for (let run = from < to ? runAt(from) : runs.length; run < runs.length; run++) {
      const { source, from: first, to: end } = runs[run] as Run;
      const start = starts[run] as number;
      if (start >= to) break;
      into.push({ source, from: first + Math.max(0, from - start), to: Math.min(end, first + to - start) });
    }
    return into;
  }

  /** The first position at or after `from` whose id is not greater. Ids descend, because each begins with its date. */
  function firstPosition(from: number, id: string): number {
    return from + lowerBound(length - from, (offset) => idAt(from + offset) <= id);
  }

  return {
    length,
    runs,
    at: (position) => (position >= 0 && position < length ? reviewAt(position) : undefined),
    ratings() {
      const ratings = new Uint8Array(length);
      let position = 0;
      for (const { source, from, to } of runs) {
        for (let place = from; place < to; place++) ratings[position++] = source.ratingAt(place);
      }
      return ratings;
    },
    slice: (from, to = length) => listFrom(cut(from, Math.min(to, length), [])),
    without(ids) {
      const parts: Run[] = [];
      const taken: Review[] = [];
      let from = 0;
      for (const id of [...ids].sort().reverse()) {
        const position = firstPosition(from, id);
        if (position === length || idAt(position) !== id) continue;
        cut(from, position, parts);
        taken.push(reviewAt(position));
        from = position + 1;
      }
      return { left: listFrom(cut(from, length, parts)), taken };
    },
    with(others) {
      const ordered = others.toSorted(compareReviews);
      const source = inMemory(ordered);
      const parts: Run[] = [];
      let from = 0;
      for (const [place, { id }] of ordered.entries()) {
        const position = firstPosition(from, id);
        cut(from, position, parts).push({ source, from: place, to: place + 1 });
        from = position;
      }
      return listFrom(cut(from, length, parts));
    },
    *[Symbol.iterator]() {
      for (const { source, from, to } of runs) {
        for (let place = from; place < to; place++) yield source.at(place);
      }
    },
  };
}

/** The same runs, with those joined that go on where the one before ends. */
function joined(parts: readonly Run[]): readonly Run[] {
  const runs: Run[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (part.from >= part.to) continue;
    if (last?.source === part.source && last.to === part.from) runs[runs.length - 1] = { ...last, to: part.to };
    else runs.push(part);
  }
  return runs;
}
