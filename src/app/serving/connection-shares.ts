/** How many connections each port of a process accepts, and how many sites it opens: they share the files that it may open. */
import { readFileSync } from "node:fs";

/** Files and sockets that the process needs besides the connections of clients: the store, callbacks, logs. */
const OTHER_FILES = 400;
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 100;
/** For a few collectors of metrics. */
const METRICS_CONNECTIONS = 40;
/** The connections of an open site to its store, with the store's log and locks, and the edition that is cached. */
const FILES_OF_SITE = 12;
const [MIN_OPEN_SITES, MAX_OPEN_SITES] = [4, 200];

interface ConnectionShares {
  readonly main: number;
  readonly metrics: number;
  /** How many sites of a folder may be open at once. Their files are at most half of what is left. */
  readonly sites: number;
}

/** Divides what the limit of open files leaves. */
export function shareConnections(maxOpenFiles: number, { hasSites = false } = {}): ConnectionShares {
  const left = maxOpenFiles - OTHER_FILES - METRICS_CONNECTIONS;
  const affordable = Math.floor(left / 2 / FILES_OF_SITE);
  const sites = hasSites ? Math.max(MIN_OPEN_SITES, Math.min(MAX_OPEN_SITES, affordable)) : 0;
  const main = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, left - sites * FILES_OF_SITE));
  return { main, metrics: METRICS_CONNECTIONS, sites };
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
