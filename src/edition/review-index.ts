/**
 * The review index: every published review, newest first, already serialised, with the columns that searches filter by.
 * Plain typed arrays and strings, so that the rendering thread can transfer it without copying.
 */
import { createHash } from "node:crypto";
import type { Analysis } from "../insights-document.ts";
import type { Review } from "../review.ts";
import { makeByteWriter } from "./byte-writer.ts";
import { foldCase } from "./case-folding.ts";
import { tagOfHash } from "./document.ts";
import { markBlocks } from "./text-search/text-blocks.ts";

export interface ReviewIndex {
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
  /** 1 for each review with an owner reply. */
  readonly replied: Uint8Array;
  /** The case-folded texts in UTF-8, each followed by 0xFF, which does not occur in UTF-8. */
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
  /** The trigram index of the texts (`text-blocks.ts`). */
  readonly textBlocks: Uint32Array;
  /** The positions of the reviews that mention a technician or service, by its id. */
  readonly technicians: ReadonlyMap<string, Uint32Array>;
  readonly services: ReadonlyMap<string, Uint32Array>;
  /** The analyses as JSON, with the start of each and the end of the last one. */
  readonly analyses: Uint8Array;
  readonly analysisStarts: Uint32Array;
  /** The number of bytes between one analysis and the next. */
  readonly analysisGap: number;
  /** Tags of the responses of the incremental endpoint, by the number of reviews in the response. */
  readonly prefixTags: ReadonlyMap<number, string>;
}

const ID_LENGTH = 26;

/** Builds the index of reviews, which are given in the order of publication. `analyses` are in the same order. */
export function makeReviewIndex(reviews: readonly Review[], analyses: readonly Analysis[]): ReviewIndex {
  const records = joinJson(reviews);
  const analysed = joinJson(analyses);
  const { bytes: words, starts: wordStarts } = foldedWords(reviews);
  const days = Uint32Array.from(reviews, (review) => dayNumber(review.date));
  return {
    count: reviews.length,
    records: records.bytes,
    starts: records.starts,
    ids: ownBytes(Buffer.from(reviews.map((review) => review.id).join(""), "latin1")),
    days,
    ratings: Uint8Array.from(reviews, (review) => review.rating),
    replied: Uint8Array.from(reviews, (review) => (review.owner_reply === null ? 0 : 1)),
    words,
    wordStarts,
    textBlocks: markBlocks(words, wordStarts),
    technicians: mentions(analyses, "technicians"),
    services: mentions(analyses, "services"),
    analyses: analysed.bytes,
    analysisStarts: analysed.starts,
    analysisGap: 1,
    prefixTags: prefixTags(records.bytes, records.starts, days),
  };
}

/** A date as a number that orders like it: `2026-02-03` is 20260203. */
function dayNumber(date: string): number {
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

/** The JSON of the analysis of the review at `position`. */
export function analysisSlice(reviewIndex: ReviewIndex, position: number): Uint8Array {
  return reviewIndex.analyses.subarray(
    reviewIndex.analysisStarts[position],
    (reviewIndex.analysisStarts[position + 1] ?? 0) - reviewIndex.analysisGap,
  );
}

/** Finds the position of the review with this id, by binary search. */
export function positionOf(reviewIndex: ReviewIndex, id: string): number | undefined {
  if (id.length !== ID_LENGTH || !/^[0-9A-Z]+$/.test(id)) return undefined; // others would be cut to bytes of an id
  const sought = Buffer.from(id, "latin1");
  const at = (position: number) => Buffer.compare(idAt(reviewIndex, position), sought);
  const position = lowerBound(reviewIndex.count, (candidate) => at(candidate) <= 0);
  return position < reviewIndex.count && at(position) === 0 ? position : undefined;
}

/** Finds up to `limit` ids with this prefix, newest first, and their total number, by binary search. */
export function idsStartingWith(
  reviewIndex: ReviewIndex,
  prefix: string,
  limit: number,
): { readonly ids: readonly string[]; readonly total: number } {
  if (prefix.length > ID_LENGTH || !/^[0-9A-Z]*$/.test(prefix)) return { ids: [], total: 0 };
  const sought = Buffer.from(prefix, "latin1");
  const beginningAt = (position: number) => idAt(reviewIndex, position).subarray(0, sought.length);
  const from = lowerBound(reviewIndex.count, (position) => Buffer.compare(beginningAt(position), sought) <= 0);
  const to = lowerBound(reviewIndex.count, (position) => Buffer.compare(beginningAt(position), sought) < 0);
  const ids = Array.from({ length: Math.min(limit, to - from) }, (_, index) =>
    Buffer.from(idAt(reviewIndex, from + index)).toString("latin1"),
  );
  return { ids, total: to - from };
}

function idAt(reviewIndex: ReviewIndex, position: number): Uint8Array {
  return reviewIndex.ids.subarray(position * ID_LENGTH, (position + 1) * ID_LENGTH);
}

/** The first position for which `holds` is true, or `count`. From there on, `holds` must be true for all positions. */
function lowerBound(count: number, holds: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The items as JSON with commas between them, and where each starts. One more start follows the last and its comma. */
function joinJson(items: readonly unknown[]): { bytes: Uint8Array; starts: Uint32Array } {
  const writer = makeByteWriter(items.length * 500);
  const starts = new Uint32Array(items.length + 1);
  for (const [index, item] of items.entries()) {
    writer.text(`${index > 0 ? "," : ""}${JSON.stringify(item)}`);
    starts[index + 1] = writer.length + 1;
  }
  return { bytes: writer.whole(), starts };
}

const END_OF_WORDS = Buffer.of(0xff);

/** The folded texts, each followed by 0xFF, and where each starts. */
function foldedWords(reviews: readonly Review[]): { bytes: Uint8Array; starts: Uint32Array } {
  const writer = makeByteWriter(reviews.length * 300);
  const starts = new Uint32Array(reviews.length + 1);
  for (const [index, { text }] of reviews.entries()) {
    if (text !== null) writer.text(foldCase(text));
    writer.bytes(END_OF_WORDS);
    starts[index + 1] = writer.length;
  }
  return { bytes: writer.whole(), starts };
}

/**
 * Copies bytes to a buffer of their own. A small Buffer is part of a pool, which cannot be transferred to another
 * thread.
 */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function mentions(analyses: readonly Analysis[], kind: "technicians" | "services"): Map<string, Uint32Array> {
  const positions = new Map<string, number[]>();
  for (const [position, analysis] of analyses.entries()) {
    for (const id of analysis[kind]) positions.getOrInsertComputed(id, () => []).push(position);
  }
  return new Map([...positions].map(([id, list]) => [id, Uint32Array.from(list)]));
}

/**
 * Computes the tags of all responses of the incremental endpoint with one running hash, copied at each change of date.
 */
function prefixTags(records: Uint8Array, starts: Uint32Array, days: Uint32Array): Map<number, string> {
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
