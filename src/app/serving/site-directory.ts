/** The sites of a folder and their hosts: which there are, which one a host is, and whether the folder is a chain. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { hostKeys, originKey, type RequestHost } from "../../http/request-host.ts";
import { siteStoreUrl } from "../../store/engine/store-url.ts";
import { type ChainFile, chainPath, faultOfSites, readChain } from "../sites/chain-file.ts";
import { namesOfSites, siteAddress, siteFolder, usualOrigin } from "../sites/site-folder.ts";
import { storedDoubles, withHolders } from "../sites/site-list.ts";
import { type SiteSurvey, settingsStamp, stampOf } from "../sites/site-survey.ts";
import { type ChainSite, FAULTY_CHAIN, openChain, type ServedChain } from "./chain.ts";
import type { HostedSite } from "./hosted-site.ts";

export interface SiteDirectory {
  /** In the order of their names. */
  sites(): readonly HostedSite[];
  named(name: string): HostedSite | undefined;
  find(host: RequestHost): HostedSite | undefined;
  /** Whether a host is the usual one of a site whose own address is another's, or cannot be read. */
  hasTrouble(host: RequestHost): boolean;
  chainAt(host: RequestHost): ServedChain | undefined;
  /** Reads the folder again if it, the settings of one of these sites or, with `withChain`, chain.yaml has changed. */
  refresh(looked: readonly HostedSite[], withChain: boolean): void;
}

interface DirectoryParts {
  /** The folder of the sites. */
  readonly folder: string;
  readonly environment: NodeJS.Dict<string>;
  /** Cache-Control of the chain's page. */
  readonly cacheControl: string;
  readonly log: Logger;
  readonly surveyOf: (each: HostedSite) => Promise<SiteSurvey>;
  /** Closes what is open of a site that is no longer listed as it was. */
  readonly rest: (each: HostedSite) => void;
}

/** Sites of a chain whose files are looked at before other requests have a turn. */
const SITES_IN_A_TURN = 100;

/** Lists the sites. @throws Error if the folder cannot be read. */
export function openSiteDirectory(parts: DirectoryParts): SiteDirectory {
  const { folder, environment, log, surveyOf } = parts;
  let sites: readonly HostedSite[] = [];
  let byName = new Map<string, HostedSite>();
  let byHost = new Map<string, HostedSite>();
  let troubledHosts = new Set<string>();
  let listedAt = "";
  let chain: { readonly file?: ChainFile; readonly key: string; readonly served: ServedChain } | undefined;
  let chainFault: string | undefined;
  let chainStamp = "";
  const unnamed = new Set<string>();
  list();

  /** Reads which sites there are, and where. Those that are gone, or that have another address, are closed. */
  function list(): void {
    const stampBefore = folderStamp();
    const { names, others, doubles } = namesOfSites(folder);
    for (const name of others.filter((each) => !unnamed.has(each))) {
      unnamed.add(name);
      log.warn(
        { folder: name },
        "This folder is no site: its name has other characters than a–z, 0–9 and -, or over 63",
      );
    }
    const before = new Map(byName);
    const read = names.map((name) => {
      const known = before.get(name);
      before.delete(name);
      return known !== undefined && known.settingsStamp === settingsStamp(known) ? known : newSite(name, known);
    });
    if (chainStamp !== stampOf(chainPath(folder))) listChain();
    const stored = storedDoubles(doubles, environment);
    sites = withHolders(read, chain?.key).map(({ name, takenBy }, at) => {
      const each = read[at] as HostedSite;
      const doubleOf = stored.get(name);
      if (each.takenBy === takenBy && each.doubleOf === doubleOf) return each;
      drop(each);
      return { ...each, takenBy, doubleOf, isListed: true, survey: undefined, surveying: undefined };
    });
    for (const gone of before.values()) {
      drop(gone);
      log.info({ site: gone.name }, "A site was taken away");
    }
    byName = new Map(sites.map((each) => [each.name, each]));
    const served = sites.filter(({ baseUrl, takenBy }) => baseUrl !== undefined && takenBy === undefined);
    byHost = new Map(served.map((each) => [originKey(each.baseUrl ?? ""), each]));
    const usual = sites.filter((each) => !served.includes(each)).map((each) => usualOrigin(each, environment) ?? []);
    troubledHosts = new Set(usual.flat().map(originKey));
    listedAt = stampBefore;
    checkChain();
  }

  /** Reads whether the folder is a chain. A fault of its file takes nothing else down, and the chain keeps its host. */
  function listChain(): void {
    chainStamp = stampOf(chainPath(folder));
    try {
      const file = readChain(folder);
      const served = file && openChain(file, () => sitesOfChain(file.sites), parts);
      chain = file && served && { file, key: originKey(file.base_url), served };
    } catch (error) {
      if (chain !== undefined) chain = { key: chain.key, served: FAULTY_CHAIN };
      log.error({ err: error }, "The chain is not served, because chain.yaml is at fault");
    }
  }

  /** Says once which names of the chain are no site's. */
  function checkChain(): void {
    const fault = chain?.file && faultOfSites(chain.file, [...byName.keys()]);
    if (fault !== undefined && fault !== chainFault) log.warn({ fault }, "The chain's page lacks a site");
    chainFault = fault;
  }

  /** The sites of the chain that are published, as their files are now. */
  async function sitesOfChain(given: readonly string[] | undefined): Promise<readonly ChainSite[]> {
    const found: ChainSite[] = [];
    const names = given && new Set(given);
    for (const [at, each] of sites.entries()) {
      if (at % SITES_IN_A_TURN === 0) await setImmediate();
      if (names?.has(each.name) === false) continue;
      const { state } = await surveyOf(each);
      const { name, baseUrl, storeUrl, contentStamp: stamp } = each;
      if (state === "published" && baseUrl !== undefined) found.push({ name, baseUrl, storeUrl, stamp });
    }
    return found;
  }

  /** Takes a site off the list: what is open of it is closed. */
  function drop(each: HostedSite): void {
    each.isListed = false;
    parts.rest(each);
  }

  function newSite(name: string, before: HostedSite | undefined): HostedSite {
    if (before !== undefined) drop(before);
    const place = siteFolder(folder, name);
    const stamp = settingsStamp(place);
    const address = siteAddress(place, environment);
    if (address.passedOver !== undefined)
      log.warn({ site: name, settings: address.passedOver }, "Settings of the process have no effect in a site's file");
    const storeUrl = siteStoreUrl(environment.DATABASE_URL ?? "", name, join(place.folder, "data", "goodword.db"));
    return {
      ...{
        ...place,
        storeUrl,
        ...address,
        settingsStamp: stamp,
        isListed: true,
        contentStamp: "",
        filesStamp: "",
        placeStamp: "",
        seenRevision: 0,
      },
      ...{ survey: undefined, surveying: undefined, mayWork: false, dueAt: Number.NEGATIVE_INFINITY },
      ...{ site: undefined, opening: undefined, resting: before?.resting },
      ...{
        end: new AbortController(),
        answering: 0,
        askedAt: before?.askedAt ?? Number.NEGATIVE_INFINITY,
        workedAt: Number.NEGATIVE_INFINITY,
      },
    };
  }

  /** Changes when a folder is added or taken away. A change within a second of the last is not told from it. */
  function folderStamp(): string {
    const { mtimeMs } = statSync(folder);
    return Date.now() - mtimeMs < 2_000 ? `${mtimeMs} ${performance.now()}` : String(mtimeMs);
  }

  return {
    sites: () => sites,
    named: (name) => byName.get(name),
    find(host) {
      for (const key of hostKeys(host)) {
        const found = byHost.get(key);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    hasTrouble: (host) => hostKeys(host).some((key) => troubledHosts.has(key)),
    chainAt: (host) => (chain !== undefined && hostKeys(host).includes(chain.key) ? chain.served : undefined),
    refresh(looked, withChain) {
      const isChainNew = withChain && chainStamp !== stampOf(chainPath(folder));
      const areSettingsNew = (each: HostedSite) => each.settingsStamp !== settingsStamp(each);
      if (isChainNew || folderStamp() !== listedAt || looked.some(areSettingsNew)) list();
    },
  };
}
