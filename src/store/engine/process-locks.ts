/**
 * Locks that one process at a time holds, each named by a number. The database or the kernel holds them for the process
 * and ends them with it. They belong to a session: locks of an earlier session have ended.
 */

export interface ProcessLocks {
  /** Takes those of `ids` that no process holds, this one included, without waiting. None while there is no session. */
  take(ids: readonly number[]): Promise<TakenLocks>;
  release(ids: readonly number[]): Promise<void>;
  /** The session, if its locks are certainly held at this moment; undefined if it was not heard of for a while. */
  session(): number | undefined;
  /** Keeps the session alive, or opens another one after it has ended. Call it every BEAT_MS. */
  beat(): Promise<void>;
  close(): Promise<void>;
}

interface TakenLocks {
  /** Negative if there was no session. */
  readonly session: number;
  readonly ids: readonly number[];
}

export const BEAT_MS = 500;
