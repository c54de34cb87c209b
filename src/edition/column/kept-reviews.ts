/**
 * Reviews that are read from an edition's bytes whenever they are asked for. The rendering thread keeps those of the last
 * edition, to find out what changes: as objects they would take as much memory as the edition itself.
 */
import type { Review } from "../../review.ts";
import type { ReviewSource } from "../../review-list.ts";

/** The characters of an id. */
export const ID_LENGTH = 26;

/** The columns of an edition's index that reviews are read from. */
export interface RecordColumns {
  readonly count: number;
  /** All reviews as JSON, separated by commas: the contents of an array. */
  readonly records: Uint8Array;
  /** The start of each review in `records`, and the end of the last one. */
  readonly starts: Uint32Array;
  /** All ids, 26 ASCII bytes each. They are in descending order, because an id begins with its review's date. */
  readonly ids: Uint8Array;
  readonly ratings: Uint8Array;
}

/** All reviews of an edition. The one that was read last is kept: it is often asked for several times. */
export function keptReviews({ count, records, starts, ids, ratings }: RecordColumns): ReviewSource {
  const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const idBytes = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength);
  let last: { readonly place: number; readonly review: Review } | undefined;

  function read(place: number): Review {
    return JSON.parse(bytes.toString("utf8", starts[place] ?? 0, (starts[place + 1] ?? 0) - 1)) as Review;
  }

  return {
    length: count,
    at(place) {
      if (last?.place !== place) last = { place, review: read(place) };
      return last.review;
    },
    idAt: (place) => idBytes.toString("latin1", place * ID_LENGTH, (place + 1) * ID_LENGTH),
    ratingAt: (place) => ratings[place] ?? 0,
  };
}
