/** The publisher: keeps the current edition, and renders the next one whenever the store's revision has moved. */
import type { Edition } from "./edition.ts";

export interface Publisher {
  /** The edition to answer readers from: the newest, or the one kept from the last run. Undefined before there is one. */
  current(): Edition | undefined;
  /** The current edition once the store was seen to be of its revision: only such a one is pushed to subscribers. */
  confirmed(): Edition | undefined;
  /** Calls back with each edition as it is published; with a kept one when it is confirmed. */
  onEdition(listener: (edition: Edition) => void): void;
  close(): void;
}

/** Which state of the store: its number, and when that was committed. */
interface Revision {
  readonly number: number;
  readonly revised_at: Date;
}

export interface PublisherParts {
  /** The store's revision, and the edition of it. */
  readonly revision: () => Promise<Revision>;
  readonly render: () => Promise<Edition>;
  /** The edition that the last run kept, served until the store says that there is a newer one. */
  readonly kept?: Edition | undefined;
  readonly onFault: (error: unknown) => void;
  readonly intervalMs?: number;
}

/** Asks the store four times a second, so that a change of any process is published well within two seconds. */
const INTERVAL_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** Starts a publisher. A fault of the store or the worker is reported, and asked again later; it never ends the loop. */
export function openPublisher(parts: PublisherParts): Publisher {
  const interval = parts.intervalMs ?? INTERVAL_MS;
  const listeners: ((edition: Edition) => void)[] = [];
  let edition = parts.kept;
  let isConfirmed = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let faults = 0;

  async function look(): Promise<void> {
    try {
      if (edition === undefined || !isOf(edition, await parts.revision())) publish(await parts.render());
      else if (!isConfirmed) publish(edition);
      faults = 0;
    } catch (error) {
      faults++;
      if (!closed) parts.onFault(error);
    }
    const wait = Math.min(interval * 2 ** Math.min(faults, 10), LONGEST_WAIT_MS);
    if (!closed) timer = setTimeout(() => void look(), wait);
  }

  function isOf({ revision, revisedAt, sample }: Edition, { number, revised_at }: Revision): boolean {
    return revision === number && (sample || revisedAt.getTime() === revised_at.getTime());
  }

  function publish(next: Edition): void {
    if (closed) return;
    edition = next;
    isConfirmed = true;
    for (const listener of listeners) listener(next);
  }

  void look();
  return {
    current: () => edition,
    confirmed: () => (isConfirmed ? edition : undefined),
    onEdition: (listener) => void listeners.push(listener),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
