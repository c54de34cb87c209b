/** The folders of the sites: their names, and the settings of each. */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { KEY_SETTING } from "../../business.ts";
import { plainIssues } from "../../import/plain-issue.ts";
import { Invalid, quote } from "../../issue.ts";
import { siteStoreUrl, withoutPassword } from "../../store/engine/store-url.ts";
import { origin, SETTINGS } from "../config.ts";
import { faultLines } from "../fault-message.ts";
import { readSettingsFile, SETTINGS_FILE, type SettingsFile } from "../settings-file.ts";

/** The settings that are a site's own. All others are those of the process. */
const SITE_SETTINGS = ["BASE_URL", "CACHE_CONTROL", "ALLOWED_HOSTS", "HUB_LEASE_SECONDS", "SOURCES_ALLOW"] as const;

type Environment = Readonly<NodeJS.Dict<string>>;

/** A folder that holds a site. */
export interface SiteFolder {
  readonly name: string;
  readonly folder: string;
}

/** Where a site is published, or why nowhere. */
export interface SiteAddress {
  readonly baseUrl: string | undefined;
  readonly problems?: readonly string[];
  /** The same without a word of the site's files, for the log. */
  readonly plainProblem?: string;
  /** Settings of the process in the site's file, where they have no effect. */
  readonly passedOver?: readonly string[];
}

export function isSiteName(name: string): boolean {
  return /^[a-z\d-]{1,63}$/.test(name);
}

/** @throws Error for a name that no site can have. */
export function siteFolder(sites: string, name: string): SiteFolder {
  if (isSiteName(name)) return { name, folder: join(sites, name) };
  throw new Error(`${quote(name)} is no name of a site, but must have 1 to 63 characters of a–z, 0–9 and -`);
}

export interface NamesOfSites {
  readonly names: readonly string[];
  /** Folders that are no sites because of their names. */
  readonly others: readonly string[];
  /** Sites whose links lead to the folder of another one, and that one's name. */
  readonly doubles: ReadonlyMap<string, string>;
}

/**
 * The names of the sites in order, and those of other folders. A link that leads nowhere is a site, too: what it led to may
 * only be away, as a disk is. @throws Error if the folder cannot be read.
 */
export function namesOfSites(sites: string): NamesOfSites {
  const folders = readdirSync(sites, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() || (entry.isSymbolicLink() && mayBeFolder(join(sites, entry.name), entry.name)),
  );
  const names = folders.map(({ name }) => name).toSorted();
  const links = new Set(folders.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name));
  return {
    names: names.filter(isSiteName),
    others: names.filter((name) => !isSiteName(name)),
    doubles: links.size === 0 ? new Map() : doublesAmong(sites, names.filter(isSiteName), links),
  };
}

/** The sites whose links lead to the folder of an earlier site, with its name. */
function doublesAmong(
  sites: string,
  names: readonly string[],
  links: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const doubles = new Map<string, string>();
  const own = realpathSync(sites);
  const holders = new Map<string, string>(
    names.filter((name) => !links.has(name)).map((name) => [join(own, name), name]),
  );
  for (const name of names) {
    const folder = links.has(name) ? realFolder(join(sites, name)) : undefined;
    if (folder === undefined) continue;
    const holder = holders.get(folder);
    if (holder === undefined) holders.set(folder, name);
    else doubles.set(name, holder);
  }
  return doubles;
}

function realFolder(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined; // it leads nowhere
  }
}

/** Whoever owns what a link leads to can make it lead in a circle, or to where this user may not look. */
function mayBeFolder(link: string, name: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return isSiteName(name);
  }
}

/** The folder of a site is a link that leads nowhere. */
export class LostFolder extends Error {}

/** @throws LostFolder if it is. */
export function requireFolder({ folder }: SiteFolder): void {
  try {
    statSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LostFolder(`${folder} leads nowhere (${code}). Bring back what the link led to, or remove the link`);
  }
}

/**
 * The environment of a site: that of the process, with the site's own settings and keys, its address and its store. Keys
 * of the process, or of another site, are not among them, because a site's business.yaml says where they are sent.
 * @throws Invalid if the site's file is at fault.
 */
export function siteEnvironment({ name, folder }: SiteFolder, environment: Environment): NodeJS.Dict<string> {
  return environmentWith(ownSettings(folder), { name, folder }, environment);
}

function ownSettings(folder: string): NodeJS.Dict<string> {
  requireOwn(folder, SETTINGS_FILE);
  return readSettingsFile(folder);
}

/** The settings file of a site, if it has one. @throws Invalid if the file is at fault. */
export function ownSettingsFile({ folder }: SiteFolder): SettingsFile[] {
  const path = join(folder, SETTINGS_FILE);
  if (!existsSync(path)) return [];
  const settings = Object.keys(ownSettings(folder));
  return [
    { path, of: "site", names: settings.filter(isOwn), passedOver: settings.filter((setting) => !isOwn(setting)) },
  ];
}

/** Whether a setting may be a site's own. */
function isOwn(setting: string): boolean {
  return (SITE_SETTINGS as readonly string[]).includes(setting) || KEY_SETTING.test(setting);
}

function environmentWith(
  own: NodeJS.Dict<string>,
  { name, folder }: SiteFolder,
  environment: Environment,
): NodeJS.Dict<string> {
  const shared = Object.entries(environment).filter(([setting]) => !KEY_SETTING.test(setting));
  return {
    ...Object.fromEntries(shared),
    BASE_URL: usualAddress(name, environment),
    ...Object.fromEntries(Object.entries(own).filter(([setting, value]) => isOwn(setting) && value?.trim())),
    DATABASE_URL: siteStoreUrl(environment.DATABASE_URL?.trim() ?? "", name, join(folder, "data", "goodword.db")),
    SITES: undefined,
    SITES_BASE_URL: undefined,
  };
}

/** What a site's folder holds besides its settings. SQLite opens the first of the store's files, and those beside it. */
const SITE_FILES = ["business.yaml", "data"];
const LOCKS = ["-hub-lock", "-following-lock", "-notices-lock"];
const BESIDE = ["-wal", "-shm", "-journal"];
const storeFile = (ending: string) => join("data", `goodword.db${ending}`);
const STORE_FILES = ["", ...BESIDE, ...LOCKS].map(storeFile);
/**
 * What goodword leaves empty, or makes none of. A store has a log instead of a journal, whose pages SQLite would put into
 * the place of the store's, and nothing is ever written into a lock.
 */
const EMPTY_FILES = ["-journal", ...LOCKS, ...LOCKS.flatMap((lock) => BESIDE.map((ending) => lock + ending))].map(
  storeFile,
);

/**
 * Whoever fills a site's folder may be somebody else than who fills another's: no link of it leads to another's files, and
 * SQLite would wait for a pipe, with the whole process.
 * `others` are further names in the folder.
 * @throws Error that names what is no file of the site's own.
 */
export function requireOwnFiles({ folder }: Pick<SiteFolder, "folder">, others: readonly string[] = []): void {
  for (const name of [...SITE_FILES, ...STORE_FILES, ...others]) requireOwn(folder, name);
  for (const name of STORE_FILES) {
    const path = join(folder, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error(`${path} is no file. Put the store in its place, or remove it`);
  }
  for (const name of EMPTY_FILES) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (!found.isFile() || found.size > 0))
      throw new Error(`${path} is no file of goodword's. Remove it`);
  }
}

/** @throws Error if what has this name in the folder is a link that leads out of it, or nowhere. */
function requireOwn(folder: string, name: string): void {
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  if (existsSync(path) && realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`)) return;
  throw new Error(
    `${path} leads out of the site's folder. Put the file itself in its place: only the folder of a site as a whole may be a link`,
  );
}

/** The address that a site has without one of its own. */
function usualAddress(name: string, environment: Environment): string | undefined {
  return environment.SITES_BASE_URL?.trim().replaceAll("{site}", name);
}

/** The origin of the usual address of a site; undefined if there is none. */
export function usualOrigin({ name }: SiteFolder, environment: Environment): string | undefined {
  const address = usualAddress(name, environment);
  return address === undefined ? undefined : origin(address);
}

/** The address at which a site is published, as its settings say. */
export function siteAddress(site: SiteFolder, environment: Environment): SiteAddress {
  try {
    const own = ownSettings(site.folder);
    const foreign = Object.keys(own).filter((setting) => !isOwn(setting) && Object.hasOwn(SETTINGS, setting));
    const passedOver = foreign.length === 0 ? {} : { passedOver: foreign };
    const text = environmentWith(own, site, environment).BASE_URL?.trim() ?? "";
    const unset = "Neither BASE_URL nor SITES_BASE_URL gives it an address";
    if (text === "") return { ...withoutAddress([unset], unset), ...passedOver };
    const baseUrl = origin(text);
    if (baseUrl !== undefined) return { baseUrl, ...passedOver };
    const rule = "must be an http or https address without a path";
    return withoutAddress([`BASE_URL is ${quote(withoutPassword(text))}, but ${rule}`], `BASE_URL ${rule}`);
  } catch (error) {
    const problems = faultLines(error);
    return withoutAddress(problems, error instanceof Invalid ? plainIssues(error.issues) : problems.join("; "));
  }
}

function withoutAddress(problems: readonly string[], plainProblem: string): SiteAddress {
  return { baseUrl: undefined, problems, plainProblem };
}
