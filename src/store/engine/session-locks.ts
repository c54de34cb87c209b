/**
 * Locks of a PostgreSQL store: advisory locks of one session outside the pool. The session stays in a transaction that
 * does nothing, for two reasons. A pooler in transaction mode leaves it its connection. And the server ends a session
 * that is silent in a transaction, which is how it notices a process that hangs or whose machine is gone.
 */
import type { Kysely } from "kysely";
import { connectOutsidePool, type OwnClient, sharedPoolOf } from "./postgres.ts";
import type { ProcessLocks } from "./process-locks.ts";

/**
 * How long the server waits for a silent session. A way to the database that holds everything for twelve seconds, or
 * loses it for six (what is lost is sent again after 6 s, then after 13), is slow and no loss (decisions/hub-claims.md).
 */
export const MAX_SILENCE_MS = 15_000;
/** How long after a sign of life its session certainly exists. The rest is for what is under way at the end. */
export const CERTAIN_MS = 3_000;
/**
 * Begins the session's transaction, with its limits. It locks no table, and holds back no vacuum, because it has no
 * snapshot between two queries. Version 17 and later can limit transactions as a whole; this one has no end.
 */
const beginning = (maxSilenceMs: number) =>
  `start transaction isolation level read committed; set local idle_in_transaction_session_timeout = ${maxSilenceMs}; select set_config('transaction_timeout', '0', true) where current_setting('transaction_timeout', true) is not null`;

interface Session {
  readonly number: number;
  readonly client: OwnClient;
  readonly destroy: () => void;
  /** Identifies the server's process, which may have a former one's number. */
  readonly pid: number;
  readonly startedAt: string;
  /** The locks that are held: the table that names them, and the number of each. */
  readonly held: Set<string>;
  /** Queries in progress: only these keep the process running. */
  waiting: number;
  /** When the latest query that was answered was sent: the server has waited no longer than since then. */
  heardAt: Moment;
}

/** By a clock that stands still while the machine is suspended, and by one that may jump. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

export interface SessionOptions {
  readonly steady?: () => number;
  readonly wall?: () => number;
  readonly maxSilenceMs?: number;
}

/** The sessions of the stores that share a pool, and so a process, by the pool. */
const sharedSessions = new WeakMap<object, LockSession>();

/**
 * Opens the locks. `table` names them: stores in other schemas of the database have other ones. The locks of all stores
 * that share a pool of connections are those of one session.
 */
export function openSessionLocks<Tables>(
  database: Kysely<Tables>,
  table: string,
  options: SessionOptions = {},
): ProcessLocks {
  const shared = sharedPoolOf(database);
  if (shared === undefined) return openSession(database, options).locks(table);
  const { schema, pool } = shared;
  return sharedSessions.getOrInsertComputed(pool, () => openSession(database, options)).locks(`${schema}.${table}`);
}

/** One session, with the locks of one or several stores. */
interface LockSession {
  locks(table: string): ProcessLocks;
}

function openSession<Tables>(
  database: Kysely<Tables>,
  { steady = () => performance.now(), wall = () => Date.now(), maxSilenceMs = MAX_SILENCE_MS }: SessionOptions,
): LockSession {
  let users = 0;
  let sessions = 0;
  let session: Session | undefined;
  /** The last session, which may still exist on the server. */
  let former: Session | undefined;
  let opening: Promise<void> | undefined;

  function moment(): Moment {
    return { steady: steady(), wall: wall() };
  }

  async function open(): Promise<void> {
    const { client, destroy } = await connectOutsidePool(database, {
      application_name: "goodword claims",
      query_timeout: maxSilenceMs, // it has ended by then
    });
    try {
      const heardAt = moment();
      await client.query(beginning(maxSilenceMs));
      const own = await client.query(
        "select pid, extract(epoch from backend_start)::text as started from pg_stat_get_activity(pg_backend_pid())",
      );
      const opened: Session = {
        ...{ number: sessions++, client, destroy, heardAt },
        ...{ pid: own.rows[0]?.pid, startedAt: own.rows[0]?.started, held: new Set(), waiting: 0 },
      };
      client.on("error", () => lose(opened));
      client.on("end", () => lose(opened));
      if (former !== undefined)
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_get_activity($1) where extract(epoch from backend_start)::text = $2",
          [former.pid, former.startedAt],
        );
      if (users === 0) throw new Error("The locks were closed");
      former = undefined;
      session = opened;
      client.unref();
    } catch (error) {
      destroy();
      throw error;
    }
  }

  function lose(lost: Session): void {
    lost.destroy();
    if (session !== lost) return;
    session = undefined;
    former = lost;
  }

  async function ask(asked: Session, text: string, values: readonly unknown[]): Promise<readonly { id: number }[]> {
    const sentAt = moment();
    if (asked.waiting++ === 0) asked.client.ref();
    try {
      const { rows } = await asked.client.query(text, [...values]);
      asked.heardAt = sentAt;
      return rows;
    } catch (error) {
      lose(asked);
      throw error;
    } finally {
      if (--asked.waiting === 0) asked.client.unref();
    }
  }

  async function reopen(): Promise<void> {
    opening ??= open().finally(() => {
      opening = undefined;
    });
    await opening;
  }

  function openLocks(table: string): ProcessLocks {
    const lockOf = `'${table}'::regclass::oid::int4, id`;
    const keyOf = (id: number) => `${table} ${id}`;
    let closed = false;
    users++;
    return {
      async take(ids) {
        if (session === undefined) await reopen();
        const current = session;
        if (current === undefined || closed) return { session: -1, ids: [] };
        const free = ids.filter((id) => !current.held.has(keyOf(id))); // a session may take its own lock once more
        if (free.length === 0) return { session: current.number, ids: [] };
        for (const id of free) current.held.add(keyOf(id));
        const attempt = `select id, pg_try_advisory_lock(${lockOf}) as taken from unnest($1::int4[]) as id`;
        const rows = (await ask(current, attempt, [free])) as readonly { id: number; taken: boolean }[];
        for (const { id, taken } of rows) if (!taken) current.held.delete(keyOf(id));
        return { session: current.number, ids: rows.filter(({ taken }) => taken).map(({ id }) => id) };
      },
      async release(ids) {
        const current = session;
        const own = ids.filter((id) => current?.held.has(keyOf(id)));
        if (current === undefined || own.length === 0) return;
        await ask(current, `select id, pg_advisory_unlock(${lockOf}) from unnest($1::int4[]) as id`, [own]);
        for (const id of own) current.held.delete(keyOf(id));
      },
      session() {
        if (session === undefined) return undefined;
        const { heardAt, number } = session;
        const age = Math.max(steady() - heardAt.steady, Math.abs(wall() - heardAt.wall));
        return age < CERTAIN_MS ? number : undefined;
      },
      async beat() {
        if (session !== undefined) await ask(session, "select 1 as id", []);
        else if (former !== undefined) await reopen(); // the first one is opened when something is taken
      },
      async close() {
        if (closed) return;
        closed = true;
        const own = [...(session?.held ?? [])].flatMap((key) =>
          key.startsWith(`${table} `) ? Number(key.split(" ")[1]) : [],
        );
        if (--users > 0) return await this.release(own).catch(() => {}); // otherwise they end with the session
        await opening?.catch(() => {});
        session?.destroy();
        session = undefined;
      },
    };
  }

  return { locks: openLocks };
}
