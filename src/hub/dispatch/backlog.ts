/**
 * Bounds the due work of a shard that waits in memory so that slow hosts do not keep out the others: of each party only
 * some rows are taken at once, none while the party delays those taken before, and when very many wait, those that are
 * delayed go back to the store for a while.
 */
import type { HostLimiter, Ticket } from "../limits/host-limiter.ts";

/** Work that waits for a request or has begun one. */
export interface Queued {
  readonly ticket: Ticket;
}

/** The number of rows of a kind that are read at once, and from which no more are read while they can begin. */
export const MAX_ROWS = 500;
/** From this number on, work that is delayed by its host goes back to the store. */
export const MAX_QUEUED = 2000;
/** The number of rows of one party that are taken at once. */
const MAX_OF_PARTY = 128;
const DELAYED_MS = 100;

/** Whether work waits for its own host, and not for others. */
export function isDelayed({ ticket }: Queued, limiter: HostLimiter): boolean {
  return limiter.delayMs(ticket) >= DELAYED_MS;
}

/**
 * Makes room for more work: when very much waits, `putOff` returns what is delayed to the store. Returns the work that is
 * delayed, whose parties should not be read again yet, or undefined if nothing more should be read.
 */
export async function makeRoom<Work extends Queued>(
  queued: readonly Work[],
  limiter: HostLimiter,
  putOff: (work: Work) => Promise<unknown>,
): Promise<Work[] | undefined> {
  const delayed = queued.filter((work) => isDelayed(work, limiter));
  if (queued.length >= MAX_QUEUED) {
    await Promise.all(delayed.filter(({ ticket }) => ticket.begunAt === undefined).map(putOff));
  }
  return queued.length - delayed.length < MAX_ROWS ? delayed : undefined;
}

/** Returns the first rows of each party. */
export function firstOfEach<Row>(rows: readonly Row[], partyOf: (row: Row) => string): Row[] {
  return [...Map.groupBy(rows, partyOf).values()].flatMap((those) => those.slice(0, MAX_OF_PARTY));
}
