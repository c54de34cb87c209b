/** Finds what the last edition has of the reviews of the next one. */
import { lowerBound } from "../../lib/lower-bound.ts";
import type { Review } from "../../review.ts";
import type { ReviewList, ReviewSource } from "../../review-list.ts";

/** The reviews from position `start` up to but not including `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Where the last edition has the first of them, and after it the others, with the same text and stars. */
  readonly at: number | undefined;
  /** Whether they are the last edition's own, of which nothing has changed. */
  readonly isSame: boolean;
}

/** What the last edition, with these reviews, has of others: in stretches that follow one another. */
export function stretchesOf(reviews: ReviewList, last: ReviewSource | undefined): readonly Stretch[] {
  const stretches: Mutable<Stretch>[] = [];
  let start = 0;
  /** Of those of the last edition that do not come before the reviews passed so far, the first: its place and its id. */
  let next = 0;
  let nextId = idAt(0);

  function idAt(place: number): string | undefined {
    return last !== undefined && place < last.length ? last.idAt(place) : undefined;
  }

  function pass(to: number): void {
    next = to;
    nextId = idAt(to);
  }

  function add(at: number | undefined, isSame: boolean, count: number): void {
    const before = stretches.at(-1);
    const follows = before?.at === undefined ? undefined : before.at + start - before.start;
    if (before !== undefined && before.isSame === isSame && follows === at) before.end += count;
    else stretches.push({ start, end: start + count, at, isSame });
    start += count;
  }

  for (const { source, from, to } of reviews.runs) {
    if (source === last) {
      add(from, true, to - from);
      pass(to);
      continue;
    }
    for (let place = from; place < to; place++) {
      if (last === undefined || nextId === undefined) {
        add(undefined, false, to - place); // the last edition has no more
        break;
      }
      const id = source.idAt(place);
      if (nextId > id) pass(firstPlace(last, next, id));
      const isThere = nextId === id;
      add(isThere && isReadAlike(source.at(place), last.at(next)) ? next : undefined, false, 1);
      if (isThere) pass(next + 1);
    }
  }
  return stretches;
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

function isReadAlike(review: Review, other: Review): boolean {
  return review.text === other.text && review.rating === other.rating;
}

/** The first place at or after `from` whose review does not come before the one with this id. It is near, mostly. */
function firstPlace(source: ReviewSource, from: number, id: string): number {
  let [low, step] = [from, 1];
  while (low + step <= source.length && source.idAt(low + step - 1) > id) {
    low += step;
    step *= 2;
  }
  return low + lowerBound(Math.min(step, source.length - low), (offset) => source.idAt(low + offset) <= id);
}

/** Finds the stretch that has a position: mostly it is that of the position asked for before, or the next one. */
export function stretchFinder(stretches: readonly Stretch[]): (position: number) => Stretch | undefined {
  let current = 0;
  const isIn = (stretch: Stretch | undefined, position: number) =>
    stretch !== undefined && stretch.start <= position && position < stretch.end;
  return (position) => {
    if (isIn(stretches[current], position)) return stretches[current];
    if (!isIn(stretches[current + 1], position)) {
      current = lowerBound(stretches.length, (index) => (stretches[index] as Stretch).end > position);
    } else current++;
    return stretches[current];
  };
}
