/** Cached reads for `/metrics`: they put little load on the store, and have a deadline. */

export interface CachedReadOptions {
  /** How long a result is cached. */
  readonly keepMs?: number;
  /** How long a caller waits for a result. */
  readonly deadlineMs?: number;
}

/**
 * Caches the result of a read for a second. While a read is under way no other is started, so that a store that hangs
 * does not get a new one from each request. A caller that has waited two seconds gets an error.
 */
export function makeCachedRead<Value>(
  read: () => Promise<Value>,
  { keepMs = 1_000, deadlineMs = 2_000 }: CachedReadOptions = {},
): () => Promise<Value> {
  let last: Promise<Value> | undefined;
  let isUnderWay = false;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (last === undefined || (!isUnderWay && performance.now() - readAt > keepMs)) {
      isUnderWay = true;
      last = read().finally(() => {
        isUnderWay = false;
        readAt = performance.now();
      });
    }
    return beforeDeadline(last, deadlineMs);
  };
}

async function beforeDeadline<Value>(promise: Promise<Value>, deadlineMs: number): Promise<Value> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer in ${deadlineMs} ms`)), deadlineMs);
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
