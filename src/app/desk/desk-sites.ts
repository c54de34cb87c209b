/** The businesses of a desk: the one in its folder, or those of a folder of sites. */
import { existsSync } from "node:fs";
import { isSqlite } from "../../store/engine/store-url.ts";
import { readStoreAt } from "../../store/store-survey.ts";
import { type Config, readConfig } from "../config.ts";
import { requireOwnFiles, type SiteFolder, siteAddress, siteEnvironment, siteFolder } from "../sites/site-folder.ts";
import type { DeskSites } from "./desk-server.ts";
import { type DeskDescription, type DeskSite, EXPORT_FOLDER, openDeskSite } from "./desk-site.ts";

/** Opens the sites of a desk that runs in `folder`. */
export function openDeskSites(config: Config, environment: NodeJS.Dict<string>, folder: string): DeskSites {
  const opened = new Map<string, DeskSite & AsyncDisposable>();

  function describe({ name, folder }: SiteFolder): DeskDescription {
    const own = siteEnvironment({ name, folder }, environment);
    const { baseUrl = "" } = siteAddress({ name, folder }, environment);
    const settings = readConfig({ ...own, BASE_URL: baseUrl });
    return { name, prefix: `/sites/${name}`, folder, config: settings, environment: own };
  }

  function open(name: string, described: DeskDescription): DeskSite {
    const made = openDeskSite(described);
    opened.set(name, made);
    return made;
  }

  /**
   * The desk writes into the folder of a site and reads its store, which may be somebody else's: they are looked at for each
   * request, and before what a killed desk has left is looked at.
   */
  async function ownSite(name: string): Promise<DeskSite | undefined> {
    const site = siteFolder(config.SITES, name);
    if (!existsSync(site.folder)) return undefined;
    requireOwnFiles(site, [EXPORT_FOLDER]);
    const described = opened.get(name) ?? describe(site);
    const { DATABASE_URL: url } = described.config;
    if (isSqlite(url)) await readStoreAt(url, async () => {}); // fails for a store that is not goodword's
    return opened.get(name) ?? open(name, described);
  }

  const hasSites = config.SITES !== "";
  const top = hasSites ? config.SITES : folder;
  opened.set("", openDeskSite({ name: undefined, prefix: "", folder: top, config, environment }));
  return {
    hasSites,
    site: async (name) => (name === undefined ? opened.get("") : await ownSite(name)),
    async [Symbol.asyncDispose]() {
      for (const site of opened.values()) await site[Symbol.asyncDispose]();
    },
  };
}
