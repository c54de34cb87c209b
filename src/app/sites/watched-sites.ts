/** `--watch DIR` with `--sites`: a folder of DIR that has the name of a site is imported into that site. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { plainIssues } from "../../import/plain-issue.ts";
import { Invalid } from "../../issue.ts";
import { type Config, readConfig } from "../config.ts";
import { checkAgain, makeFolderCheck, makeFolderImport } from "../watched-folder.ts";
import { namesOfSites, requireOwnFiles, type SiteFolder, siteEnvironment, siteFolder } from "./site-folder.ts";

/** Checks the folders one after the other until `stop` is aborted, and imports one at a time. No fault stops the server. */
export async function watchFoldersOfSites(
  folder: string,
  sites: string,
  environment: NodeJS.Dict<string>,
  { log, stop }: { readonly log: Logger; readonly stop: AbortSignal },
): Promise<void> {
  let checks = new Map<string, () => Promise<number>>();
  let isReadable = true;

  /** The check of a site's folder, which is imported with the site's settings as they are then. */
  function checkOf(name: string): () => Promise<number> {
    const site = siteFolder(sites, name);
    return makeFolderCheck(siteFolder(folder, name).folder, log.child({ site: name }), stop, {
      async importFolder(...importing) {
        const config = configOf(site);
        return config !== undefined && (await makeFolderImport(config)(...importing));
      },
      storeFile: join(site.folder, "data", "goodword.db"), // where DIR is the folder of the sites
    });
  }

  /** Undefined if the site's files are at fault, of which the log gets no word. */
  function configOf(site: SiteFolder): Config | undefined {
    try {
      requireOwnFiles(site);
      return readConfig(siteEnvironment(site, environment));
    } catch (error) {
      const reason = error instanceof Invalid ? plainIssues(error.issues) : String(error);
      log.error({ site: site.name, reason }, "The watched folder was not imported");
      return undefined;
    }
  }

  function names(): readonly string[] {
    try {
      const found = namesOfSites(folder).names.filter((name) => existsSync(siteFolder(sites, name).folder));
      isReadable = true;
      return found;
    } catch (error) {
      if (isReadable) log.error({ err: error, folder }, "The watched folder cannot be read");
      isReadable = false;
      return [];
    }
  }

  async function checkAll(): Promise<number> {
    checks = new Map(names().map((name) => [name, checks.get(name) ?? checkOf(name)]));
    let tookMs = 0;
    for (const check of checks.values()) if (!stop.aborted) tookMs += await check();
    return tookMs;
  }

  await checkAgain(checkAll, stop);
}
