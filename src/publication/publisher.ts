/** The publisher: holds the current edition, and has the next one rendered when the store's revision changes. */
import { setTimeout as wait } from "node:timers/promises";
import { type Edition, openEdition } from "../edition/edition.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import type { Revision } from "../store/store.ts";

export interface Publisher {
  /** The edition that readers get: the newest, or the cached one of the last run; undefined before the first. */
  current(): Edition | undefined;
  /** The current edition, once the store has confirmed its revision. Only a confirmed edition is pushed. */
  confirmed(): Edition | undefined;
  /** Calls back with each edition when it is published, or, for the cached one, when it is confirmed. */
  onEdition(listener: (edition: Edition) => void): void;
  /** Whether the store did not answer when it was last asked, or has not answered for some seconds. */
  isStoreAway(): boolean;
  figures(): PublisherFigures;
  close(): void;
}

/** Figures of a publisher since it was opened. */
interface PublisherFigures {
  /** Seconds since the store's revision was last read. */
  readonly secondsSinceLook: number;
  /** Seconds since the store was first seen to be newer than the served edition; 0 if it is not. */
  readonly secondsBehind: number;
  /** Seconds that the last edition took to render; 0 before the first. */
  readonly lastRenderSeconds: number;
  readonly published: number;
  readonly faults: number;
}

export interface PublisherParts {
  /** Reads the store's revision. */
  readonly readRevision: () => Promise<Revision>;
  /** Renders the store's current contents. */
  readonly render: () => Promise<RenderedEdition>;
  /** The cached edition of the last run, served until the first is rendered. */
  readonly cached?: RenderedEdition | undefined;
  /** Whether an error means that the store cannot be reached at present, which is no fault of an edition. */
  readonly isAway?: (error: unknown) => boolean;
  readonly onFault: (error: unknown) => void;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
  readonly pollMs?: () => number;
  /** Whether a cached edition at the store's revision is published as it is, and not compared with a rendered one. */
  readonly isCacheTrusted?: boolean;
}

/** A change by any process is served within two seconds, and within 0.3 seconds while there are few reviews. */
const POLL_MS = 100;
const MAX_RETRY_MS = 10_000;
/** A store that has not answered for this long counts as away. */
const MAX_SILENCE_MS = 5_000;

/** Whether an edition was made from this revision of the store. The sample is that of an empty store. */
export function isOfRevision(
  { revision, revisedAt, sample }: Pick<Edition, "revision" | "revisedAt" | "sample">,
  { number, revised_at }: Revision,
): boolean {
  return revision === number && (sample || revisedAt.getTime() === revised_at.getTime());
}

/** Opens a publisher. A fault of the store or the renderer is reported and the step repeated later. */
export function openPublisher({ cached, ...parts }: PublisherParts): Publisher {
  const { pollMs = () => POLL_MS, clock = () => performance.now() } = parts;
  const closed = new AbortController();
  const listeners: ((edition: Edition) => void)[] = [];
  const counts = { published: 0, faults: 0, lastRenderSeconds: 0 };
  const store = { lookedAt: clock(), askedAt: Number.POSITIVE_INFINITY, hasFailed: false };
  let edition = cached && openEdition(cached); // nothing else holds it: the rendered one takes its place
  /** `cached` and not confirmed, `confirmed`, or made by this process's renderer. */
  let origin: "cached" | "confirmed" | "rendered" = "cached";
  let behindSince: number | undefined;

  async function publishChanges(): Promise<void> {
    for (let faults = 0; !closed.signal.aborted; ) {
      try {
        await publishChange();
        faults = 0;
      } catch (error) {
        faults++;
        if (parts.isAway?.(error) !== true) counts.faults++;
        if (!closed.signal.aborted) parts.onFault(error);
      }
      const waitMs = faults === 0 ? pollMs() : Math.min(pollMs() * 2 ** Math.min(faults, 10), MAX_RETRY_MS);
      await wait(waitMs, undefined, { signal: closed.signal }).catch(() => {});
    }
  }

  async function publishChange(): Promise<void> {
    const revision = await readRevision();
    if (edition === undefined || !isOfRevision(edition, revision)) behindSince ??= clock();
    else if (origin === "cached") publish(edition, "confirmed");
    if (behindSince === undefined && (origin === "rendered" || parts.isCacheTrusted === true)) return;
    const startedAt = clock();
    const next = openEdition(await parts.render(), edition);
    counts.lastRenderSeconds = (clock() - startedAt) / 1000;
    behindSince = undefined;
    if (edition === undefined || origin !== "confirmed" || !isSameRevision(edition, next)) {
      publish(next, "rendered");
    } else if (hasSameDocuments(edition, next)) {
      [edition, origin] = [next, "rendered"];
    } else {
      parts.onFault(new Error("The edition cache did not match the store; the store's edition is published"));
      publish(next, "rendered");
    }
  }

  async function readRevision(): Promise<Revision> {
    store.askedAt = clock();
    try {
      const revision = await parts.readRevision();
      store.lookedAt = clock();
      store.hasFailed = false;
      return revision;
    } catch (error) {
      store.hasFailed = true;
      throw error;
    } finally {
      store.askedAt = Number.POSITIVE_INFINITY;
    }
  }

  function publish(next: Edition, from: typeof origin): void {
    if (closed.signal.aborted) return;
    [edition, origin] = [next, from];
    counts.published++;
    for (const listener of listeners) listener(next);
  }

  void publishChanges();
  return {
    current: () => edition,
    confirmed: () => (origin === "cached" ? undefined : edition),
    onEdition: (listener) => void listeners.push(listener),
    isStoreAway: () => store.hasFailed || clock() - store.askedAt > MAX_SILENCE_MS,
    figures: () => ({
      secondsSinceLook: (clock() - store.lookedAt) / 1000,
      secondsBehind: behindSince === undefined ? 0 : (clock() - behindSince) / 1000,
      ...counts,
    }),
    close: () => closed.abort(),
  };
}

function isSameRevision(one: Edition, other: Edition): boolean {
  return isOfRevision(one, { number: other.revision, revised_at: other.revisedAt });
}

function hasSameDocuments(one: Edition, other: Edition): boolean {
  const tagsOf = (edition: Edition) => Array.from(edition.documents(), ({ path, tag }) => `${path} ${tag}`).toSorted();
  return tagsOf(one).join() === tagsOf(other).join();
}
