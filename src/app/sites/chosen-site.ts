/** Which site a command works on: `--site`, or the folder that it runs in. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { KEY_SETTING } from "../../business.ts";
import { Invalid } from "../../issue.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { isPostgres } from "../../store/engine/store-url.ts";
import { loadSettingsFile } from "../settings-file.ts";
import { isSiteName, requireOwnFiles, siteEnvironment, siteFolder } from "./site-folder.ts";

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

/**
 * Sets the environment of a command that works on a site, or on a folder of sites: with the settings of the folder, and
 * those of the site.
 * @throws Invalid if the flags name no site that there is.
 */
export function chooseSite(flags: SiteFlags, use: SiteUse, environment: NodeJS.ProcessEnv, folder: string): void {
  const given = flags.sites ?? environment.SITES?.trim();
  if (!given) {
    if (flags.site === undefined) return;
    throw fault("--site names a site, but not in which folder: add --sites FOLDER, or set SITES");
  }
  const sites = resolve(folder, given);
  if (resolve(folder) !== sites) loadSettingsFile(sites, environment);
  environment.SITES = sites;
  const here =
    dirname(resolve(folder)) === sites && isSiteName(basename(resolve(folder))) ? basename(folder) : undefined;
  const name = flags.site ?? here;
  if (use.takesFolder && flags.site === undefined) return;
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
}

function fault(message: string): Invalid {
  return new Invalid([{ code: "site", path: [], message }]);
}
