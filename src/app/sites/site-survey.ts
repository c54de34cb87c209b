/** The state of a site, as its folder and its store say, while nothing of it is open. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { intervalSeconds } from "../../business.ts";
import { sourceKey } from "../../follow/shown-source.ts";
import { isDue } from "../../follow/source-schedule.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { plainIssues } from "../../import/plain-issue.ts";
import { Invalid, type Issue } from "../../issue.ts";
import { entryFile } from "../../lib/entry-file.ts";
import { readSmallFile } from "../../lib/small-file.ts";
import { digestDueAt, digestsToPlan } from "../../notices/digest-schedule.ts";
import { isDatabaseAway } from "../../store/engine/database-outage.ts";
import { storeFileOf } from "../../store/engine/store-url.ts";
import { noticeKey } from "../../store/notice-rows.ts";
import {
  type PublishedFigures,
  readPublishedFigures,
  readStoreAt,
  type StoreSurvey,
  surveyStore,
} from "../../store/store-survey.ts";
import { type Config, readConfig } from "../config.ts";
import { faultLines } from "../fault-message.ts";
import { SETTINGS_FILE } from "../settings-file.ts";
import { runThread } from "../thread-run.ts";
import { CHAIN_FILE } from "./chain-file.ts";
import {
  LostFolder,
  requireFolder,
  requireOwnFiles,
  type SiteAddress,
  type SiteFolder,
  siteEnvironment,
} from "./site-folder.ts";

type SiteState = "published" | "empty" | "damaged" | "no_address" | "same_address";

export interface SiteSurvey {
  readonly state: SiteState;
  /** What keeps it from being served, a sentence each; empty when all is well. */
  readonly problems: readonly string[];
  /** The same without a word of the site's files, for the log. */
  readonly plainProblem: string | undefined;
  /** Undefined if the site's settings are at fault. */
  readonly config: Config | undefined;
  readonly environment: NodeJS.Dict<string>;
  /** Undefined if it cannot be read, or there is none. */
  readonly store: StoreSurvey | undefined;
  /** Whether its store is in a database that does not answer, so that nothing is known of it. */
  readonly isDatabaseAway: boolean;
}

/** A site with its address. */
export interface AddressedSite extends SiteFolder, SiteAddress {
  /** The site that has the same address. */
  readonly takenBy?: string | undefined;
  /** The site whose folder this one's link leads to, if both would have one store. */
  readonly doubleOf?: string | undefined;
}

/** Surveys a site. No fault of it makes this throw. */
export async function surveySite(site: AddressedSite, processEnvironment: NodeJS.Dict<string>): Promise<SiteSurvey> {
  let environment: NodeJS.Dict<string> = {};
  let config: Config | undefined;
  let store: StoreSurvey | undefined;
  let damage: unknown;
  try {
    requireFolder(site);
    environment = siteEnvironment(site, processEnvironment);
    config = readConfig({ ...environment, BASE_URL: site.baseUrl ?? "" });
    requireOwnFiles(site);
    requireOwnStore(site);
    await readBusinessOf(site);
    store = await readStoreAt(config.DATABASE_URL, surveyStore);
  } catch (error) {
    damage = error;
  }
  const isWithoutAddress = config === undefined && site.baseUrl === undefined && !(damage instanceof LostFolder);
  return {
    ...judge(site, isWithoutAddress ? undefined : damage, store),
    config,
    environment,
    store,
    isDatabaseAway: isDatabaseAway(damage),
  };
}

/** @throws Error if another site publishes the same store. */
function requireOwnStore({ doubleOf }: AddressedSite): void {
  if (doubleOf === undefined) return;
  throw new Error(`It is the folder of the site ${doubleOf}, and a store is published once: remove the link`);
}

const OTHER_BUSINESS = "Its store describes a business as goodword does not: restore a backup";

/** A file of somebody else's may be at fault in each of its lines. */
const MAX_PROBLEMS = 20;

type Verdict = Pick<SiteSurvey, "state" | "problems" | "plainProblem">;

function judge(
  { baseUrl, problems, plainProblem, takenBy }: AddressedSite,
  damage: unknown,
  store: StoreSurvey | undefined,
): Verdict {
  const found = (state: SiteState, lines: readonly string[] = [], plain = lines.join("; ") || undefined) => ({
    ...{ state, problems: lines.slice(0, MAX_PROBLEMS), plainProblem: plain },
  });
  if (damage instanceof Invalid) return found("damaged", faultLines(damage), plainIssues(damage.issues));
  if (damage instanceof SyntaxError || damage instanceof z.core.$ZodError) return found("damaged", [OTHER_BUSINESS]);
  if (damage !== undefined) return found("damaged", faultLines(damage));
  if (baseUrl === undefined) return found("no_address", problems, plainProblem);
  const holder = takenBy === CHAIN_FILE ? "the chain" : `the site ${takenBy}`;
  if (takenBy !== undefined) return found("same_address", [`${baseUrl} is the address of ${holder} already`]);
  if (store === undefined || store.revision.number === 0) return found("empty", ["Nothing has been imported yet"]);
  return found("published");
}

/** A site in `goodword sites`. */
export interface SiteStatus {
  readonly name: string;
  readonly base_url: string | null;
  readonly state: SiteState;
  readonly reviews: number;
  readonly revision: number;
  readonly newest_review: string | null;
  readonly last_change_at: string | null;
  /** What keeps it from being served; null when all is well. */
  readonly problem: string | null;
}

/** The status of a site, with each sentence of its problem as `say` has it. No fault of it makes this throw. */
export async function readSiteStatus(
  site: AddressedSite,
  environment: NodeJS.Dict<string>,
  say = (sentence: string) => sentence,
): Promise<SiteStatus> {
  const { state, problems, config, store } = await surveySite(site, environment);
  let figures: PublishedFigures | undefined;
  let damage: readonly string[] | undefined;
  try {
    if (config !== undefined && store !== undefined)
      figures = await readStoreAt(config.DATABASE_URL, readPublishedFigures);
  } catch (error) {
    damage = faultLines(error);
  }
  return {
    ...{ name: site.name, base_url: site.baseUrl ?? null, state: damage === undefined ? state : "damaged" },
    reviews: figures?.reviews ?? 0,
    revision: store?.revision.number ?? 0,
    newest_review: figures?.newestReview ?? null,
    last_change_at: figures?.lastChangeAt ?? null,
    problem: (damage ?? problems).map(say).join("; ") || null,
  };
}

/** A business.yaml, whoever wrote it. */
export interface BusinessText {
  readonly file: string;
  readonly text: string;
}

/** Up to this length a text is read at once: of the worst, that takes 50 ms. */
const MAX_CHARACTERS_AT_ONCE = 8_000;
const [MAX_READING_MS, READING_HEAP_MB] = [30_000, 256];

/** The latest of the readings in threads: they take turns, because an owner may touch the files of all sites at once. */
let lastReading: Promise<void> = Promise.resolve();

/** @throws Error if there is a business.yaml that cannot be read. */
async function readBusinessOf({ folder }: SiteFolder): Promise<void> {
  if (isReadAtOnce(folder)) return;
  const reading = lastReading.then(() => readInThread(folder));
  lastReading = reading.catch(() => {});
  await reading;
}

/** Reads a business.yaml, if there is one, unless it is large. @throws Error if it cannot be read. */
function isReadAtOnce(folder: string): boolean {
  const file = join(folder, "business.yaml");
  const text = readSmallFile(file, folder);
  if (text === undefined) return true;
  if (text.length > MAX_CHARACTERS_AT_ONCE) return false;
  parseBusinessFile(file, text);
  return true;
}

async function readInThread(folder: string): Promise<void> {
  const file = join(folder, "business.yaml");
  const text = readSmallFile(file, folder); // again: one that waits for its turn holds nothing
  if (text === undefined) return;
  let issues: readonly Issue[] | undefined;
  let fault: unknown = new Error(`${file} could not be read within ${MAX_READING_MS / 1000} seconds`);
  await runThread<readonly Issue[]>(entryFile("business-thread", import.meta.url), {
    ...{ order: { file, text } satisfies BusinessText, heapMb: READING_HEAP_MB },
    signal: AbortSignal.timeout(MAX_READING_MS),
    onMessage(found) {
      issues = found;
      return true;
    },
    onFault(error) {
      fault = error;
    },
  });
  if (issues === undefined) throw fault;
  if (issues.length > 0) throw new Invalid(issues);
}

/**
 * When something of a site's hub, followed sources or messages to its owner is due next, in milliseconds since 1970:
 * -Infinity for at once, Infinity for never.
 */
export function workDueAt(survey: StoreSurvey, now: Date): number {
  const { isFanOutUnfinished, hubDueAt, business, followed, noticeDueAt, told } = survey;
  const { notices = [], sources = [], time_zone: zone = "" } = business ?? {};
  const isUnplanned = business !== undefined && digestsToPlan(business, told, now).length > 0;
  if (isFanOutUnfinished || isUnplanned) return Number.NEGATIVE_INFINITY;
  const times = [hubDueAt, noticeDueAt];
  for (const address of notices) times.push(digestDueAt(address, told.get(noticeKey(address)), { zone, now }));
  for (const source of sources) {
    const { next_at = "" } = followed.get(sourceKey(source)) ?? {};
    if (isDue(next_at, now, intervalSeconds(source.every) ?? 86_400)) return Number.NEGATIVE_INFINITY;
    times.push(next_at);
  }
  return Math.min(...times.map((at) => (at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at))));
}

/** The files that decide a site's state, in the order of `stampOf`. */
function filesOf({ folder }: SiteFolder, databaseUrl: string): readonly string[] {
  const store = storeFileOf(databaseUrl);
  return [join(folder, "business.yaml"), ...(store === undefined ? [] : [store])];
}

/** Changes with the site's settings file, of which there may be none. */
export function settingsStamp({ folder }: SiteFolder): string {
  return stampOf(join(folder, SETTINGS_FILE));
}

/** Changes when the site's business.yaml does, or another file takes the place of its SQLite store. */
export function placeStamp(site: SiteFolder, databaseUrl: string): string {
  return filesOf(site, databaseUrl).map(stampOf).join();
}

/** Changes whenever the site's business.yaml or its SQLite store does. */
export function contentStamp(site: SiteFolder, databaseUrl: string): string {
  const store = storeFileOf(databaseUrl);
  return `${placeStamp(site, databaseUrl)} ${store === undefined ? "" : stampOf(`${store}-wal`)}`;
}

export function stampOf(file: string): string {
  try {
    const { ino = 0, size = 0, ctimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return `${ino} ${size} ${ctimeMs}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code); // a folder that may not be read
  }
}
