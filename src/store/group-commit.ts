/** Group commit for concurrent writes: they share a transaction instead of waiting for one each. */
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

/** Runs a write in the next transaction, in the order of calls. Resolves once it is committed. */
export type GroupCommit = <T>(write: (transaction: Database) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly run: (transaction: Database) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Writes per transaction: enough to save commits, few enough not to delay other writers. */
const MAX_WRITES = 500;
/** A longer transaction is committed at once, because other writers wait for its locks. */
const MAX_TRANSACTION_MS = 250;

/** Attempts to make a write that PostgreSQL rolls back because other processes lock the same rows in another order. */
const MAX_ATTEMPTS = 5;
/** SQLSTATE of a deadlock and of a serialisation failure. Both can be retried. */
const RETRYABLE: readonly unknown[] = ["40P01", "40001"];

/**
 * Makes a group commit. If a transaction fails, each of its writes is repeated in a transaction of its own, so that
 * only the faulty one is rejected. A write may therefore run several times and must have no effects outside the
 * database. `clock` counts milliseconds.
 */
export function makeGroupCommit(store: Store, clock: () => number = () => performance.now()): GroupCommit {
  let waiting: Waiting[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_WRITES);
      const attempts = batch.length === 1 ? MAX_ATTEMPTS : 1;
      const committed = await commit(batch, attempts);
      if (committed === 0 && batch.length > 1) for (const each of batch) await commit([each], MAX_ATTEMPTS);
      waiting = waiting.slice(committed || batch.length);
    }
    writing = false;
  }

  /** Commits the first writes together. Returns how many; none on failure, and a single write is then rejected. */
  async function commit(batch: readonly Waiting[], attempts: number): Promise<number> {
    try {
      const settle = await store.database.transaction().execute(async (transaction) => {
        const settled: (() => void)[] = [];
        const deadline = clock() + MAX_TRANSACTION_MS;
        for (const { run } of batch) {
          if (settled.length > 0 && clock() > deadline) break;
          settled.push(await run(transaction));
        }
        return settled;
      });
      for (const each of settle) each();
      return settle.length;
    } catch (error) {
      if (attempts > 1 && RETRYABLE.includes((error as { code?: unknown }).code))
        return await commit(batch, attempts - 1);
      if (batch.length === 1) batch[0]?.reject(error);
      return 0;
    }
  }

  return <T>(write: (transaction: Database) => Promise<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = async (transaction: Database) => {
      const value = await write(transaction);
      return () => resolve(value);
    };
    waiting.push({ run, reject });
    if (!writing) queueMicrotask(() => void (writing || writeAll()));
    return promise;
  };
}
