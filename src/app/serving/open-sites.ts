/** The open sites of a folder: opens one that is needed, and closes the one that was used least recently for it. */
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { SiteSurvey } from "../sites/site-survey.ts";
import { type HostedSite, usedAt } from "./hosted-site.ts";
import { readCacheAhead } from "./publisher-opening.ts";
import { cacheSettingsOf, openSite, type SharedParts, type Site, withFirstEdition } from "./site.ts";

export interface OpenSitesLimits {
  /** For another one, the site that was used least recently rests. Each has connections, files and an edition in memory. */
  readonly maxOpen: number;
  /** How long a site stays open in any case: for a request that is being answered, and for its work. */
  readonly minOpenMs: number;
}

export interface OpenSites {
  /** The site, opened if it rests; undefined if it has nothing to publish, or too many others are open. */
  opened(each: HostedSite): Promise<Site | undefined>;
  /** Has an open site look after its hub, its sources and its notices from now on. */
  work(each: HostedSite): void;
  /** Closes what is open of a site. Its next request waits for that. */
  rest(each: HostedSite): void;
  /** Whether one more may be opened now. */
  hasRoomNow(): boolean;
  list(): readonly Site[];
  stop(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

interface OpenSitesParts {
  readonly limits: OpenSitesLimits;
  readonly log: Logger;
  readonly stop: AbortSignal;
  readonly isOnPostgres: boolean;
  readonly surveyOf: (each: HostedSite) => Promise<SiteSurvey>;
  readonly logFault: (error: unknown) => void;
}

/**
 * How often an open site is asked for changes; with many, the second figure for each of them if that is longer. Sites that
 * readers have just used count alone, so that they do not wait for those that are only open.
 */
const [POLL_MS, POLL_MS_FOR_EACH] = [100, 5];
const JUST_USED_MS = 10_000;
/** How long a first answer waits for an edition where none is cached. */
const MAX_FIRST_EDITION_MS = 10_000;
const REST_MS = 10_000;
/** The share of `maxOpen` that is kept for sites that rest: the first answer of one does not wait until another is closed. */
const SPARE = 0.1;
/** How long a site waits to be opened while `maxOpen` sites are open, and how often it looks. */
const [MAX_ROOM_WAIT_MS, ROOM_POLL_MS] = [10_000, 20];

/** How often one of the open sites is asked for changes. */
export function pollMsOf(each: Asked, open: readonly Asked[], now: number): number {
  const isJustUsed = ({ askedAt }: Asked) => now - askedAt < JUST_USED_MS;
  const others = isJustUsed(each) ? open.filter(isJustUsed) : open;
  return Math.max(POLL_MS, others.length * POLL_MS_FOR_EACH);
}

type Asked = Pick<HostedSite, "askedAt">;

/** Makes the list of open sites, empty at first. */
export function makeOpenSites(parts: OpenSitesParts, shared: SharedParts): OpenSites {
  const { log, stop, isOnPostgres, surveyOf, logFault } = parts;
  const { maxOpen, minOpenMs } = parts.limits;
  const maxAtRest = maxOpen - Math.floor(maxOpen * SPARE);
  const openSites = new Set<HostedSite>();
  const resting = new Set<Promise<void>>();
  /** Sites that may be opened and are not yet, and the last of those that wait for that. */
  let admitted = 0;
  let lastWaiting: Promise<void> = Promise.resolve();
  let closed = false;

  function opened(each: HostedSite): Promise<Site | undefined> {
    each.opening ??= openNow(each).finally(() => {
      each.opening = undefined;
    });
    return each.opening;
  }

  async function openNow(each: HostedSite): Promise<Site | undefined> {
    await each.resting;
    if (each.site !== undefined) return each.site;
    if (isOnPostgres && each.survey?.state !== "published") each.survey = undefined;
    const { state, config, environment: own } = await surveyOf(each);
    const { baseUrl } = each;
    if (closed || state !== "published" || config === undefined || baseUrl === undefined) return undefined;
    if (!(await hasRoom())) return undefined;
    const ownLog = log.child({ site: each.name });
    const read = await readCacheAhead(cacheSettingsOf(config, baseUrl), ownLog);
    admitted--;
    if (closed || !each.isListed) return undefined;
    each.end = new AbortController();
    const site = openSite(
      {
        ...{ config, baseUrl, log: ownLog, read, isCacheTrusted: true },
        stop: AbortSignal.any([stop, each.end.signal]),
        keySetting: (name) => own[name],
        pollMs: () => pollMsOf(each, [...openSites], performance.now()),
        onFailed: (error) => onFault(each, site, error),
      },
      shared,
    );
    each.site = site;
    openSites.add(each);
    site.access.stored.catch((error: unknown) => onFault(each, site, error));
    if (each.mayWork) work(each);
    if (site.publisher.current() === undefined) await firstEdition(site, each.end.signal);
    return site;
  }

  function work({ site }: HostedSite): void {
    site?.services().catch(() => {}); // `onFailed` is told
  }

  function onFault(each: HostedSite, site: Site, error: unknown): void {
    if (each.site !== site || closed || each.end.signal.aborted) return;
    log.error({ err: error, site: each.name }, "A site could not be opened");
    each.contentStamp = ""; // it is surveyed again
    rest(each);
  }

  /**
   * Waits until one more site may be open, first come, first served; false if that takes too long. Otherwise who asks for
   * every site in turn would have more opened than the memory and the files of the process allow.
   */
  async function hasRoom(): Promise<boolean> {
    const deadline = performance.now() + MAX_ROOM_WAIT_MS;
    const before = lastWaiting;
    const { promise, resolve } = Promise.withResolvers<void>();
    lastWaiting = promise;
    await before;
    const isFull = () => openSites.size + resting.size + admitted >= maxOpen;
    for (;;) {
      const least = superfluous();
      if (least !== undefined) rest(least);
      if (!isFull() || closed || performance.now() > deadline) break;
      await Promise.race([...resting, wait(ROOM_POLL_MS)]);
    }
    const isThere = !isFull();
    if (isThere) admitted++;
    resolve();
    return isThere;
  }

  /** The open site that was used least recently, and is not needed; undefined while there is room without it. */
  function superfluous(): HostedSite | undefined {
    if (openSites.size + admitted < maxAtRest) return undefined;
    const before = performance.now() - minOpenMs;
    const idle = [...openSites].filter(
      ({ opening, answering, askedAt, workedAt }) =>
        opening === undefined && workedAt < before && (answering === 0 || askedAt < before),
    );
    return idle.toSorted((one, other) => usedAt(one) - usedAt(other))[0];
  }

  function rest(each: HostedSite): void {
    const { site } = each;
    if (site === undefined) return;
    each.site = undefined;
    each.dueAt = Number.NEGATIVE_INFINITY; // its work may not be done
    openSites.delete(each);
    each.end.abort();
    const done = restNow(site).catch(logFault);
    resting.add(done);
    each.resting = done.finally(() => {
      resting.delete(done);
      each.resting = undefined;
    });
  }

  async function restNow(site: Site): Promise<void> {
    await site.settled();
    await site.stop(REST_MS);
    await site.close();
  }

  return {
    opened,
    work,
    rest,
    hasRoomNow: () => openSites.size < maxAtRest || superfluous() !== undefined,
    list: () => [...openSites].flatMap(({ site }) => site ?? []),
    async stop(deadlineMs) {
      closed = true;
      for (const { end } of openSites) end.abort();
      await Promise.all([...resting, ...[...openSites].map(({ site }) => site?.stop(deadlineMs))]);
    },
    async close() {
      await Promise.all([...openSites].map(({ site }) => site?.close()));
    },
  };
}

/** Waits for an edition of a site that has none cached, until it is closed. */
async function firstEdition({ publisher, access }: Site, closed: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  closed.addEventListener("abort", () => resolve(), { once: true });
  const timer = setTimeout(resolve, MAX_FIRST_EDITION_MS);
  withFirstEdition(publisher, () => resolve());
  access.stored.catch(() => resolve());
  await promise;
  clearTimeout(timer);
}
