/** Writes of many that are under way at once, committed together: each waits for one commit, not for its own. */
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

/** Runs a write in the next transaction, in the order of asking. Resolves once it is committed. */
export type WriteTogether = <T>(write: (transaction: Database) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly run: (transaction: Database) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** How many writes share a transaction: enough to save commits, few enough not to hold up other writers. */
const MOST_WRITES = 500;

/** Makes such a writer. When one write throws, all of its transaction are undone and reject with its error. */
export function makeWriteTogether(store: Store): WriteTogether {
  let waiting: Waiting[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_WRITES);
      waiting = waiting.slice(MOST_WRITES);
      try {
        const settle = await store.database.transaction().execute(async (transaction) => {
          const settled: (() => void)[] = [];
          for (const { run } of batch) settled.push(await run(transaction));
          return settled;
        });
        for (const each of settle) each();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = false;
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
