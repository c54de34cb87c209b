/** The rounds: one timer looks at each site of a folder in turn, for what has changed, what is due, and who may rest. */
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { placeStamp, workDueAt } from "../sites/site-survey.ts";
import type { HostedSite, SiteSurveys } from "./hosted-site.ts";
import type { OpenSites } from "./open-sites.ts";
import type { SiteDirectory } from "./site-directory.ts";
import type { SiteWatches } from "./site-watches.ts";

export interface RoundsLimits {
  /** How long a site stays open after a request, and after it was opened for its work. */
  readonly idleMs: number;
  readonly workIdleMs: number;
  /** How often some of the sites are looked at. */
  readonly tickMs: number;
  /** Ticks in which the files of each site are looked at once, although nothing tells of a change. */
  readonly sweepTicks: number;
}

interface RoundsParts {
  readonly limits: RoundsLimits;
  readonly log: Logger;
  readonly isOnPostgres: boolean;
  readonly directory: SiteDirectory;
  readonly surveys: SiteSurveys;
  readonly watches: SiteWatches;
  readonly openSites: OpenSites;
  readonly logFault: (error: unknown) => void;
}

/** Ticks in which each site is looked at once. */
const ROUND_TICKS = 8;
/** Sites, by their order in the list, that are looked at every second if they may have work. */
const MAX_HURRIED_SITES = 1_000;
/** Ticks between two queries for what has changed in any store, on PostgreSQL. */
const STATE_TICKS = 2;
/** Ticks between two looks at sites that were not looked at yet. */
const NEW_TICKS = 2;

/** Starts the rounds. Returns a function that ends them. */
export function startRounds(parts: RoundsParts) {
  const { limits, log, isOnPostgres, directory, surveys, watches, openSites, logFault } = parts;
  const { idleMs, workIdleMs, tickMs, sweepTicks } = limits;
  let tick = 0;
  let ended = false;
  let isSurveyingNew = false;
  /** The list of which every site was surveyed. */
  let surveyedSites: readonly HostedSite[] = [];
  let watched: readonly HostedSite[] = [];
  const timer = setInterval(look, tickMs);
  void surveyNew();

  function look(): void {
    try {
      tick++;
      if (isOnPostgres && tick % STATE_TICKS === 0) void surveys.readStates(directory.sites());
      const hasTurn = (each: HostedSite, at: number) =>
        at % ROUND_TICKS === tick % ROUND_TICKS || (at < MAX_HURRIED_SITES && tick % 2 === 0 && each.mayWork);
      const sites = directory.sites();
      if (sites !== watched) watches.keep(sites);
      watched = sites;
      const mine = sites.filter(hasTurn);
      const changed = new Set(mine.filter(mayDiffer));
      for (let at = tick % sweepTicks; at < sites.length; at += sweepTicks) changed.add(sites[at] as HostedSite);
      directory.refresh([...changed], tick % ROUND_TICKS === 0);
      for (const each of mine) if (each.isListed) lookAt(each, changed.has(each));
      if (tick % NEW_TICKS === 0) void surveyNew();
    } catch (error) {
      log.error({ err: error }, "The folder of the sites could not be read; trying again");
    }
  }

  /** Whether a site's files are to be looked at. One that is open may have come to others without a change of its folder. */
  function mayDiffer(each: HostedSite): boolean {
    if (each.surveying !== undefined) return false; // what is told meanwhile is kept for its next turn
    return watches.mayDiffer(each) || each.site !== undefined;
  }

  /**
   * Has a site that needs it surveyed again, opened for its work, or put to rest. One in use that has work does it by itself,
   * and writes all the time: it is surveyed only if its files may be others.
   */
  function lookAt(each: HostedSite, mayFilesDiffer: boolean): void {
    if (isIdle(each) && !mayFilesDiffer) return;
    if (each.survey === undefined || each.surveying !== undefined) return;
    if (each.site !== undefined && performance.now() - each.askedAt < idleMs) {
      const isWorking = each.site.isWorking();
      if (isWorking ? placeStamp(each, each.storeUrl) !== each.placeStamp : surveys.isOutdated(each))
        void surveyed(each);
      return;
    }
    // Also of a site that rests without any work: an import may bring sources to follow, or somebody to tell.
    if (!surveys.isOutdated(each, mayFilesDiffer)) {
      decide(each);
      return;
    }
    watches.renew(each); // whatever kept the change from being told
    void surveyed(each);
  }

  /** Whether nothing of a site is open, and nothing due. On PostgreSQL the states of stores say that, which are read. */
  function isIdle({ site, dueAt }: HostedSite): boolean {
    return site === undefined && Date.now() < dueAt && !isOnPostgres;
  }

  async function surveyed(each: HostedSite): Promise<void> {
    await surveys
      .surveyOf(each)
      .then(() => decide(each))
      .catch(logFault); // whatever a store says, no other site waits for it
  }

  function decide(each: HostedSite): void {
    if (ended || !each.isListed) return;
    const { survey, site } = each;
    if (survey === undefined) return;
    if (survey.state !== "published") openSites.rest(each);
    each.dueAt = dueAtOf(each);
    if (survey.state !== "published") return;
    const now = performance.now();
    const isBusy = each.dueAt <= Date.now();
    if (site === undefined && isBusy && openSites.hasRoomNow()) {
      each.workedAt = now;
      openSites.opened(each).then(() => openSites.work(each), logFault);
    }
    if (each.mayWork) openSites.work(each);
    if (site === undefined || each.opening !== undefined || now - each.workedAt < workIdleMs) return;
    each.seenRevision = site.publisher.confirmed()?.revision ?? each.seenRevision;
    if (!isBusy && now - each.askedAt > idleMs) openSites.rest(each);
  }

  /** Looks at every site that is new, or at a new address, with half of the processor at most. */
  async function surveyNew(): Promise<void> {
    if (isSurveyingNew || directory.sites() === surveyedSites) return;
    isSurveyingNew = true;
    const sites = directory.sites();
    for (const { name, survey } of sites) {
      if (survey !== undefined) continue;
      const each = directory.named(name);
      if (ended) return;
      if (each === undefined || each.survey !== undefined) continue;
      const startedAt = performance.now();
      await surveyed(each);
      await wait(performance.now() - startedAt, undefined, { ref: false }); // a stop does not wait for it
    }
    if (sites.every(({ survey }) => survey !== undefined)) surveyedSites = sites;
    isSurveyingNew = false;
  }

  return () => {
    ended = true;
    clearInterval(timer);
    watches.keep([]);
  };
}

/** When work of its hub, sources or notices is due. */
function dueAtOf({ survey, seenRevision }: HostedSite): number {
  if (survey?.state !== "published" || survey.store === undefined) return Number.POSITIVE_INFINITY;
  const { hasSubscribers, revision, fanOutRevision } = survey.store;
  const isNews = hasSubscribers && revision.number > Math.max(fanOutRevision, seenRevision);
  return isNews ? Number.NEGATIVE_INFINITY : workDueAt(survey.store, new Date());
}
