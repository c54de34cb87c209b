/**
 * Bounds the due work of a shard that waits in memory, so that slow hosts do not keep out the others. Only some rows
 * of each party are read at once, and none while the party delays earlier ones. When the backlog is full, delayed work
 * goes back to the store for a while.
 */
import type { HostLimiter, Ticket } from "../limits/host-limiter.ts";

/** Work whose request waits or has begun. */
export interface Queued {
  readonly ticket: Ticket;
}

/** Rows of a kind per read, and the number of waiting ones, not delayed by their hosts, at which reading stops. */
export const MAX_ROWS = 500;
/** From this number on, work that is delayed by its host goes back to the store. */
export const MAX_QUEUED = 2000;
/** Rows of one party per read. */
const MAX_ROWS_PER_PARTY = 128;
/** Work that has waited this long for its own host is delayed. */
const MIN_DELAY_MS = 100;

/** Whether work waits for its own host, and not for others. */
export function isDelayed({ ticket }: Queued, limiter: HostLimiter): boolean {
  return limiter.delayMs(ticket) >= MIN_DELAY_MS;
}

/**
 * Returns delayed work to the store with `putOff` when the backlog is full. Returns the delayed work, whose parties
 * should not be read again yet, or undefined if nothing more should be read.
 */
export async function trimBacklog<Work extends Queued>(
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

/** The first rows of each party, at most `MAX_ROWS_PER_PARTY`. */
export function firstOfEach<Row>(rows: readonly Row[], partyOf: (row: Row) => string): Row[] {
  return [...Map.groupBy(rows, partyOf).values()].flatMap((those) => those.slice(0, MAX_ROWS_PER_PARTY));
}
