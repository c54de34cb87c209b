/**
 * Reviews that are read from an edition's bytes whenever they are asked for what they say. The rendering thread keeps all
 * reviews of the last edition, to find out what changes: as objects of their own they would take as much memory as the
 * edition itself.
 */
import type { Review } from "../../review.ts";

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
  /** The dates as numbers YYYYMMDD, in descending order. */
  readonly days: Uint32Array;
  readonly ratings: Uint8Array;
  /** The case-folded texts in UTF-8, each followed by 0xFF, which does not occur in UTF-8. */
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
}

/** The review at a position of an edition. What orders reviews is at hand; the rest is parsed each time. */
class RecordedReview implements Review {
  readonly id: string;
  readonly date: string;
  readonly rating: number;
  readonly verified = true;
  readonly #records: Records;
  readonly #position: number;

  constructor(records: Records, position: number, known: Pick<Review, "id" | "date" | "rating">) {
    this.id = known.id;
    this.date = known.date;
    this.rating = known.rating;
    this.#records = records;
    this.#position = position;
  }

  get author(): string {
    return this.toJSON().author;
  }

  get author_avatar_url(): string | null {
    return this.toJSON().author_avatar_url;
  }

  get text(): string | null {
    return this.toJSON().text;
  }

  get source(): string {
    return this.toJSON().source;
  }

  get source_url(): string | null {
    return this.toJSON().source_url;
  }

  get owner_reply(): Review["owner_reply"] {
    return this.toJSON().owner_reply;
  }

  /** The review as a plain object. */
  toJSON(): Review {
    return this.#records.at(this.#position);
  }
}

/** The records of an edition. The last one that was asked for is kept, since its fields are asked for one by one. */
class Records {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  #last: { readonly position: number; readonly review: Review } | undefined;

  constructor({ records, starts }: RecordColumns) {
    this.#bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
    this.#starts = starts;
  }

  at(position: number): Review {
    if (this.#last?.position !== position) this.#last = { position, review: this.#parse(position) };
    return this.#last.review;
  }

  #parse(position: number): Review {
    const [start, end] = [this.#starts[position] ?? 0, this.#starts[position + 1] ?? 0];
    return JSON.parse(this.#bytes.toString("utf8", start, end - 1)) as Review;
  }
}

/** All reviews of an edition, in its order. */
export function recordedReviews(index: RecordColumns): Review[] {
  const records = new Records(index);
  const ids = Buffer.from(index.ids.buffer, index.ids.byteOffset, index.ids.byteLength);
  const dates = new Map<number, string>();
  return Array.from({ length: index.count }, (_, position) => {
    const day = index.days[position] ?? 0;
    return new RecordedReview(records, position, {
      id: ids.toString("latin1", position * ID_LENGTH, (position + 1) * ID_LENGTH),
      date: dates.getOrInsertComputed(day, dateOf),
      rating: index.ratings[position] ?? 0,
    });
  });
}

/** A day of the index, YYYYMMDD, as a date. */
function dateOf(day: number): string {
  const digits = String(day).padStart(8, "0");
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}
