/** Finds what the last edition has of the reviews of the next one. */
import { lowerBound } from "../../lower-bound.ts";
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
  const stretches: Stretch[] = [];
  let [start, passed] = [0, 0];

  function add({ at, isSame, count }: Pick<Stretch, "at" | "isSame"> & { readonly count: number }): void {
    const before = stretches.at(-1);
    const end = start + count;
    const follows = before?.at === undefined ? undefined : before.at + start - before.start;
    if (before !== undefined && before.isSame === isSame && follows === at) stretches.splice(-1, 1, { ...before, end });
    else stretches.push({ start, end, at, isSame });
    start = end;
  }

  for (const { source, from, to } of reviews.runs) {
    if (last === undefined) add({ at: undefined, isSame: false, count: to - from });
    else if (source === last) {
      add({ at: from, isSame: true, count: to - from });
      passed = to;
    } else {
      for (let place = from; place < to; place++) {
        const id = source.idAt(place);
        passed = firstPlace(last, passed, id);
        const isThere = passed < last.length && last.idAt(passed) === id;
        const isRead = isThere && isReadAlike(source.at(place), last.at(passed));
        add({ at: isRead ? passed : undefined, isSame: false, count: 1 });
        if (isThere) passed++;
      }
    }
  }
  return stretches;
}

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
