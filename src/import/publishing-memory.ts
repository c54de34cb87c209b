/** The memory that a server takes to publish what the store holds, as measured: docs/capacity.md, *Memory*. */
import { type OwnWords, ownWords } from "../lib/own-words.ts";
import { storedSize } from "../store/review-rows.ts";
import type { Database } from "../store/tables.ts";

const [AT_LEAST_MB, REVIEW_BYTES] = [220, 4_400];
/** For each byte of a review, and for each of a long one besides. */
const [BYTES_PER_BYTE, BYTES_PER_LONG_BYTE] = [8, 13];
/** The share of a server's memory that publishing may take. Requests, subscribers and imports need the rest. */
const PUBLISHING_SHARE = 0.8;

/**
 * What to tell the owner if publishing what the store holds, or would hold after the undo of a change, takes more memory
 * than a server has for it.
 */
export async function memoryWarning(
  database: Database,
  memoryMb = Infinity,
  undone?: number,
): Promise<OwnWords | undefined> {
  if (memoryMb === Infinity) return undefined;
  const { reviews, bytes, longBytes } = await storedSize(database, undone);
  const all = REVIEW_BYTES * reviews + BYTES_PER_BYTE * bytes + BYTES_PER_LONG_BYTE * longBytes;
  const neededMb = Math.round(AT_LEAST_MB + all / 1e6); // at its peak, while changes follow one another
  if (neededMb <= PUBLISHING_SHARE * memoryMb) return undefined;
  return ownWords`The store would hold ${reviews} reviews with ${Math.ceil(bytes / 1e6)} MB of words. To publish them a server needs some ${neededMb} MB of memory, too much of the ${memoryMb} MB that it may take (MEMORY_MB). If all of it is reviews, raise MEMORY_MB and the limit of the service, or do it by hand with --yes.`;
}
