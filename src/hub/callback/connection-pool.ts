/** Connections kept for the next request: each used by one at a time, the longest unused given up for a new one. */

/** A connection to an origin. */
export interface PooledConnection {
  readonly origin: string;
}

export interface ConnectionPool<L extends PooledConnection> {
  /** A kept line to the origin, or a new one. */
  take(origin: string): L;
  /** Keeps a line that can carry another request. */
  keep(line: L): void;
  /** Closes a line, in use or kept. */
  hangUp(line: L): void;
  /** Closes a line if it is kept: its other end has closed it. */
  drop(line: L): void;
  /** Lines open, in use or kept. */
  readonly size: number;
  /** Closes all that are kept. */
  close(): void;
}

/** Keeps lines. `open` makes one, `close` ends one; there are no more than `most` as long as not so many are in use. */
export function openConnectionPool<L extends PooledConnection>(
  most: number,
  open: (origin: string) => L,
  close: (line: L) => void,
): ConnectionPool<L> {
  /** Lines not in use, the longest unused first. */
  const idle = new Set<L>();
  const idleByOrigin = new Map<string, L[]>();
  let size = 0;

  function forget(line: L): void {
    if (!idle.delete(line)) return;
    const others = (idleByOrigin.get(line.origin) ?? []).filter((each) => each !== line);
    if (others.length === 0) idleByOrigin.delete(line.origin);
    else idleByOrigin.set(line.origin, others);
  }

  function hangUp(line: L): void {
    forget(line);
    size--;
    close(line);
  }

  return {
    take(origin) {
      const kept = idleByOrigin.get(origin)?.at(-1);
      if (kept !== undefined) {
        forget(kept);
        return kept;
      }
      const [oldest] = idle;
      if (size >= most && oldest !== undefined) hangUp(oldest);
      size++;
      return open(origin);
    },
    keep(line) {
      idle.add(line);
      idleByOrigin.set(line.origin, [...(idleByOrigin.get(line.origin) ?? []), line]);
    },
    hangUp,
    drop: (line) => {
      if (idle.has(line)) hangUp(line);
    },
    get size() {
      return size;
    },
    close() {
      for (const line of idle) hangUp(line);
    },
  };
}
