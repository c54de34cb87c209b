/** What stayed the same from one edition to the next: its reviews in pieces, each new or copied from the last edition. */
import type { Review } from "../../review.ts";
import type { AnalysisToPublish } from "./stored-analysis.ts";

/** Reviews in the order of publication, and their analyses, each of which is asked for once and only if it is new. */
export interface Entries {
  readonly reviews: { at(position: number): Review | undefined; readonly length: number };
  readonly analyses: { at(position: number): AnalysisToPublish | undefined };
}

/** Consecutive positions from `start` up to but not including `end`. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** The position in the last edition of the first review; undefined if the reviews are new or changed. */
  readonly from: number | undefined;
}

/** The pieces of so many reviews. `from` gives where the last edition has the same review with the same analysis. */
export function piecesOf(count: number, from: (position: number) => number | undefined = () => undefined): Piece[] {
  const pieces: { start: number; end: number; from: number | undefined }[] = [];
  for (let start = 0; start < count; ) {
    const before = from(start);
    let end = start + 1;
    while (end < count && from(end) === (before === undefined ? undefined : before + end - start)) end++;
    pieces.push({ start, end, from: before });
    start = end;
  }
  return pieces;
}
