/** The publisher: keeps the current edition, and prints the next one whenever the store's revision has moved. */
import type { Edition } from "./edition.ts";

export interface Publisher {
  /** The newest edition, or undefined before the first is printed. */
  current(): Edition | undefined;
  /** Calls back with each edition as it comes out. */
  onEdition(listener: (edition: Edition) => void): void;
  /** Resolves when the first edition is out. */
  readonly ready: Promise<Edition>;
  close(): void;
}

export interface PublisherParts {
  /** The number of the store's revision, and the edition of it. */
  readonly revision: () => Promise<number>;
  readonly print: () => Promise<Edition>;
  readonly onFault: (error: unknown) => void;
  readonly intervalMilliseconds?: number;
}

/** Asks the store four times a second, so that a change of any process is out well within two seconds. */
const INTERVAL_MILLISECONDS = 250;
const LONGEST_WAIT_MILLISECONDS = 10_000;

/** Starts a publisher. A fault of the store or the press is reported, and asked again later; it never ends the loop. */
export function openPublisher(parts: PublisherParts): Publisher {
  const interval = parts.intervalMilliseconds ?? INTERVAL_MILLISECONDS;
  const listeners: ((edition: Edition) => void)[] = [];
  const first = Promise.withResolvers<Edition>();
  let edition: Edition | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let faults = 0;

  async function look(): Promise<void> {
    try {
      if (edition === undefined || (await parts.revision()) !== edition.revision) publish(await parts.print());
      faults = 0;
    } catch (error) {
      faults++;
      if (!closed) parts.onFault(error);
    }
    const wait = Math.min(interval * 2 ** Math.min(faults, 10), LONGEST_WAIT_MILLISECONDS);
    if (!closed) timer = setTimeout(() => void look(), wait);
  }

  function publish(next: Edition): void {
    if (closed) return;
    edition = next;
    first.resolve(next);
    for (const listener of listeners) listener(next);
  }

  void look();
  return {
    current: () => edition,
    onEdition: (listener) => void listeners.push(listener),
    ready: first.promise,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
