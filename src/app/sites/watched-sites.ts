/** `--watch DIR` with `--sites`: a folder of DIR that has the name of a site is imported into that site. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { readConfig } from "../config.ts";
import { checkAgain, makeFolderCheck, makeFolderImport } from "../watched-folder.ts";
import { namesOfSites, requireOwnFiles, siteEnvironment, siteFolder } from "./site-folder.ts";

/** Checks the folders one after the other until `stop` is aborted, and imports one at a time. No fault stops the server. */
export async function watchFoldersOfSites(
  folder: string,
  sites: string,
  environment: NodeJS.Dict<string>,
  { log, stop }: { readonly log: Logger; readonly stop: AbortSignal },
): Promise<void> {
  let checks = new Map<string, () => Promise<number>>();
  let isReadable = true;

  /** Imports a site's folder, with the site's settings as they are now. */
  function checkOf(name: string): () => Promise<number> {
    const site = siteFolder(sites, name);
    return makeFolderCheck(siteFolder(folder, name).folder, log.child({ site: name }), stop, {
      async importFolder(...importing) {
        requireOwnFiles(site);
        return await makeFolderImport(readConfig(siteEnvironment(site, environment)))(...importing);
      },
      storeFile: join(site.folder, "data", "goodword.db"), // where DIR is the folder of the sites
    });
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
