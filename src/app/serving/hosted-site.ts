/** A site of a folder as the process knows it: where it is, what its files and its store say, and what is open of it. */
import type { Logger } from "pino";
import { isDatabaseAway } from "../../store/engine/database-outage.ts";
import { openSiteStates, type SiteStates } from "../../store/site-states.ts";
import { type AddressedSite, contentStamp, placeStamp, type SiteSurvey, surveySite } from "../sites/site-survey.ts";
import type { Site } from "./site.ts";

/** What is known of a site. Only `site` and what is under way are more than a few words. */
export interface HostedSite extends AddressedSite {
  readonly storeUrl: string;
  readonly settingsStamp: string;
  /** Whether it is in the list: false once another has taken its place there, or its folder is gone. */
  isListed: boolean;
  contentStamp: string;
  /** That of its files when they were last looked at. */
  filesStamp: string;
  placeStamp: string;
  survey: SiteSurvey | undefined;
  /** Whether its subscribers, followed sources or owner may need it although nobody asks for it. */
  mayWork: boolean;
  /** When it is to be opened for its work, in milliseconds since 1970, as far as its survey says. */
  dueAt: number;
  surveying: Promise<SiteSurvey> | undefined;
  site: Site | undefined;
  opening: Promise<Site | undefined> | undefined;
  resting: Promise<void> | undefined;
  end: AbortController;
  /** Requests that are being answered, when it was last asked for, and when it was last opened for its work. */
  answering: number;
  askedAt: number;
  workedAt: number;
  /** The revision that its hub has seen: where no topic has changed, no fan-out says so. */
  seenRevision: number;
}

/** When a site was last used. */
export function usedAt({ askedAt, workedAt }: HostedSite): number {
  return Math.max(askedAt, workedAt);
}

function mayWork({ store }: SiteSurvey): boolean {
  const { hasSubscribers = false, isErasurePending = false, business } = store ?? {};
  const listed = (business?.sources?.length ?? 0) + (business?.notices?.length ?? 0);
  return hasSubscribers || isErasurePending || listed > 0;
}

export interface SiteSurveys {
  /** The survey of a site as its files are now. */
  surveyOf(each: HostedSite): Promise<SiteSurvey>;
  /** Whether the site's files, or its store's state, are others than those of its survey. Looks at files that may differ. */
  isOutdated(each: HostedSite, mayFilesDiffer?: boolean): boolean;
  /** Reads the states of all stores in a PostgreSQL database. The files of SQLite stores show when these change. */
  readStates(sites: readonly HostedSite[]): Promise<void>;
  /** Whether the database that all stores are in did not answer when it was last read. */
  isDatabaseAway(): boolean;
  /** Whether it accepted no changes then. */
  isDatabaseReadOnly(): boolean;
  /** Closes what reads states, and has the log say nothing more. */
  close(): Promise<void>;
}

/** Makes the surveys of sites, which say in the log what keeps a site from being served. */
export function makeSiteSurveys(
  environment: NodeJS.Dict<string>,
  log: Logger,
  logFault: (error: unknown) => void,
): SiteSurveys {
  let states: ReadonlyMap<string, string> = new Map();
  let reader: SiteStates | undefined;
  let isReadingStates = false;
  let isAway = false;
  let closed = false;

  function stampNow(each: HostedSite, mayFilesDiffer = true): string {
    if (mayFilesDiffer) each.filesStamp = contentStamp(each, each.storeUrl);
    const state = states.get(each.name);
    return state === undefined ? each.filesStamp : `${each.filesStamp} ${state}`;
  }

  function isOutdated(each: HostedSite, mayFilesDiffer?: boolean): boolean {
    return stampNow(each, mayFilesDiffer) !== each.contentStamp;
  }

  async function surveyNow(each: HostedSite): Promise<SiteSurvey> {
    const [stampBefore, placeBefore] = [stampNow(each), placeStamp(each, each.storeUrl)];
    const before = each.survey;
    const survey = await surveySite(each, environment);
    if (survey.isDatabaseAway && before?.state === "published") return before; // still outdated: it is surveyed again
    each.survey = survey;
    each.mayWork = mayWork(survey);
    each.dueAt = Number.NEGATIVE_INFINITY; // the next look at it decides
    each.contentStamp = stampBefore;
    each.placeStamp = placeBefore;
    if (survey.plainProblem !== before?.plainProblem && !closed) {
      const { state, plainProblem } = survey;
      if (plainProblem !== undefined)
        log.warn({ site: each.name, state, problem: plainProblem }, "A site is not served");
      else if (before !== undefined) log.info({ site: each.name }, "A site is served again");
    }
    return survey;
  }

  return {
    isOutdated,
    isDatabaseAway: () => isAway,
    isDatabaseReadOnly: () => reader?.isReadOnly() === true,
    surveyOf(each) {
      const { survey } = each;
      if (survey !== undefined && !isOutdated(each)) return Promise.resolve(survey);
      each.surveying ??= surveyNow(each).finally(() => {
        each.surveying = undefined;
      });
      return each.surveying;
    },
    async readStates(sites) {
      const [any] = sites;
      if (isReadingStates || any === undefined) return;
      isReadingStates = true;
      try {
        reader ??= await openSiteStates(any.storeUrl);
        states = await reader.read(sites.map(({ name }) => name));
        isAway = false;
      } catch (error) {
        isAway = isDatabaseAway(error);
        if (!isAway) logFault(error); // what was published is served
      } finally {
        isReadingStates = false;
      }
    },
    async close() {
      closed = true;
      await reader?.close();
    },
  };
}
