/** How many connections each port of a process accepts: they share the files that it may open. */
import { readFileSync } from "node:fs";

/** Files and sockets that the process needs besides the connections of clients: the store, callbacks, logs. */
const OTHER_FILES = 400;
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 100;
/** For a few collectors of metrics. */
const METRICS_CONNECTIONS = 40;

interface ConnectionShares {
  readonly main: number;
  readonly metrics: number;
}

/** Divides what the limit of open files leaves. */
export function shareConnections(maxOpenFiles: number): ConnectionShares {
  const left = maxOpenFiles - OTHER_FILES - METRICS_CONNECTIONS;
  return { main: Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, left)), metrics: METRICS_CONNECTIONS };
}

/** The limit of this process (Node raises the soft limit to the hard one); without end where it cannot be read. */
export function maxOpenFiles(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY; // not Linux, or the file may not be read
  }
}
