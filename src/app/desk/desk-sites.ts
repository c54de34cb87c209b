/** The businesses of a desk: the one in its folder, or those of a folder of sites. */
import { statSync } from "node:fs";
import { isSqlite } from "../../store/engine/store-url.ts";
import { readStoreAt } from "../../store/store-survey.ts";
import { type Config, readConfig } from "../config.ts";
import { requireOwnFiles, type SiteFolder, siteAddress, siteEnvironment, siteFolder } from "../sites/site-folder.ts";
import type { DeskSites } from "./desk-server.ts";
import { type DeskDescription, type DeskSite, EXPORT_FOLDER, openDeskSite } from "./desk-site.ts";

/** Where a desk runs. */
interface DeskPlace {
  readonly folder: string;
  /** The folder is that of one site among many, which is somebody else's perhaps. */
  readonly isOfSites: boolean;
}

/** Opens the sites of a desk. */
export function openDeskSites(
  config: Config,
  environment: NodeJS.Dict<string>,
  { folder, isOfSites }: DeskPlace,
): DeskSites {
  const opened = new Map<string, DeskSite & AsyncDisposable>();

  function describe({ name, folder }: SiteFolder): DeskDescription {
    const own = siteEnvironment({ name, folder }, environment);
    const { baseUrl = "" } = siteAddress({ name, folder }, environment);
    const settings = readConfig({ ...own, BASE_URL: baseUrl });
    return { name, prefix: `/sites/${name}`, folder, isOfSites: true, config: settings, environment: own };
  }

  function siteOf(described: DeskDescription): DeskSite {
    const known = opened.get(described.folder);
    if (known !== undefined) return known;
    const made = openDeskSite(described);
    opened.set(described.folder, made);
    return made;
  }

  /**
   * The desk writes into the folder of a site and reads its store, which may be somebody else's: they are looked at for each
   * request, and before what a killed desk has left is looked at.
   */
  async function ownSite(site: Pick<SiteFolder, "folder">, describe: () => DeskDescription): Promise<DeskSite> {
    requireOwnFiles(site, [EXPORT_FOLDER]);
    const described = opened.get(site.folder) ?? describe();
    const { DATABASE_URL: url } = described.config;
    if (isSqlite(url)) await readStoreAt(url, async () => {}); // fails for a store that is not goodword's
    return siteOf(described);
  }

  async function namedSite(name: string): Promise<DeskSite | undefined> {
    const site = siteFolder(config.SITES, name);
    const isFolder = statSync(site.folder, { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder ? await ownSite(site, () => describe(site)) : undefined;
  }

  const hasSites = config.SITES !== "";
  const top = hasSites ? config.SITES : folder;
  const only: DeskDescription = { name: undefined, prefix: "", folder: top, isOfSites, config, environment };
  if (!isOfSites) siteOf(only); // says what became of the last desk's work before it is asked for
  return {
    hasSites,
    async site(name) {
      if (name !== undefined) return await namedSite(name);
      return isOfSites ? await ownSite(only, () => only) : siteOf(only);
    },
    async [Symbol.asyncDispose]() {
      for (const site of opened.values()) await site[Symbol.asyncDispose]();
    },
  };
}
