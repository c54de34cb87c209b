/** The publisher: holds the current edition, and has the next one rendered when the store's revision changes. */
import type { Edition } from "./edition.ts";

export interface Publisher {
  /** The edition that readers get: the newest, or the one kept from the last run; undefined before the first. */
  current(): Edition | undefined;
  /** The current edition, once the store is known to be at its revision. Only a confirmed edition is pushed. */
  confirmed(): Edition | undefined;
  /** Calls back with each edition when it is published, or, for a kept one, when it is confirmed. */
  onEdition(listener: (edition: Edition) => void): void;
  /** Looks at the store sooner, for a moment: something has just been written to it. */
  lookSoon(): void;
  /** Whether the store did not answer when it was last asked, or has not answered for some seconds. */
  isStoreAway(): boolean;
  figures(): PublisherFigures;
  close(): void;
}

/** Figures of a publisher since it was opened. */
interface PublisherFigures {
  /** Seconds since the store's revision was last read. */
  readonly secondsSinceLook: number;
  /** Seconds for which the store has been known to be newer than the served edition; 0 if it is not. */
  readonly secondsBehind: number;
  /** Seconds that the last edition took to render; 0 before the first. */
  readonly lastRenderSeconds: number;
  readonly published: number;
  readonly faults: number;
}

/** A revision of the store: its number, and when it was committed. */
interface Revision {
  readonly number: number;
  readonly revised_at: Date;
}

export interface PublisherParts {
  /** Reads the store's revision, and renders its edition. */
  readonly revision: () => Promise<Revision>;
  readonly render: () => Promise<Edition>;
  /** The edition kept by the last run, served until a newer one is rendered. */
  readonly kept?: Edition | undefined;
  /** Whether an error says that the store cannot be reached just now, which is no fault of an edition. */
  readonly isAway?: (error: unknown) => boolean;
  readonly onFault: (error: unknown) => void;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
  readonly intervalMs?: number;
}

/** The store is read four times a second, so that a change by any process is published within two seconds. */
const INTERVAL_MS = 250;
/** After a hint, the store is read this often, for so long: a write is seen before its commit. */
const EAGER_INTERVAL_MS = 10;
export const EAGER_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A store that has not answered for this long counts as away. */
const SILENCE_MS = 5_000;

/**
 * Starts a publisher. A fault of the store or the worker is reported and the step repeated later; it never ends the
 * loop.
 */
export function openPublisher({ kept, ...parts }: PublisherParts): Publisher {
  const interval = parts.intervalMs ?? INTERVAL_MS;
  const listeners: ((edition: Edition) => void)[] = [];
  let edition = kept;
  let isConfirmed = false;
  let timer: NodeJS.Timeout | undefined;
  let timerEnds = 0;
  let eagerUntil = 0;
  let closed = false;
  let faultsInARow = 0;
  const clock = parts.clock ?? (() => performance.now());
  const counts = { published: 0, faults: 0 };
  let lookedAt = clock();
  let behindSince: number | undefined;
  let lastRenderMs = 0;
  let hasStoreFailed = false;
  let askedAt: number | undefined;

  async function look(): Promise<void> {
    try {
      if (edition === undefined || !isOf(edition, await revision())) await renderNext();
      else if (!isConfirmed) publish(edition);
      behindSince = undefined;
      faultsInARow = 0;
    } catch (error) {
      faultsInARow++;
      if (parts.isAway?.(error) !== true) counts.faults++;
      if (!closed) parts.onFault(error);
    }
    const usual = Math.min(interval * 2 ** Math.min(faultsInARow, 10), LONGEST_WAIT_MS);
    lookIn(faultsInARow === 0 && clock() < eagerUntil ? Math.min(usual, EAGER_INTERVAL_MS) : usual);
  }

  function lookIn(waitMs: number): void {
    if (closed) return;
    timerEnds = clock() + waitMs;
    timer = setTimeout(() => {
      timer = undefined;
      void look();
    }, waitMs);
  }

  function lookSoon(): void {
    eagerUntil = clock() + EAGER_MS;
    const isSooner = timer !== undefined && faultsInARow === 0 && timerEnds > clock() + EAGER_INTERVAL_MS;
    if (!isSooner) return; // it looks now or will soon, or the store has failed
    clearTimeout(timer);
    lookIn(EAGER_INTERVAL_MS);
  }

  async function revision(): Promise<Revision> {
    askedAt = clock();
    try {
      const revision = await parts.revision();
      hasStoreFailed = false;
      lookedAt = clock();
      return revision;
    } catch (error) {
      hasStoreFailed = true;
      throw error;
    } finally {
      askedAt = undefined;
    }
  }

  async function renderNext(): Promise<void> {
    const startedAt = clock();
    behindSince ??= startedAt;
    publish(await parts.render());
    lastRenderMs = clock() - startedAt;
    lookedAt = clock();
  }

  function isOf({ revision, revisedAt, sample }: Edition, { number, revised_at }: Revision): boolean {
    return revision === number && (sample || revisedAt.getTime() === revised_at.getTime());
  }

  function publish(next: Edition): void {
    if (closed) return;
    edition = next;
    isConfirmed = true;
    counts.published++;
    for (const listener of listeners) listener(next);
  }

  void look();
  return {
    current: () => edition,
    confirmed: () => (isConfirmed ? edition : undefined),
    onEdition: (listener) => void listeners.push(listener),
    lookSoon,
    isStoreAway: () => hasStoreFailed || (askedAt !== undefined && clock() - askedAt > SILENCE_MS),
    figures: () => ({
      secondsSinceLook: (clock() - lookedAt) / 1000,
      secondsBehind: behindSince === undefined ? 0 : (clock() - behindSince) / 1000,
      lastRenderSeconds: lastRenderMs / 1000,
      ...counts,
    }),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
