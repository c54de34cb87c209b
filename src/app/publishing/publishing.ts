/**
 * Publishing: the kept edition at first, then each edition that the worker renders, which is kept for the next start. A
 * change of the store is noticed by looking at it, sooner if something was just written to it.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { isLarge, prepareCodings } from "../../edition/codings.ts";
import { type Edition, openEdition } from "../../edition/edition.ts";
import { openPublisher, type Publisher } from "../../edition/publisher.ts";
import type { RenderedEdition } from "../../edition/render-edition.ts";
import { isDatabaseAway } from "../../store/engine/database-outage.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { storedRevision } from "../../store/engine/stored-revision.ts";
import type { Store } from "../../store/store.ts";
import { canAnnounce, latestNotice } from "./change-notice.ts";
import { deleteEditionFilesOfLinks } from "./edition-file.ts";
import { openEditionWorker } from "./edition-worker.ts";
import type { EditionWorkerSettings } from "./edition-worker-thread.ts";
import { keepEdition, keptEdition, makeKeepingPace } from "./kept-edition.ts";
import { makeOutageLog } from "./outage-log.ts";
import { keepSample, keptSample, withOrigin } from "./sample-edition.ts";
import { watchStore } from "./store-watch.ts";

/**
 * Above this number of reviews the edition worker's thread is kept, because a cold start would delay an edition too
 * long.
 */
const MOST_FOR_A_COLD_START = 3_000;

/**
 * Large codings are made, and a large edition is saved, when none newer has come for so long: each takes seconds of
 * processor time, which the next edition needs if many follow one another.
 */
const QUIET_MS = 5_000;

/** The same for small documents and for saving a small edition: until then subscribers and readers come first. */
const SHORT_QUIET_MS = 500;

/** When a thread has been started, which keeps this one for some milliseconds: readers come between the two. */
const LITTLE_LATER_MS = 30;

interface PublishingParts {
  readonly stored: Promise<Store>;
  readonly opened: AsyncDisposableStack;
  readonly log: Logger;
}

/** What reads the history of changes, loaded when a change is coming: even what the store has loaded takes milliseconds to find. */
async function historyRows() {
  const { mayHaveRemovedSince } = await import("../../store/history/change-rows.ts");
  const { latestChange } = await import("../../store/review-rows.ts");
  return { mayHaveRemovedSince, latestChange };
}

/** Opens the publisher and its worker. It starts with the kept edition, and saves each edition that it publishes. */
export function openPublishing(settings: EditionWorkerSettings, { stored, opened, log }: PublishingParts): Publisher {
  /** The sample's edition of a new store, beside which it is not kept yet: without it, the next start is a slow one. */
  let unkept: RenderedEdition | undefined;
  let lastRendered: RenderedEdition | undefined;
  deleteLeftBesideLinks();
  const kept = readKept();
  let last = kept;
  const isWarmKept = () => !canAnnounce(settings.databaseUrl) || (last?.reviewCount ?? 0) > MOST_FOR_A_COLD_START;
  const worker = openEditionWorker(settings, { isKept: isWarmKept, last: () => lastRendered });
  opened.defer(worker.close);
  if (kept === undefined) worker.start();
  else {
    log.debug({ revision: kept.revision }, "Serving the edition of the last run until the store is open");
    stored.then(() => isWarmKept() && worker.warm()).catch(() => {}); // without a store, the start itself fails
  }
  let noticed: number | undefined;
  let loaded: Promise<typeof import("../../store/store.ts")> | undefined;
  let keeping: Promise<void> | undefined;
  const pace = makeKeepingPace(() => performance.now());
  opened.defer(async () => await keeping);
  let isClosing = false;
  /** Aborted by the next edition, and on stop. */
  let preparing = new AbortController();
  const outage = makeOutageLog(log, () => performance.now());
  const publisher = openPublisher({ revision, render, kept, isAway: isDatabaseAway, onFault });
  let watching: Disposable | undefined;
  opened.defer(() => {
    isClosing = true;
    watching?.[Symbol.dispose]();
    preparing.abort();
    publisher.close();
  });
  publisher.onEdition((edition) => {
    const { revision, reviewCount, business, sample } = edition;
    const message = sample
      ? "Published the sample business, which is invented: import your own reviews to replace it"
      : "Published the reviews as they are now";
    log.info({ revision, business: business.name, reviews: reviewCount }, message);
    if (sample && unkept !== undefined) keep(unkept, isEmptyStill);
    unkept = undefined;
    const { signal } = preparing;
    prepare(edition, signal).catch(onFault);
  });
  return publisher;

  /** Has the worker get ready if a command is about to change the store. */
  function lookForNotice(): void {
    const notice = latestNotice(settings.databaseUrl);
    if (notice !== undefined && notice !== noticed) {
      worker.warm();
      setTimeout(() => void historyRows().catch(() => {}), LITTLE_LATER_MS).unref(); // the change itself reports the error
    }
    noticed = notice;
  }

  async function revision() {
    lookForNotice();
    const { database } = await stored;
    // The folder of the store is there by now. A notice is not left to the next look: the change may come right after it.
    watching ??= watchStore(settings.databaseUrl, () => {
      lookForNotice();
      publisher.lookSoon();
    });
    loaded ??= import("../../store/store.ts"); // the store has loaded it
    const revision = await (await loaded).readRevision(database);
    outage.isOver();
    return revision;
  }

  async function render(): Promise<Edition> {
    const { number } = await revision(); // the tables are migrated by now
    const isKeepable = number === 0 ? isEmptyStill : await nothingRemovedFromNow();
    const rendered = number === 0 ? await sampleEdition() : await worker.render("stored");
    preparing.abort();
    preparing = new AbortController();
    keep(rendered, isKeepable);
    lastRendered = rendered;
    last = openEdition(rendered, last);
    return last;
  }

  async function prepare(edition: Edition, signal: AbortSignal): Promise<void> {
    await quiet(signal, SHORT_QUIET_MS);
    await prepareCodings(edition.documents(), {
      signal,
      whenQuiet: () => quiet(signal, QUIET_MS),
      encodeSmall: worker.encode,
      paced: async (coding) => {
        const startedAt = performance.now();
        await coding;
        await quiet(signal, performance.now() - startedAt); // readers have at least half of the time to themselves
      },
    });
  }

  function readKept(): Edition | undefined {
    try {
      const isNew = !isStoreThere(settings.databaseUrl);
      const rendered = isNew ? keptSample(settings.baseUrl) : keptOfStore();
      if (isNew) unkept = rendered;
      lastRendered = rendered;
      return rendered && openEdition(rendered);
    } catch (error) {
      log.warn(
        { err: error },
        "What was published before the stop cannot be read from its file, so this start takes longer: it is made anew from the store",
      );
      return undefined;
    }
  }

  /** What is kept beside a store that exists. The invented sample is never shown once anything has been imported. */
  function keptOfStore(): RenderedEdition | undefined {
    const kept = keptEdition(settings);
    return kept?.sample === true && storedRevision(settings.databaseUrl) !== 0 ? undefined : kept;
  }

  function deleteLeftBesideLinks(): void {
    try {
      deleteEditionFilesOfLinks(settings.databaseUrl);
    } catch (error) {
      log.warn({ err: error }, "What was published before the store was moved is still there: delete that file");
    }
  }

  /** The sample's edition, from the cache or newly rendered and cached. */
  async function sampleEdition(): Promise<RenderedEdition> {
    const known = keptSample(settings.baseUrl);
    if (known !== undefined) return known;
    const rendered = await worker.render("sample");
    keepSample(rendered);
    return withOrigin(rendered, settings.baseUrl);
  }

  /** Whether the store has no imports yet: the sample is kept no longer than it is published. */
  async function isEmptyStill(): Promise<boolean> {
    return (await revision()).number === 0;
  }

  /**
   * Whether nothing has been removed permanently from the store since this was called, before an edition was rendered: only
   * then may that be saved. It need not be the newest, for the next start looks for a newer revision. A removal commits
   * before it deletes the file, and this never becomes true again, as `writeEditionFile` requires.
   */
  async function nothingRemovedFromNow(): Promise<() => Promise<boolean>> {
    const { mayHaveRemovedSince, latestChange } = await historyRows();
    const { database } = await stored;
    const latest = (await latestChange(database))?.number ?? 0;
    return async () => !(await mayHaveRemovedSince(database, latest));
  }

  function keep(rendered: RenderedEdition, isKeepable: () => Promise<boolean>): void {
    pace.published();
    keeping = keepSoon(keeping).catch((error: unknown) => {
      log.warn({ err: error }, "What is published cannot be saved beside the store: the next start takes longer");
    });

    async function keepSoon(earlier: Promise<void> | undefined): Promise<void> {
      await earlier;
      const { signal } = preparing;
      await quiet(signal, isLarge(rendered.reviewIndex.records) ? QUIET_MS : SHORT_QUIET_MS);
      if (rendered !== lastRendered && (isClosing || !pace.isOverdue())) return;
      await keepEdition(rendered, settings, isKeepable);
      pace.saved();
    }
  }

  /** Resolves when no newer edition has come for a while, or as soon as `signal` is aborted. */
  async function quiet(signal: AbortSignal, milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }

  function onFault(error: unknown): void {
    if (isDatabaseAway(error)) outage.goesOn(error);
    else log.error({ err: error }, "The newest change could not be published: what was published before stays");
  }
}
