/** The memory that a server takes to publish what the store holds, as measured: docs/capacity.md, *Memory*. */
import type { StoredSize } from "../store/review-rows.ts";

const [AT_LEAST_MB, REVIEW_BYTES] = [220, 4_400];
/** For each byte of a review, and for each of a long one besides. */
const [BYTES_PER_BYTE, BYTES_PER_LONG_BYTE] = [8, 13];
/** The share of a server's memory that publishing may take. Requests, subscribers and imports need the rest. */
const PUBLISHING_SHARE = 0.8;

/** At its peak, while changes follow one another. */
export function publishingMb({ reviews, bytes, longBytes }: StoredSize): number {
  const all = REVIEW_BYTES * reviews + BYTES_PER_BYTE * bytes + BYTES_PER_LONG_BYTE * longBytes;
  return Math.round(AT_LEAST_MB + all / 1e6);
}

/** Whether that is more than a server has for it, which may take `memoryMb`. */
export function takesTooMuch(size: StoredSize, memoryMb: number): boolean {
  return publishingMb(size) > PUBLISHING_SHARE * memoryMb;
}
