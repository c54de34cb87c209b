/** What stayed the same from one edition to the next: its reviews in pieces, each new or copied from the last edition. */
import type { Analysis } from "../../insights-document.ts";
import { compareReviews, type Review } from "../../review.ts";

/** Reviews in the order of publication, and their analyses. */
export interface Entries {
  readonly reviews: readonly Review[];
  readonly analyses: readonly Analysis[];
}

/** Consecutive positions from `start` up to but not including `end`. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** The position in the last edition of the first review; undefined if the reviews are new or changed. */
  readonly from: number | undefined;
}

/**
 * The pieces of an edition. A review is the same as in the last edition if it and its analysis are the same objects:
 * these do not change.
 */
export function piecesOf(entries: Entries, before?: Entries): Piece[] {
  const pieces: { start: number; end: number; from: number | undefined }[] = [];
  let old = 0;
  for (const [position, review] of entries.reviews.entries()) {
    let other = before?.reviews[old];
    while (other !== undefined && other !== review && compareReviews(other, review) < 0) other = before?.reviews[++old];
    const isSame = other === review && before?.analyses[old] === entries.analyses[position];
    const from = isSame ? old : undefined;
    const last = pieces.at(-1);
    if (last !== undefined && isNext(last, position, from)) last.end = position + 1;
    else pieces.push({ start: position, end: position + 1, from });
    if (other === review || other?.id === review.id) old++;
  }
  return pieces;
}

function isNext(piece: Piece, position: number, from: number | undefined): boolean {
  return piece.from === undefined ? from === undefined : piece.from + position - piece.start === from;
}
