/**
 * Claims: the right of one process to do a piece of work. A claim is a lock that the database (PostgreSQL) or the kernel
 * (SQLite) holds for the process and ends with it, so there is no term, no renewal and no clock. Its fencing token
 * rises with each owner and blocks the writes of the one before.
 */
import type { Database } from "./tables.ts";

/** The right to do one piece of work, from `take` until it is released or lost. */
export interface Claim {
  /** What is claimed: the number of a shard, or FOLLOWING. */
  readonly id: number;
  /** The fencing token, which every write under the claim must prove. */
  readonly token: number;
  /**
   * Whether nobody else can hold the claim at this moment. Begin nothing that must not happen twice while it is false.
   * It is false while the session with the database was not heard of for a while, which says nothing about the claim:
   * keep what is known, and go on when it is true again. Once the claim is lost it stays false.
   */
  isCertain(): boolean;
  /** Aborted when the claim is released, or lost: another process has raised the token, so what is known is void. */
  readonly lost: AbortSignal;
}

/** The claims of one process on the work of a store. */
export interface Claims {
  /** Claims those of `ids` that no process holds, this one included. Waits for no other process. */
  take(ids: readonly number[]): Promise<Claim[]>;
  /** Gives claims back. Their `lost` is aborted at once. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Calls the listener when claims that were uncertain are certain again, with everything still theirs. */
  onResumed(listener: () => void): void;
  /** Gives everything back. */
  close(): Promise<void>;
}

/**
 * Whether the claim has not been lost. If so, no other process can take it before the transaction ends. If not, its
 * `lost` is aborted.
 */
export declare function proveClaim(transaction: Database, claim: Claim): Promise<boolean>;
