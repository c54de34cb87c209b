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
  /** Number of connections, in use or idle. */
  readonly size: number;
  closeIdle(): void;
}

/** Opens a pool of at most `most` connections, unless more are in use. `end` closes one. */
export function openConnectionPool<C extends PooledConnection>(
  most: number,
  end: (connection: C) => void,
): ConnectionPool<C> {
  /** Idle connections, the longest idle first. */
  const idle = new Set<C>();
  const idleByOrigin = new Map<string, C[]>();
  let size = 0;

  function forget(connection: C): void {
    if (!idle.delete(connection)) return;
    const others = (idleByOrigin.get(connection.origin) ?? []).filter((each) => each !== connection);
    if (others.length === 0) idleByOrigin.delete(connection.origin);
    else idleByOrigin.set(connection.origin, others);
  }

  function close(connection: C): void {
    forget(connection);
    size--;
    end(connection);
  }

  return {
    take(origin) {
      const kept = idleByOrigin.get(origin)?.at(-1);
      if (kept !== undefined) forget(kept);
      return kept;
    },
    add(connection) {
      const [oldest] = idle;
      if (size >= most && oldest !== undefined) close(oldest);
      size++;
      return connection;
    },
    keep(connection) {
      idle.add(connection);
      idleByOrigin.set(connection.origin, [...(idleByOrigin.get(connection.origin) ?? []), connection]);
    },
    close,
    drop: (connection) => {
      if (idle.has(connection)) close(connection);
    },
    get size() {
      return size;
    },
    closeIdle() {
      for (const connection of idle) close(connection);
    },
  };
}
