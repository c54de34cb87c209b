/** A pool of connections to callbacks. Each carries one request at a time; a new one may close the longest idle one. */

/** A connection to an origin. */
export interface PooledConnection {
  readonly origin: string;
}

export interface ConnectionPool<C extends PooledConnection> {
  /** Takes an idle connection to the origin out of the pool. */
  take(origin: string): C | undefined;
  /** Adds a new connection, in use. Closes the longest idle one if the pool is full. */
  add(connection: C): C;
  /** Returns a connection that can carry another request. */
  keep(connection: C): void;
  /** Closes a connection, in use or idle. */
  close(connection: C): void;
  /** Closes a connection if it is idle, because the server has closed it. */
  drop(connection: C): void;
  /** Whether so many requests at once to the origin close no connection that was in use lately. */
  suffices(origin: string, requests: number): boolean;
  /** Number of connections, in use or idle. */
  readonly size: number;
  closeIdle(): void;
}

/** A connection that has been idle for so long may make room for the second one of another origin. */
const LONG_IDLE_MS = 10_000;

/** Opens a pool of at most `most` connections, unless more are in use. `clock` counts milliseconds; `end` closes one. */
export function openConnectionPool<C extends PooledConnection>(
  most: number,
  clock: () => number,
  end: (connection: C) => void,
): ConnectionPool<C> {
  /** Idle connections with the time since when, the longest idle first. */
  const idle = new Map<C, number>();
  const idleByOrigin = new Map<string, C[]>();
  /** Connections of each origin, in use or idle. */
  const countByOrigin = new Map<string, number>();
  let size = 0;

  function count({ origin }: C, change: 1 | -1): void {
    const after = (countByOrigin.get(origin) ?? 0) + change;
    if (after === 0) countByOrigin.delete(origin);
    else countByOrigin.set(origin, after);
    size += change;
  }

  function forget(connection: C): void {
    if (!idle.delete(connection)) return;
    const others = (idleByOrigin.get(connection.origin) ?? []).filter((each) => each !== connection);
    if (others.length === 0) idleByOrigin.delete(connection.origin);
    else idleByOrigin.set(connection.origin, others);
  }

  function close(connection: C): void {
    forget(connection);
    count(connection, -1);
    end(connection);
  }

  return {
    take(origin) {
      const kept = idleByOrigin.get(origin)?.at(-1);
      if (kept !== undefined) forget(kept);
      return kept;
    },
    add(connection) {
      const [oldest] = idle.keys();
      if (size >= most && oldest !== undefined) close(oldest);
      count(connection, 1);
      return connection;
    },
    keep(connection) {
      idle.set(connection, clock());
      idleByOrigin.set(connection.origin, [...(idleByOrigin.get(connection.origin) ?? []), connection]);
    },
    close,
    drop: (connection) => {
      if (idle.has(connection)) close(connection);
    },
    suffices(origin, requests) {
      if (size < most || (countByOrigin.get(origin) ?? 0) >= requests) return true;
      const [idleSince = Number.POSITIVE_INFINITY] = idle.values();
      return clock() - idleSince >= LONG_IDLE_MS;
    },
    get size() {
      return size;
    },
    closeIdle() {
      for (const connection of idle.keys()) close(connection);
    },
  };
}
