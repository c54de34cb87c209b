/**
 * The review index: every published review, newest first, already serialised, with the columns that searches filter by.
 * Plain typed arrays and strings, in memory that the rendering thread shares with
 * the others.
 */
import { createHash } from "node:crypto";
import {
  type Analysed,
  type AnalysedReviews,
  type AnalysisColumns,
  mentionsIn,
  textSizeOf,
} from "../insight/figures/analysed-reviews.ts";
import type { Analysis } from "../insights-document.ts";
import { lowerBound } from "../lib/lower-bound.ts";
import type { Review } from "../review.ts";
import { SEPARATOR } from "./byte-search.ts";
import { foldCase } from "./case-folding.ts";
import { openAnalysisColumns } from "./column/analysis-columns.ts";
import { type Frame, type ItemList, makeFramedList, makeItemList, type UnframedList } from "./column/item-list.ts";
import { ID_LENGTH, type RecordColumns } from "./column/kept-reviews.ts";
import { type Entries, type Piece, piecesOf } from "./column/pieces.ts";
import { sharedBytes, sharedNumbers } from "./column/shared-memory.ts";
import { tagOfHash } from "./document.ts";
import type { WordIndex } from "./word-index.ts";

export interface ReviewIndex extends RecordColumns, AnalysisColumns {
  /** The dates as numbers YYYYMMDD, in descending order. */
  readonly days: Uint32Array;
  /** The case-folded texts in UTF-8, each followed by 0xFF. */
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
  /** Speeds up searches. Added after publication; a small edition has none. */
  wordIndex?: WordIndex;
  /** 1 for each review with an owner reply. */
  readonly replied: Uint8Array;
  /** The positions of the reviews that mention a technician or service, by its id. */
  readonly technicians: ReadonlyMap<string, Uint32Array>;
  readonly services: ReadonlyMap<string, Uint32Array>;
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

/** The datasets of reviews and of analyses, of which the index has views, so that their bytes are in memory once. */
export interface IndexedLists {
  readonly records: ItemList;
  readonly analyses: AnalysesList;
}

/** The dataset of analyses, and their columns. */
interface AnalysesList extends UnframedList {
  readonly columns: AnalysisColumns;
}

/** The last edition's index, and what stayed the same. */
export interface IndexChanges {
  readonly pieces: readonly Piece[];
  readonly before?: ReviewIndex | undefined;
}

const COMMA = 0x2c;
/** The bytes before an analysis: the id in quotes, and a colon. */
const ANALYSIS_KEY_LENGTH = ID_LENGTH + 3;

/** Room for each new review. Customers' own take 510 bytes as JSON, their analyses 410 and their texts 270. */
const ROOM = { record: 680, analysis: 550, words: 360 };

/** Room for what is before the analyses in their dataset, which is made from them. */
const ANALYSES_HEAD = 131_072;

/** The dataset of all reviews: a head, the reviews as JSON, and a tail. */
export function makeRecords({ reviews }: Entries, { pieces, before }: IndexChanges, frame: Frame) {
  const textOf = (position: number) => JSON.stringify(reviews.at(position));
  const known = before && { items: before.records, starts: before.starts };
  return makeFramedList(
    { pieces, textOf, ending: COMMA, room: ROOM.record, before: known },
    Buffer.byteLength(frame.head),
  ).framed(frame);
}

/** The dataset of all analyses by the ids of their reviews, and the columns of these. */
export function makeAnalyses({ reviews, analyses }: Entries, { pieces, before }: IndexChanges): AnalysesList {
  const columns = openAnalysisColumns(reviews.length, before);
  const textOf = (position: number) => {
    const analysis = analyses.at(position);
    const id = reviews.at(position)?.id;
    if (analysis === undefined) throw new Error(`Cannot publish review ${id}: it has no analysis`);
    columns.add(analysis);
    return `"${id}":${analysis.json ?? JSON.stringify(analysis)}`;
  };
  const onKept = ({ from, start, end }: { from: number; start: number; end: number }) =>
    columns.keep(from, from + end - start);
  const known = before && { items: before.analyses, starts: before.analysisStarts };
  const source = { pieces, textOf, onKept, ending: COMMA, room: ROOM.analysis, before: known };
  const list = makeFramedList(source, ANALYSES_HEAD);
  return { ...list, columns: columns.finish() };
}

/** Builds the index of reviews, which are in the order of publication, without a word index. */
export function makeReviewIndex(
  entries: Entries,
  changes: IndexChanges = { pieces: piecesOf(entries.reviews.length) },
  lists: IndexedLists = {
    records: makeRecords(entries, changes, { head: "[", tail: "]" }),
    analyses: makeAnalyses(entries, changes),
  },
): ReviewIndex {
  const { reviews } = entries;
  const { columns } = lists.analyses;
  const { pieces, before } = changes;
  const count = reviews.length;
  const { items: records, starts } = lists.records;
  const { items: words, starts: wordStarts } = makeItemList({
    pieces,
    textOf: (position) => foldCase(reviews.at(position)?.text ?? ""),
    ending: SEPARATOR,
    room: ROOM.words,
    before: before && { items: before.words, starts: before.wordStarts },
  });
  const days = sharedNumbers(count);
  const [ratings, replied, linked] = [sharedBytes(count), sharedBytes(count), sharedBytes(count)];
  const textSizes = sharedBytes(count);
  const ids = sharedBytes(count * ID_LENGTH);
  for (const { start, end, from } of pieces) {
    if (from !== undefined && before !== undefined) {
      const to = from + end - start;
      days.set(before.days.subarray(from, to), start);
      ratings.set(before.ratings.subarray(from, to), start);
      replied.set(before.replied.subarray(from, to), start);
      linked.set(before.linked.subarray(from, to), start);
      textSizes.set(before.textSizes.subarray(from, to), start);
      ids.set(before.ids.subarray(from * ID_LENGTH, to * ID_LENGTH), start * ID_LENGTH);
      continue;
    }
    for (let position = start, [day, number] = ["", 0]; position < end; position++) {
      const { id, date, rating, text, owner_reply, source_url } = reviews.at(position) as Review;
      if (date !== day) [day, number] = [date, dayNumber(date)];
      days[position] = number;
      ratings[position] = rating;
      replied[position] = owner_reply === null ? 0 : 1;
      linked[position] = source_url === null ? 0 : 1;
      textSizes[position] = textSizeOf(text);
      for (let at = 0; at < ID_LENGTH; at++) ids[position * ID_LENGTH + at] = id.charCodeAt(at);
    }
  }
  return {
    count,
    records,
    starts,
    ids,
    days,
    ratings,
    replied,
    words,
    wordStarts,
    technicians: mentionsIn(columns, "technicians"),
    services: mentionsIn(columns, "services"),
    textSizes,
    ...columns,
    analyses: lists.analyses.items,
    analysisStarts: lists.analyses.starts,
    linked,
    linkedCount: linked.reduce((sum, one) => sum + one, 0),
    prefixTags: new Map(),
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

/** Where the JSON of the analysis of the review at `position` is. */
function analysisPlace({ analysisStarts }: ReviewIndex, position: number): { start: number; end: number } {
  return {
    start: (analysisStarts[position] ?? 0) + ANALYSIS_KEY_LENGTH,
    end: (analysisStarts[position + 1] ?? 0) - 1,
  };
}

/** The analysis of the review at `position`. */
export function analysisAt(reviewIndex: ReviewIndex, position: number): Analysis {
  const { start, end } = analysisPlace(reviewIndex, position);
  const { buffer, byteOffset, byteLength } = reviewIndex.analyses.subarray(start, end);
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString("utf8")) as Analysis;
}

/** An edition's reviews with their analyses, for figures. `reviews` are its own. */
export function analysedReviews(index: ReviewIndex, reviews: Entries["reviews"]): AnalysedReviews {
  const { count, days, ratings, textSizes, scores, sentiments, marks, markStarts, markNames } = index;
  const at = (position: number) => new IndexedReview(index, position, reviews);
  return { count, days, ratings, textSizes, scores, sentiments, marks, markStarts, markNames, at };
}

class IndexedReview implements Analysed {
  readonly position: number;
  readonly #index: ReviewIndex;
  readonly #reviews: Entries["reviews"];
  #review: Review | undefined;
  #analysis: Analysis | undefined;

  constructor(index: ReviewIndex, position: number, reviews: Entries["reviews"]) {
    this.position = position;
    this.#index = index;
    this.#reviews = reviews;
  }

  get review(): Review {
    this.#review ??= this.#reviews.at(this.position) as Review;
    return this.#review;
  }

  get analysis(): Analysis {
    this.#analysis ??= analysisAt(this.#index, this.position);
    return this.#analysis;
  }
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
