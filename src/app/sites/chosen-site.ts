/** Which site a command works on: `--site`, or the folder that it runs in. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { KEY_SETTING } from "../../business.ts";
import { Invalid } from "../../issue.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { isPostgres } from "../../store/engine/store-url.ts";
import { loadSettingsFile, readSettingsFile, type SettingsFile } from "../settings-file.ts";
import { chainPath } from "./chain-file.ts";
import { isSiteName, ownSettingsFile, requireOwnFiles, siteEnvironment, siteFolder } from "./site-folder.ts";

export interface SiteFlags {
  /** A folder of sites. */
  readonly sites?: string;
  readonly site?: string;
}

/** What a command does with sites. */
export interface SiteUse {
  /** It works on the folder as a whole, if no site is named. */
  readonly takesFolder: boolean;
  /** It makes a site that is not there yet. */
  readonly makesSite: boolean;
}

/** The name of the site whose folder this is, if the flags or the environment say so; undefined if it is none. */
export function siteAt({ sites }: SiteFlags, environment: NodeJS.ProcessEnv, folder: string): string | undefined {
  const given = sites ?? environment.SITES?.trim();
  const here = resolve(folder);
  return given && dirname(here) === resolve(folder, given) && isSiteName(basename(here)) ? basename(here) : undefined;
}

/** What a command works on. */
export interface Chosen {
  /** The folder of the site, if it works on one. */
  readonly folder?: string;
  /** The settings files that were read for it. */
  readonly settings: readonly SettingsFile[];
}

/**
 * Sets the environment of a command that works on a site, or on a folder of sites: with the settings of the folder, and
 * those of the site.
 * @throws Invalid if the flags name no site that there is.
 */
export function chooseSite(flags: SiteFlags, use: SiteUse, environment: NodeJS.ProcessEnv, folder: string): Chosen {
  const given = flags.sites ?? environment.SITES?.trim();
  if (!given) {
    if (flags.site === undefined) {
      requireOutsideOfSites(use, environment, resolve(folder));
      return { settings: [] };
    }
    throw fault("--site names a site, but not in which folder: add --sites FOLDER, or set SITES");
  }
  const sites = resolve(folder, given);
  const shared = resolve(folder) === sites ? undefined : loadSettingsFile(sites, environment);
  const settings = shared === undefined ? [] : [shared];
  environment.SITES = sites;
  const name = flags.site ?? siteAt({ sites }, environment, folder);
  if (use.takesFolder && flags.site === undefined) return { settings };
  if (name === undefined) throw fault(`Name the site in ${sites} with --site NAME, or run goodword in its folder`);
  const site = siteFolder(sites, name);
  if (!use.makesSite && !existsSync(site.folder)) throw fault(`There is no site ${name} in ${sites}`);
  if (use.makesSite && isPostgres(environment.DATABASE_URL ?? "")) makeFolder(site.folder);
  requireOwnFiles(site);
  const own = siteEnvironment(site, environment);
  for (const setting of Object.keys(environment)) if (KEY_SETTING.test(setting)) delete environment[setting];
  for (const [setting, value] of Object.entries(own)) {
    if (value === undefined) delete environment[setting];
    else environment[setting] = value;
  }
  return { folder: site.folder, settings: [...settings, ...ownSettingsFile(site)] };
}

/**
 * On PostgreSQL a command in a site's folder would work on another store than the site's, and make that. What tells a folder
 * of sites: settings that give sites their addresses or their database, or a chain.
 * @throws Invalid that says how to name the site.
 */
function requireOutsideOfSites(use: SiteUse, environment: NodeJS.ProcessEnv, folder: string): void {
  const [above, name] = [dirname(folder), basename(folder)];
  if (above === folder || !isSiteName(name)) return;
  const shared = settingsIn(above);
  const isOnPostgres = (settings: NodeJS.Dict<string>) => isPostgres(settings.DATABASE_URL?.trim() ?? "");
  const areStoresThere = isOnPostgres(shared) && !environment.DATABASE_URL?.trim();
  const hasSites =
    Boolean(environment.SITES_BASE_URL ?? shared.SITES_BASE_URL) ||
    (shared.SITES !== undefined && resolve(above, shared.SITES) === above) ||
    hasChain(above);
  if (!areStoresThere && !(hasSites && (isOnPostgres(shared) || isOnPostgres(environment)))) return;
  const named = use.takesFolder ? "" : `--site ${name} `;
  throw fault(
    `${above} is a folder of sites with their stores in PostgreSQL, and here this command would use another store: add ${named}--sites ${above}`,
  );
}

/** The settings in a folder's file; none where it cannot be read, as of a folder that is somebody else's. */
function settingsIn(folder: string): NodeJS.Dict<string> {
  try {
    return readSettingsFile(folder);
  } catch {
    return {};
  }
}

/** Whether a folder has a chain; not where it cannot be looked at, as under Node's permissions of one folder. */
function hasChain(folder: string): boolean {
  try {
    return existsSync(chainPath(folder));
  } catch {
    return false;
  }
}

function fault(message: string): Invalid {
  return new Invalid([{ code: "site", path: [], message }]);
}
