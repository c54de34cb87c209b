/**
 * What is new to a copy of the publication (interface §10). A copy names how far it came by a cursor: the end of the
 * change sequence that it is sure of and, while it lacks some of an answer in parts, the number that the parts came to.
 */
import { lowerBound } from "../lib/lower-bound.ts";
import type { SequenceEnd } from "../store/change-sequence.ts";
import { type Document, JSON_TYPE, makeDocument } from "./document.ts";
import type { RenderedEdition } from "./render-datasets.ts";
import { recordSlice } from "./review-index.ts";

/** The most reviews and ids of an answer, and the bytes of its reviews unless it has one alone. */
const MOST = { changes: 1_000, bytes: 4_000_000 };

type Source = Pick<RenderedEdition, "reviewIndex" | "sequence">;

/** A copy's place in the change sequence. */
interface Cursor {
  readonly end: SequenceEnd;
  /** The copy has every change up to this number, and every deletion up to `end`. */
  readonly number: number;
}

const NO_END: SequenceEnd = { number: 0, key: "" };
const CURSOR = /^([\w-]{1,20})\.([0-9a-z]{1,8})(?:\.([0-9a-z]{1,8}))?$/;

function parseCursor(text: string): Cursor | undefined {
  const [, key, end, number = end] = CURSOR.exec(text) ?? [];
  if (key === undefined || end === undefined || number === undefined) return undefined;
  return { end: { key, number: Number.parseInt(end, 36) }, number: Number.parseInt(number, 36) };
}

function cursorText({ end, number }: Cursor): string {
  const words = [end.key, end.number.toString(36), ...(number === end.number ? [] : [number.toString(36)])];
  return words.join(".");
}

/**
 * The answer to a cursor, without one everything; or why there is none: nothing tells what its holder has (`unknown`), or
 * this edition is older than the one that the holder has seen (`ahead`).
 */
export function changesSince(
  { reviewIndex, sequence }: Source,
  text?: string,
  most = MOST,
): Document | "unknown" | "ahead" {
  const newest = sequence.ends.at(-1) ?? NO_END;
  const cursor = text === undefined ? { end: newest, number: 0 } : parseCursor(text);
  if (cursor === undefined) return "unknown";
  const { end, number: after } = cursor;
  if (Math.max(after, end.number) > newest.number) return "ahead";
  if (text !== undefined && !sequence.ends.some(({ number, key }) => number === end.number && key === end.key))
    return "unknown";
  const { changeNumbers, starts } = reviewIndex;
  const gone = sequence.gone.filter(([, number]) => number > Math.max(after, end.number));

  /** Whether more changes than an answer has are up to this number. */
  function isTooFar(last: number): boolean {
    let count = 0;
    for (const number of changeNumbers) if (number > after && number <= last && ++count > most.changes) return true;
    for (const [, number] of gone) if (number > after && number <= last && ++count > most.changes) return true;
    return false;
  }

  const certain = Math.min(after + most.changes, newest.number); // each number is given once
  let last = certain + lowerBound(Math.max(0, newest.number - certain), (more) => isTooFar(certain + more + 1));
  const positions: number[] = [];
  changeNumbers.forEach((number, position) => {
    if (number > after && number <= last) positions.push(position);
  });
  let bytes = 0;
  for (const position of positions.toSorted((a, b) => (changeNumbers[a] ?? 0) - (changeNumbers[b] ?? 0))) {
    const isFirst = bytes === 0;
    bytes += (starts[position + 1] ?? 0) - (starts[position] ?? 0);
    if (isFirst || bytes <= most.bytes) continue;
    last = (changeNumbers[position] ?? 0) - 1;
    break;
  }
  const isComplete = last >= newest.number;
  const changed = positions.filter((position) => (changeNumbers[position] ?? 0) <= last);
  const head = {
    cursor: cursorText(isComplete ? { end: newest, number: newest.number } : { end, number: last }),
    is_complete: isComplete,
  };
  const removed = gone.filter(([, number]) => number <= last).map(([id]) => id);
  const records = changed.flatMap((position, at) => {
    const record = recordSlice(reviewIndex, position, position + 1);
    return at === 0 ? [record] : [COMMA, record];
  });
  const [start, ending] = [
    `${JSON.stringify(head).slice(0, -1)},"changed":[`,
    `],"removed":${JSON.stringify(removed)}}`,
  ];
  return makeDocument("", JSON_TYPE, Buffer.concat([Buffer.from(start), ...records, Buffer.from(ending)]));
}

const COMMA = Buffer.from(",");
