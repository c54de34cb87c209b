/** A business whose desk is open: where its files and its store are, and what is under way for it. */
import { join } from "node:path";
import { type BusinessFile, verifiedSourcesOf } from "../../business.ts";
import type { FollowEvent } from "../../follow/follower.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { readSmallBytes, readSmallFile } from "../../lib/small-file.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { countUnverified } from "../../store/review-rows.ts";
import { openStore, readBusiness, readRevision, type Store } from "../../store/store.ts";
import { type PublishedFigures, readPublishedFigures } from "../../store/store-survey.ts";
import type { Config } from "../config.ts";
import { earlierExport } from "../static-site/static-site.ts";
import { openWorks, type Works } from "./desk-work.ts";
import { openChoices } from "./file-choices.ts";
import { type ImportJobs, openImportJobs } from "./import-jobs.ts";

/** A fetch of all sources that is under way, or was the last one. */
export interface Fetching {
  readonly ended: Promise<void>;
  readonly events: FollowEvent[];
  isEnded: boolean;
  faults: readonly string[];
}

/** Where the desk writes the publication as a folder: beside business.yaml, whatever a client asks for. */
export const EXPORT_FOLDER = "public";

/** What was chosen for tables before. */
const CHOICES = ".goodword-desk-tables.json";

export interface DeskSite {
  /** Its name in a folder of sites; undefined where there is only one business. */
  readonly name: string | undefined;
  /** What its addresses begin with: empty, or `/sites/NAME`. */
  readonly prefix: string;
  readonly folder: string;
  /** Whether it is one site among many: its folder may be somebody else's, who puts links into it. */
  readonly isOfSites: boolean;
  readonly config: Config;
  readonly environment: NodeJS.Dict<string>;
  readonly imports: ImportJobs;
  readonly works: Works;
  /** What a page has to remember between two requests, such as an uploaded backup that is to be confirmed. */
  readonly pending: Map<string, AsyncDisposable>;
  /** The fetch of followed sources that is under way, or has ended and was not shown yet. */
  fetching?: Fetching | undefined;
  /** What was done last: shown on the next page. */
  notice?: readonly string[] | undefined;
  /** The figures of the latest revision that was asked for: in a large store they take a while. */
  figures?: { readonly revision: number; readonly read: PublishedFigures };
}

/** What a desk knows of a site before it opens it. */
export type DeskDescription = Pick<DeskSite, "name" | "prefix" | "folder" | "isOfSites" | "config" | "environment">;

/** Opens what a desk needs of a site. Its store is opened for each request, as it is for each command. */
export function openDeskSite(given: DeskDescription): DeskSite & AsyncDisposable {
  const works = openWorks(given, async () => (await businessOf(given).catch(() => undefined))?.language ?? "en");
  const imports = openImportJobs(given.config, works, openChoices(join(given.folder, CHOICES), ownFolder(given)));
  const pending = new Map<string, AsyncDisposable>();
  return {
    ...given,
    imports,
    works,
    pending,
    async [Symbol.asyncDispose]() {
      await works.close();
      await imports.close();
      for (const each of pending.values()) await each[Symbol.asyncDispose]();
      pending.clear();
    },
  };
}

/** Resolves when the work has ended, or after the time. */
export async function settled(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Runs work on the site's store; undefined, and nothing is made, while there is none. */
export async function withStore<T>(
  { config }: Pick<DeskSite, "config">,
  work: (store: Store) => Promise<T>,
): Promise<T | undefined> {
  if (!isStoreThere(config.DATABASE_URL)) return undefined;
  await using store = await openStore(config.DATABASE_URL);
  return await work(store);
}

/** Figures of what is published; undefined while there is no store. */
export async function figuresOf(site: DeskSite): Promise<PublishedFigures | undefined> {
  return await withStore(site, async ({ database }) => {
    const { number: revision } = await readRevision(database);
    if (site.figures?.revision !== revision) site.figures = { revision, read: await readPublishedFigures(database) };
    return site.figures.read;
  });
}

/** The folder that the desk has written: for which address, and whether anything has changed since. */
interface WrittenFolder {
  readonly address: string;
  readonly isOlder: boolean;
}

/** Undefined before it was written. */
export async function writtenFolder(site: DeskSite): Promise<WrittenFolder | undefined> {
  const before = await earlierExport(join(site.folder, EXPORT_FOLDER));
  if (before === undefined) return undefined;
  const { lastChangeAt = "" } = (await figuresOf(site)) ?? {};
  return { address: before.address, isOlder: before.writtenAt.toISOString() < lastChangeAt };
}

/** How many reviews of each source are stored and not published, because it is none whose reviews are. */
export async function unverifiedOf(site: DeskSite): Promise<ReadonlyMap<string, number> | undefined> {
  return await withStore(site, async ({ database }) =>
    countUnverified(database, verifiedSourcesOf(await readBusiness(database))),
  );
}

export function businessPath({ folder }: Pick<DeskSite, "folder">): string {
  return join(folder, "business.yaml");
}

/** The text of business.yaml; undefined if there is none. @throws Error for what is no file of a usual size. */
export function readBusinessYaml(site: Pick<DeskSite, "folder" | "isOfSites">): string | undefined {
  return readSmallFile(businessPath(site), ownFolder(site));
}

/** Its bytes, which are imported: whoever may write into a site's folder could change the file after it was looked at. */
export function readBusinessBytes(site: Pick<DeskSite, "folder" | "isOfSites">): Buffer | undefined {
  return readSmallBytes(businessPath(site), ownFolder(site));
}

/** The folder that a site's files must lie in. */
function ownFolder(site: Pick<DeskSite, "folder" | "isOfSites">): string | undefined {
  return site.isOfSites ? site.folder : undefined;
}

/** The business as published, or else as business.yaml describes it; undefined without either. */
export async function businessOf(
  site: Pick<DeskSite, "config" | "folder" | "isOfSites">,
): Promise<BusinessFile | undefined> {
  const stored = await withStore(site, async ({ database }) => await readBusiness(database));
  if (stored !== undefined) return stored;
  try {
    const text = readBusinessYaml(site);
    return text === undefined ? undefined : parseBusinessFile("business.yaml", text);
  } catch {
    return undefined; // the page of the business shows its faults
  }
}
