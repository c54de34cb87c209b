/**
 * The review index: every published review, newest first, already serialised, with the columns that searches filter by.
 * It consists of typed arrays in memory that threads share, and strings.
 */
import { createHash } from "node:crypto";
import { type AnalysedReviews, type AnalysisColumns, analysedReviews } from "../insight/statistics/analysed-reviews.ts";
import type { Theme } from "../insight/theme/themes.ts";
import type { Analysis } from "../insights-document.ts";
import { lowerBound } from "../lib/lower-bound.ts";
import type { Review } from "../review.ts";
import { tagOfHash } from "./document.ts";
import type { WordIndex } from "./word-index.ts";

export interface ReviewIndex extends AnalysisColumns {
  readonly count: number;
  /** All reviews as JSON, separated by commas: the contents of an array. */
  readonly records: Uint8Array;
  /** The start of each review in `records`, and the end of the last one. */
  readonly starts: Uint32Array;
  /** All ids, 26 ASCII bytes each. They are in descending order, because an id begins with its review's date. */
  readonly ids: Uint8Array;
  readonly ratings: Uint8Array;
  /** The source of each review, as an index into `sourceNames`. */
  readonly sources: Uint32Array;
  readonly sourceNames: readonly string[];
  /** The dates as numbers YYYYMMDD, in descending order. */
  readonly days: Uint32Array;
  /** The case-folded texts in UTF-8, each followed by 0xFF. */
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
  /** Speeds up searches. Added after publication; a small edition has none. */
  wordIndex?: WordIndex;
  /** The number of the last change of each review in the change sequence. */
  readonly changeNumbers: Uint32Array;
  /** 1 for each review with an owner reply. */
  readonly replied: Uint8Array;
  /** The positions of the reviews that mention a technician or service, by its id. */
  readonly technicians: ReadonlyMap<string, Uint32Array>;
  readonly services: ReadonlyMap<string, Uint32Array>;
  /** What customers name by themselves, with the positions of the reviews that do. */
  readonly themes: readonly Theme[];
  /** The analyses as JSON, each after its review's id, and where each starts. */
  readonly analyses: Uint8Array;
  readonly analysisStarts: Uint32Array;
  /** See `textSizeOf`. */
  readonly textSizes: Uint8Array;
  /** 1 for each review with a link to the original at its source, and their number. */
  readonly linked: Uint8Array;
  readonly linkedCount: number;
  /**
   * Tags of the responses of the incremental endpoint, by the number of reviews in the response. Filled in later, and
   * computed for a request that comes before.
   */
  readonly prefixTags: Map<number, string>;
}

/** The characters of an id. */
export const ID_LENGTH = 26;
/** The bytes before an analysis: the id in quotes, and a colon. */
const ANALYSIS_KEY_LENGTH = ID_LENGTH + 3;

/** A date as a number that orders like it: `2026-02-03` is 20260203. */
export function dayNumber(date: string): number {
  return Number(date.replaceAll("-", ""));
}

/** Counts the reviews dated on or after `date`, by binary search. */
export function countSince(reviewIndex: ReviewIndex, date: string): number {
  const day = dayNumber(date);
  return lowerBound(reviewIndex.count, (position) => (reviewIndex.days[position] ?? 0) < day);
}

/** Counts the reviews dated after `date`, by binary search. */
export function countAfter(reviewIndex: ReviewIndex, date: string): number {
  const day = dayNumber(date);
  return lowerBound(reviewIndex.count, (position) => (reviewIndex.days[position] ?? 0) <= day);
}

/** The JSON of the reviews from position `from` up to but not including `to`: comma-separated, without brackets. */
export function recordSlice(reviewIndex: ReviewIndex, from: number, to: number): Uint8Array {
  if (from >= to) return new Uint8Array(0);
  return reviewIndex.records.subarray(reviewIndex.starts[from], (reviewIndex.starts[to] ?? 0) - 1);
}

/** The review at `position`. */
export function reviewAt(reviewIndex: ReviewIndex, position: number): Review {
  return JSON.parse(textOf(recordSlice(reviewIndex, position, position + 1))) as Review;
}

/** The end of a review's JSON, where the date of its reply is. */
const REPLY_DATE = /"date":"(\d{4})-(\d\d)-(\d\d)"\},"verified":true\}$/;
const REPLY_DATE_LENGTH = 45;

/** The day of the review at `position` or of its reply, whichever is later, as a number YYYYMMDD. */
export function lastDayOf({ records, starts, days, replied }: ReviewIndex, position: number): number {
  const day = days[position] ?? 0;
  if (replied[position] !== 1) return day;
  const end = (starts[position + 1] ?? 0) - 1;
  const tail = Buffer.from(records.buffer, records.byteOffset + end - REPLY_DATE_LENGTH, REPLY_DATE_LENGTH);
  return Math.max(day, Number((REPLY_DATE.exec(tail.toString("latin1")) ?? []).slice(1).join("")));
}

/** The analysis of the review at `position`. */
export function analysisAt({ analyses, analysisStarts }: ReviewIndex, position: number): Analysis {
  const start = (analysisStarts[position] ?? 0) + ANALYSIS_KEY_LENGTH;
  return JSON.parse(textOf(analyses.subarray(start, (analysisStarts[position + 1] ?? 0) - 1))) as Analysis;
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}

/** An edition's reviews with their analyses, as statistics read them. */
export function reviewsForStatistics(index: ReviewIndex): AnalysedReviews {
  return analysedReviews(index, index.themes, {
    review: (position) => reviewAt(index, position),
    analysis: (position) => analysisAt(index, position),
  });
}

/** Finds the position of the review with this id, by binary search. */
export function positionOf(reviewIndex: ReviewIndex, id: string): number | undefined {
  if (id.length !== ID_LENGTH || !/^[0-9A-Z]+$/.test(id)) return undefined; // others would be cut to bytes of an id
  const sought = Buffer.from(id, "latin1");
  const at = (position: number) => Buffer.compare(idBytesAt(reviewIndex, position), sought);
  const position = lowerBound(reviewIndex.count, (candidate) => at(candidate) <= 0);
  return position < reviewIndex.count && at(position) === 0 ? position : undefined;
}

/** Why no published review has this id, as the rest of a sentence. */
export function idFault(id: string): string {
  const { length } = [...id];
  if (length !== ID_LENGTH) return `an id has ${ID_LENGTH} digits and letters, and this one has ${length}`;
  return "no published review has it";
}

/** Finds up to `limit` ids with this prefix, newest first, and their total number, by binary search. */
export function idsStartingWith(
  reviewIndex: ReviewIndex,
  prefix: string,
  limit: number,
): { readonly ids: readonly string[]; readonly total: number } {
  if (prefix.length > ID_LENGTH || !/^[0-9A-Z]*$/.test(prefix)) return { ids: [], total: 0 };
  const sought = Buffer.from(prefix, "latin1");
  const beginningAt = (position: number) => idBytesAt(reviewIndex, position).subarray(0, sought.length);
  const from = lowerBound(reviewIndex.count, (position) => Buffer.compare(beginningAt(position), sought) <= 0);
  const to = lowerBound(reviewIndex.count, (position) => Buffer.compare(beginningAt(position), sought) < 0);
  const ids = Array.from({ length: Math.min(limit, to - from) }, (_, index) => idAt(reviewIndex, from + index));
  return { ids, total: to - from };
}

/** The id of the review at `position`. */
export function idAt(reviewIndex: ReviewIndex, position: number): string {
  return Buffer.from(idBytesAt(reviewIndex, position)).toString("latin1");
}

function idBytesAt(reviewIndex: ReviewIndex, position: number): Uint8Array {
  return reviewIndex.ids.subarray(position * ID_LENGTH, (position + 1) * ID_LENGTH);
}

/**
 * Computes the tags of all responses of the incremental endpoint with one running hash, copied at each change of date.
 */
export function prefixTags({ records, starts, days }: ReviewIndex): Map<number, string> {
  const hash = createHash("sha256").update("[");
  const tags = new Map<number, string>();
  let hashed = 0;
  for (let count = 0; count <= days.length; count++) {
    if (count > 0 && days[count] === days[count - 1]) continue;
    const end = count === 0 ? 0 : (starts[count] ?? 0) - 1;
    hash.update(records.subarray(hashed, end));
    hashed = end;
    tags.set(count, tagOfHash(hash.copy().update("]")));
  }
  return tags;
}
