/** The memory that a server takes to publish what the store holds, as measured: docs/capacity.md, *Memory*. */
import type { StoredSize } from "../store/review-rows.ts";

const [AT_LEAST_MB, REVIEW_BYTES] = [220, 2_200];
/** For each byte of a review beyond those that are in REVIEW_BYTES. */
const [BYTES_PER_BYTE, COUNTED_BYTES] = [21, 150];
/** The share of a server's memory that publishing may take. Requests, subscribers and imports need the rest. */
const PUBLISHING_SHARE = 0.8;

/** At its peak, while changes follow one another. */
export function publishingMb({ reviews, bytes }: StoredSize): number {
  const words = Math.max(0, bytes - COUNTED_BYTES * reviews);
  return Math.round(AT_LEAST_MB + (REVIEW_BYTES * reviews + BYTES_PER_BYTE * words) / 1e6);
}

/** Whether a change of the store takes a server, which may have `memoryMb`, more memory than it has for publishing. */
export function takesTooMuch(before: StoredSize, after: StoredSize, memoryMb: number): boolean {
  const needed = publishingMb(after);
  return needed > PUBLISHING_SHARE * memoryMb && needed > publishingMb(before);
}
