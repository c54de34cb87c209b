/**
 * An inverted index of the texts: a dictionary of their terms, and posting lists of the reviews that have each. The
 * reviews are divided into segments with lists of their own, so that a change makes anew only the segments in which
 * something changed.
 */
import { lowerBound } from "../../lib/lower-bound.ts";
import type { Piece } from "../column/pieces.ts";
import { sharedNumbers } from "../column/shared-memory.ts";
import { MOST_REVIEWS, openSegment } from "./segment.ts";
import { segmentBuilder } from "./segment-builder.ts";
import { type Dictionary, makeTermTable } from "./term-table.ts";

/** New reviews join the segment before or after them if it has fewer reviews than this. */
const FEW_REVIEWS = 256;

/**
 * The dictionary, and the segments in the order of the reviews. Reviews after the last segment are not in the index yet:
 * they may contain anything.
 */
export interface TextSegments extends Dictionary {
  /** The first position of each segment. One more start follows the last segment. */
  readonly segmentStarts: Uint32Array;
  /** Where each segment starts in `segments`, and the end of the last one. */
  readonly segmentPlaces: Uint32Array;
  /** The segments, as `segment.ts` describes them. */
  readonly segments: Uint32Array;
}

/** The folded texts, each followed by 0xFF. Each ends where the next one starts. */
export interface Texts {
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
}

/** An index in which no review is yet. */
export function noSegments(): TextSegments {
  return {
    terms: new Uint8Array(0),
    termStarts: new Uint32Array(1),
    segmentStarts: new Uint32Array(1),
    segmentPlaces: new Uint32Array(1),
    segments: new Uint32Array(0),
  };
}

/** How many of the reviews are in the index. */
export function indexedCount({ segmentStarts }: Pick<TextSegments, "segmentStarts">): number {
  return segmentStarts.at(-1) ?? 0;
}

/** Builds the index of the texts. Segments in which nothing changed are copied from the index before. */
export function makeSegments(texts: Texts, pieces: readonly Piece[], before?: TextSegments): TextSegments {
  const ranges = rangesIn(pieces, before?.segmentStarts);
  const numbers = newNumbers(ranges, before);
  const table = makeTermTable(before, (term) => numbers[term] !== 0);
  const build = segmentBuilder(texts, table);
  const parts = ranges.map(({ start, end, from }) =>
    from === undefined || before === undefined ? build(start, end) : renumbered(segmentOf(before, from), numbers),
  );
  const segmentStarts = sharedNumbers(parts.length + 1);
  const segmentPlaces = sharedNumbers(parts.length + 1);
  for (const [number, part] of parts.entries()) {
    segmentStarts[number + 1] = ranges[number]?.end ?? 0;
    segmentPlaces[number + 1] = (segmentPlaces[number] ?? 0) + part.length;
  }
  const segments = sharedNumbers(segmentPlaces.at(-1) ?? 0);
  for (const [number, part] of parts.entries()) segments.set(part, segmentPlaces[number]);
  return { ...table.dictionary(), segmentStarts, segmentPlaces, segments };
}

/** The numbers of a segment, which `openSegment` reads. */
export function segmentOf({ segments, segmentPlaces }: TextSegments, number: number): Uint32Array {
  return segments.subarray(segmentPlaces[number], segmentPlaces[number + 1]);
}

/**
 * For each term of the dictionary before its number in the next one, and one more; 0 if no segment that is kept has it.
 * The words of a removed review do not stay in the dictionary.
 */
function newNumbers(ranges: readonly Piece[], before: TextSegments | undefined): Uint32Array {
  if (before === undefined) return new Uint32Array(0);
  const numbers = new Uint32Array(before.termStarts.length - 1);
  for (const { from } of ranges) {
    if (from !== undefined) for (const term of openSegment(segmentOf(before, from)).terms) numbers[term] = 1;
  }
  let size = 0;
  for (const [term, isUsed] of numbers.entries()) if (isUsed === 1) numbers[term] = ++size;
  return numbers;
}

/** A copy of a segment with the terms' new numbers. They are in the same order. */
function renumbered(segment: Uint32Array, numbers: Uint32Array): Uint32Array {
  const copy = new Uint32Array(segment);
  const { terms } = openSegment(copy);
  for (let place = 0; place < terms.length; place++) {
    terms[place] = (numbers[terms[place] as number] as number) - 1;
  }
  return copy;
}

/** Divides the reviews into segments. `from` is a segment's number in the index before, if its reviews are the same. */
function rangesIn(pieces: readonly Piece[], before: Uint32Array = new Uint32Array(1)): Piece[] {
  const unchanged = unchangedSegments(pieces, before);
  const count = pieces.at(-1)?.end ?? 0;
  const ranges: Piece[] = [];
  let done = 0;
  for (const [number, segment] of unchanged.entries()) {
    const [previous, next] = [unchanged[number - 1], unchanged[number + 1]];
    const isBesideNew = (previous?.end ?? 0) < segment.start || (next?.start ?? count) > segment.end;
    if (isBesideNew && lengthOf(segment) < FEW_REVIEWS) continue;
    if (areMerged(previous, segment) || areMerged(segment, next)) continue;
    divide(done, segment.start);
    ranges.push(segment);
    done = segment.end;
  }
  divide(done, count);
  return ranges;

  function divide(start: number, end: number): void {
    const parts = Math.ceil((end - start) / MOST_REVIEWS);
    const borderOf = (part: number) => start + Math.floor(((end - start) * part) / parts);
    for (let part = 0; part < parts; part++) {
      ranges.push({ start: borderOf(part), end: borderOf(part + 1), from: undefined });
    }
  }
}

/** Segments of a similar length are merged if they fit into one: so no review is read anew more than a few times. */
function areMerged(one: Piece | undefined, other: Piece | undefined): boolean {
  if (one === undefined || other === undefined || one.end !== other.start) return false;
  const lengths = [lengthOf(one), lengthOf(other)];
  return other.end - one.start <= MOST_REVIEWS && Math.max(...lengths) <= 2 * Math.min(...lengths);
}

function lengthOf({ start, end }: Piece): number {
  return end - start;
}

/** The segments of the index before that are whole in one of the pieces that stayed the same. */
function unchangedSegments(pieces: readonly Piece[], before: Uint32Array): Piece[] {
  const segments: Piece[] = [];
  for (const { start, end, from } of pieces) {
    if (from === undefined) continue;
    const ahead = start - from;
    const first = lowerBound(before.length, (number) => (before[number] as number) >= from);
    for (let number = first; (before[number + 1] ?? Infinity) + ahead <= end; number++) {
      segments.push({
        start: (before[number] as number) + ahead,
        end: (before[number + 1] as number) + ahead,
        from: number,
      });
    }
  }
  return segments;
}
