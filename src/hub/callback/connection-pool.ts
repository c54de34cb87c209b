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
  release(connection: C): void;
  /** Closes a connection, in use or idle. */
  close(connection: C): void;
  /** Closes a connection if it is idle, because the server has closed it. */
  drop(connection: C): void;
  /** Whether `requests` parallel requests to the origin fit without closing a recently used connection. */
  suffices(origin: string, requests: number): boolean;
  /** Number of connections, in use or idle. */
  readonly size: number;
  closeIdle(): void;
}

/** After this time an idle connection may be closed in favour of another origin's second one. */
const MIN_IDLE_MS = 10_000;

/** Opens a pool of at most `max` connections, unless more are in use. `clock` counts milliseconds; `end` closes one. */
export function openConnectionPool<C extends PooledConnection>(
  max: number,
  clock: () => number,
  end: (connection: C) => void,
): ConnectionPool<C> {
  /** Idle connections and the time since which each is idle, longest idle first. */
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
      const connection = idleByOrigin.get(origin)?.at(-1);
      if (connection !== undefined) forget(connection);
      return connection;
    },
    add(connection) {
      const [oldest] = idle.keys();
      if (size >= max && oldest !== undefined) close(oldest);
      count(connection, 1);
      return connection;
    },
    release(connection) {
      idle.set(connection, clock());
      idleByOrigin.set(connection.origin, [...(idleByOrigin.get(connection.origin) ?? []), connection]);
    },
    close,
    drop: (connection) => {
      if (idle.has(connection)) close(connection);
    },
    suffices(origin, requests) {
      if (size < max || (countByOrigin.get(origin) ?? 0) >= requests) return true;
      const [idleSince = Number.POSITIVE_INFINITY] = idle.values();
      return clock() - idleSince >= MIN_IDLE_MS;
    },
    get size() {
      return size;
    },
    closeIdle() {
      for (const connection of idle.keys()) close(connection);
    },
  };
}
