/** The businesses of a desk: the one in its folder, or those of a folder of sites. */
import { existsSync } from "node:fs";
import { type Config, readConfig } from "../config.ts";
import { requireOwnFiles, siteAddress, siteEnvironment, siteFolder } from "../sites/site-folder.ts";
import type { DeskSites } from "./desk-server.ts";
import { type DeskSite, EXPORT_FOLDER, openDeskSite } from "./desk-site.ts";

/** Opens the sites of a desk that runs in `folder`. */
export function openDeskSites(config: Config, environment: NodeJS.Dict<string>, folder: string): DeskSites {
  const opened = new Map<string, DeskSite & AsyncDisposable>();

  function open(name: string): DeskSite | undefined {
    const site = siteFolder(config.SITES, name);
    if (!existsSync(site.folder)) return undefined;
    requireOwnFiles(site, [EXPORT_FOLDER]); // what a killed desk has left is looked at once it is open
    const own = siteEnvironment(site, environment);
    const { baseUrl = "" } = siteAddress(site, environment);
    const settings = readConfig({ ...own, BASE_URL: baseUrl });
    const made = openDeskSite({
      name,
      prefix: `/sites/${name}`,
      folder: site.folder,
      config: settings,
      environment: own,
    });
    opened.set(name, made);
    return made;
  }

  /** The desk writes into the folder of a site, which may be somebody else's: it is looked at for each request. */
  function ownSite(name: string): DeskSite | undefined {
    const site = opened.get(name) ?? open(name);
    if (site !== undefined) requireOwnFiles(site, [EXPORT_FOLDER]);
    return site;
  }

  const hasSites = config.SITES !== "";
  const top = hasSites ? config.SITES : folder;
  opened.set("", openDeskSite({ name: undefined, prefix: "", folder: top, config, environment }));
  return {
    hasSites,
    site: (name) => (name === undefined ? opened.get("") : ownSite(name)),
    async [Symbol.asyncDispose]() {
      for (const site of opened.values()) await site[Symbol.asyncDispose]();
    },
  };
}
