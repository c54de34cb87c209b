/** The sites of a folder with their addresses. Where two sites have the same, it belongs to the first one by name. */
import { originKey } from "../../http/request-host.ts";
import { isPostgres } from "../../store/engine/store-url.ts";
import { CHAIN_FILE, readChain } from "./chain-file.ts";
import { type NamesOfSites, type SiteAddress, type SiteFolder, siteAddress, siteFolder } from "./site-folder.ts";
import type { AddressedSite } from "./site-survey.ts";

/** Sites of these names. */
export function addressedSites(
  folder: string,
  { names, doubles }: Pick<NamesOfSites, "names" | "doubles">,
  environment: NodeJS.Dict<string>,
): readonly AddressedSite[] {
  const sites = names.map((name) => {
    const site = siteFolder(folder, name);
    return { ...site, ...siteAddress(site, environment) };
  });
  const stored = storedDoubles(doubles, environment);
  return withHolders(sites, chainKey(folder)).map((site) => ({ ...site, doubleOf: stored.get(site.name) }));
}

/** The doubles that would have one store. On PostgreSQL each site has its own, wherever its settings are. */
export function storedDoubles(
  doubles: NamesOfSites["doubles"],
  environment: NodeJS.Dict<string>,
): NamesOfSites["doubles"] {
  return isPostgres(environment.DATABASE_URL?.trim() ?? "") ? new Map() : doubles;
}

/** The key of the chain's address; undefined if the folder is none, or its file is at fault. */
function chainKey(folder: string): string | undefined {
  try {
    const chain = readChain(folder);
    return chain && originKey(chain.base_url);
  } catch {
    return undefined;
  }
}

/** The sites, each with the name of an earlier one that has the same address, or of the chain, whose address is its own. */
export function withHolders<Site extends SiteFolder & SiteAddress>(
  sites: readonly Site[],
  chain: string | undefined,
): readonly (Site & { readonly takenBy: string | undefined })[] {
  const holders = new Map<string, string>(chain === undefined ? [] : [[chain, CHAIN_FILE]]);
  return sites.map((site) => {
    const key = site.baseUrl === undefined ? undefined : originKey(site.baseUrl);
    const takenBy = key === undefined ? undefined : holders.get(key);
    if (key !== undefined && takenBy === undefined) holders.set(key, site.name);
    return { ...site, takenBy };
  });
}
