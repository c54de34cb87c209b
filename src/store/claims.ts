/**
 * Claims: the right of one process to do a piece of work. A claim is a lock that the database (PostgreSQL) or the kernel
 * (SQLite) holds for the process and ends with it, so there is no term, no renewal and no clock. Its fencing token
 * rises with each owner and blocks the writes of the one before.
 */
import { sql } from "kysely";
import { openFileLocks } from "./engine/file-locks.ts";
import { isOnPostgres } from "./engine/postgres.ts";
import { BEAT_MS, type ProcessLocks } from "./engine/process-locks.ts";
import { openSessionLocks } from "./engine/session-locks.ts";
import { sqliteFileOf } from "./engine/sqlite.ts";
import { SHARDS } from "./fan-out-rows.ts";
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

/** The claim on following sources. Lower numbers are those of shards. */
export const FOLLOWING = SHARDS;
/** The claim on sending notices to the owner. */
export const NOTIFYING = SHARDS + 1;

/** The right to do one piece of work, from `take` until it is released or lost. */
export interface Claim {
  /** What is claimed: the number of a shard, FOLLOWING or NOTIFYING. */
  readonly id: number;
  /** The fencing token, which every write under the claim must prove. */
  readonly token: number;
  /**
   * Whether no other process can hold the claim at this moment. While it is false, begin nothing that must not happen twice.
   * It is false while the database session has been silent for a while, which says nothing about the claim: keep all
   * state, and go on when it is true again. Once the claim is lost it stays false.
   */
  isCertain(): boolean;
  /** Aborted when the claim is released, or lost: another process has raised the token, so all state is void. */
  readonly lost: AbortSignal;
}

/** The claims of one process on the work of a store. */
export interface Claims {
  /** Claims those of `ids` that no process holds, this one included. Waits for no other process. */
  take(ids: readonly number[]): Promise<Claim[]>;
  /** Gives claims back. Their `lost` is aborted at once. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Calls the listener when claims of a session that ended are certain again, with everything still theirs. */
  onResumed(listener: () => void): void;
  /** Gives everything back. */
  close(): Promise<void>;
}

interface Held {
  readonly claim: Claim;
  /** The session of the lock. Another one may have followed: then the lock has to be taken again. */
  session: number;
  readonly lose: () => void;
}

/** What a disproved claim has to do. */
const onDisproved = new WeakMap<Claim, () => void>();

/** Opens the claims of this process on a store. `locks` are those of the store's engine. */
export function openClaims({ database }: Store, locks: ProcessLocks = openLocks(database)): Claims {
  const held = new Map<number, Held>();
  const listeners: (() => void)[] = [];
  let resuming: Promise<void> | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  beatSoon();

  /** Keeps the session alive while the process is well, and resumes the claims when it was lost. */
  function beatSoon(): void {
    timer = setTimeout(async () => {
      // A fault is an outage: `take` reports it, and the next beat tries again.
      await locks.beat().catch(() => {});
      resuming ??= resume()
        .catch(() => {})
        .finally(() => {
          resuming = undefined;
        });
      if (!closed) beatSoon();
    }, BEAT_MS);
    timer.unref();
  }

  function hold(id: number, token: number, session: number): Claim {
    const loss = new AbortController();
    const claim: Claim = {
      id,
      token,
      lost: loss.signal,
      isCertain: () => isHeld() && each.session === locks.session(),
    };
    const isHeld = () => held.get(id) === each;
    const each: Held = {
      claim,
      session,
      lose() {
        if (isHeld()) held.delete(id);
        loss.abort();
      },
    };
    held.set(id, each);
    onDisproved.set(claim, () => {
      if (!isHeld()) return; // the process may hold the lock again, under a later claim
      each.lose();
      locks.release([id]).catch(() => {}); // then the session has ended, and the lock with it
    });
    return claim;
  }

  /** Takes the locks of a session that ended again. Where the token is the same, no other process had the claim. */
  async function resume(): Promise<void> {
    const stale = [...held.values()].filter(({ session }) => session !== locks.session());
    if (stale.length === 0 || locks.session() === undefined) return;
    const ids = stale.map(({ claim }) => claim.id);
    const taken = await locks.take(ids);
    let isKept = false;
    try {
      const tokens = await readTokens(database, ids);
      for (const each of stale) {
        const { id, token } = each.claim;
        if (tokens.get(id) !== token) each.lose();
        else if (taken.ids.includes(id) && held.get(id) === each) {
          each.session = taken.session;
          isKept = true;
        }
      }
    } finally {
      // A claim that was lost meanwhile may have been taken again.
      await locks.release(taken.ids.filter((id) => held.get(id)?.session !== taken.session));
    }
    if (isKept) for (const listener of listeners) listener();
  }

  return {
    async take(ids) {
      const free = ids.filter((id) => !held.has(id));
      if (free.length === 0) return [];
      const { session, ids: taken } = await locks.take(free);
      const raised = taken.length === 0 ? [] : await raiseTokens(database, taken).catch(onFault);
      const rest = taken.filter((id) => !raised.some((each) => each.id === id));
      if (rest.length > 0) await locks.release(rest);
      return raised.map(({ id, token }) => hold(id, token, session));

      async function onFault(error: unknown): Promise<never> {
        await locks.release(taken);
        throw error;
      }
    },
    async release(claims) {
      const own = claims.filter((claim) => held.get(claim.id)?.claim === claim);
      for (const { id } of own) held.get(id)?.lose();
      await resuming;
      await locks.release(own.map(({ id }) => id));
    },
    onResumed: (listener) => void listeners.push(listener),
    async close() {
      closed = true;
      clearTimeout(timer);
      for (const { lose } of [...held.values()]) lose();
      await resuming;
      await locks.close();
    },
  };
}

function openLocks(database: Database): ProcessLocks {
  if (isOnPostgres(database)) return openSessionLocks(database, "claim");
  const groupOf = (id: number) => (id < SHARDS ? "hub" : id === FOLLOWING ? "following" : "notices");
  return openFileLocks({ file: sqliteFileOf(database), store: database }, groupOf);
}

/**
 * Raises the tokens of claims whose locks this process holds. On PostgreSQL a token that a write of the last owner has
 * proved is left for the next attempt: waiting for it while others are locked could end in a deadlock.
 */
async function raiseTokens(database: Database, ids: readonly number[]): Promise<{ id: number; token: number }[]> {
  const wanted = database
    .selectFrom("claim")
    .select("id")
    .where("id", "in", [...ids]);
  return await database
    .updateTable("claim")
    .set(({ eb }) => ({ token: eb("token", "+", 1) }))
    .where("id", "in", isOnPostgres(database) ? wanted.forUpdate().skipLocked() : wanted)
    .returning(["id", "token"])
    .execute();
}

async function readTokens(database: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await database
    .selectFrom("claim")
    .selectAll()
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ id, token }) => [id, token]));
}

/** The claims that each transaction has proved. */
const provedClaims = new WeakMap<Database, ReadonlySet<Claim>>();

/** How long a process that hangs in a transaction can keep a claim that it has proved from the next owner. */
const MAX_PROVED_STALL_MS = 3_000;

/** Whether the claim has not been lost. If so, no other process can take it before the transaction ends. */
export async function proveClaim(transaction: Database, claim: Claim): Promise<boolean> {
  return (await proveClaims(transaction, [claim])).size > 0;
}

/**
 * Those of the claims that have not been lost. No other process can take them before the transaction ends. The `lost` of
 * the others is aborted.
 */
export async function proveClaims<Each extends Claim>(
  transaction: Database,
  claims: readonly Each[],
): Promise<Set<Each>> {
  const proved = provedClaims.get(transaction) ?? new Set<Claim>();
  const others = claims.filter((claim) => !proved.has(claim));
  const tokens =
    others.length === 0
      ? new Map()
      : await lockTokens(
          transaction,
          others.map(({ id }) => id),
        );
  const held = new Set(claims.filter((claim) => proved.has(claim) || tokens.get(claim.id) === claim.token));
  for (const claim of others) if (!held.has(claim)) onDisproved.get(claim)?.();
  if (transaction.isTransaction) provedClaims.set(transaction, proved.union(held));
  return held;
}

async function lockTokens(transaction: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const query = transaction
    .selectFrom("claim")
    .select(["id", "token"])
    .where("id", "in", [...ids]);
  // SQLite's transactions hold the lock on everything from their beginning.
  const stall = sql<string>`set_config('idle_in_transaction_session_timeout', ${`${MAX_PROVED_STALL_MS}`}, true)`;
  const rows = await (isOnPostgres(transaction) ? query.select(stall.as("stall")).forShare() : query).execute();
  return new Map(rows.map(({ id, token }) => [id, token]));
}
