/** Group commit for concurrent writes: they share a transaction instead of waiting for one each. */
import { randomBytes } from "node:crypto";
import { type CommitMark, deleteOldMarks, setCommitMark } from "./commit-mark-rows.ts";
import { isDatabaseAway } from "./engine/database-outage.ts";
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
/** Writes that wait while the database does not answer; more are refused. */
const MAX_WAITING = 20_000;

/** Attempts to make writes that PostgreSQL rolls back because other processes lock the same rows in another order. */
const MAX_ATTEMPTS = 5;
/** SQLSTATE of a deadlock and of a serialisation failure. Both can be retried. */
const RETRYABLE: readonly unknown[] = ["40P01", "40001"];
/** Delay before a transaction whose outcome is unknown is tried again: doubled each time, up to the maximum. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 2000;

/**
 * Makes a group commit. A write that fails is rejected, and the others are repeated without it; all are rejected if the
 * database is unreachable. If COMMIT itself fails, its outcome is unknown: the same transaction is tried again, until its
 * mark shows whether it took effect, so that no write takes effect twice. A write may therefore run several times and
 * must have no effects outside the database. `clock` counts milliseconds.
 */
export function makeGroupCommit(store: Store, clock: () => number = () => performance.now()): GroupCommit {
  const writer = randomBytes(12).toString("base64url");
  const waiting: Waiting[] = [];
  let writing = false;
  let number = 0;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await writeSome({ writer, number: ++number });
    writing = false;
  }

  /** Settles some of the waiting writes: commits the first ones together, or rejects those that cannot be made. */
  async function writeSome(mark: CommitMark): Promise<void> {
    /** The writes of a transaction whose COMMIT failed, while it is unknown whether it took effect. */
    let uncertain: Made | undefined;
    for (let attempt = 1; ; attempt++) {
      const batch = waiting.slice(0, MAX_WRITES);
      const made: Made = { settle: [], isWriting: false, isCommitting: false };
      try {
        await store.database.transaction().execute(async (transaction) => {
          if (mark.number === 1) await deleteOldMarks(transaction);
          if (await setCommitMark(transaction, mark)) {
            uncertain = undefined;
            await runWrites(transaction, batch, made);
          }
          made.isCommitting = true;
        });
        const { settle } = uncertain ?? made;
        waiting.splice(0, settle.length);
        for (const each of settle) each();
        return;
      } catch (error) {
        if (made.isCommitting) uncertain ??= made;
        if (uncertain !== undefined) await pause(Math.min(MIN_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS));
        else if (attempt === MAX_ATTEMPTS || !RETRYABLE.includes((error as { code?: unknown }).code)) {
          const isFaultOfOne = made.isWriting && !isDatabaseAway(error);
          const faulty = isFaultOfOne ? batch.slice(made.settle.length, made.settle.length + 1) : batch;
          waiting.splice(0, batch.length, ...batch.filter((each) => !faulty.includes(each)));
          for (const { reject } of faulty) reject(error);
          return;
        }
      }
    }
  }

  async function runWrites(transaction: Database, batch: readonly Waiting[], made: Made): Promise<void> {
    made.isWriting = true;
    const deadline = clock() + MAX_TRANSACTION_MS;
    for (const { run } of batch) {
      if (made.settle.length > 0 && clock() > deadline) break;
      made.settle.push(await run(transaction));
    }
  }

  return <T>(write: (transaction: Database) => Promise<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = async (transaction: Database) => {
      const value = await write(transaction);
      return () => resolve(value);
    };
    if (waiting.length < MAX_WAITING) waiting.push({ run, reject });
    else reject(new Error("The database does not keep up: too many writes are waiting"));
    if (!writing) queueMicrotask(() => void (writing || writeAll()));
    return promise;
  };
}

/** What a transaction has done so far. */
interface Made {
  /** Resolves each write that was made. */
  readonly settle: (() => void)[];
  isWriting: boolean;
  isCommitting: boolean;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
