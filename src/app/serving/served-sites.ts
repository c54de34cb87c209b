/**
 * The sites of a folder, each at its own host. A site that nobody asks for rests: nothing of it is open but its line in
 * the list. A request opens it, and so does work that falls due. One timer looks at all of them in turn.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { DocumentHandler } from "../../http/answer-document.ts";
import { clientAddress } from "../../http/client-address.ts";
import { shownError } from "../../http/page-answers.ts";
import { refuse, refuseBusy } from "../../http/refusal.ts";
import {
  type HostedRequest,
  hostKeys,
  originKey,
  parseHost,
  type RequestHost,
  requestHost,
} from "../../http/request-host.ts";
import { routeOf } from "../../http/route-names.ts";
import { makeRoutes } from "../../http/routes.ts";
import { type AddressRange, isInRanges, networkOf, parseAddressRanges } from "../../outbound/address-class.ts";
import { isDatabaseAway } from "../../store/engine/database-outage.ts";
import { isPostgres, siteStoreUrl } from "../../store/engine/store-url.ts";
import { readSiteStates } from "../../store/site-states.ts";
import { chainPath, readChain } from "../sites/chain-file.ts";
import { namesOfSites, siteAddress, siteFolder, usualOrigin } from "../sites/site-folder.ts";
import { withHolders } from "../sites/site-list.ts";
import {
  type AddressedSite,
  contentStamp,
  isWorkDue,
  placeStamp,
  type SiteSurvey,
  settingsStamp,
  stampOf,
  surveySite,
} from "../sites/site-survey.ts";
import { type ChainSite, openChain, type ServedChain } from "./chain.ts";
import { readCacheAhead } from "./publisher-opening.ts";
import { cacheSettingsOf, openSite, type Routes, type SharedParts, type Site, withFirstEdition } from "./site.ts";

export interface SitesSettings {
  /** The folder of the sites. */
  readonly folder: string;
  readonly environment: NodeJS.Dict<string>;
  /** Proxies whose X-Forwarded-Host is believed. */
  readonly trusted: readonly AddressRange[];
  /** Cache-Control of the chain's page. */
  readonly cacheControl: string;
  readonly log: Logger;
  readonly stop: AbortSignal;
  readonly limits?: Partial<SitesLimits>;
}

export interface SitesLimits {
  /** How long a site stays open after a request, and after it was opened for its work. */
  readonly idleMs: number;
  readonly workIdleMs: number;
  /** For another one, the site that was used least recently rests. Each has connections, files and an edition in memory. */
  readonly maxOpen: number;
  /** How long a site stays open after a request in any case, so that it can be answered. */
  readonly minOpenMs: number;
}

const LIMITS: SitesLimits = { idleMs: 300_000, workIdleMs: 10_000, maxOpen: 200, minOpenMs: 5_000 };

export interface ServedSites {
  readonly documents: DocumentHandler;
  readonly routes: Routes;
  count(): number;
  /** The sites that are open now. */
  open(): readonly Site[];
  stop(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What is known of a site. Only `site` and what is under way are more than a few words. */
interface Hosted extends AddressedSite {
  readonly storeUrl: string;
  readonly settingsStamp: string;
  contentStamp: string;
  placeStamp: string;
  survey: SiteSurvey | undefined;
  surveying: Promise<SiteSurvey> | undefined;
  site: Site | undefined;
  opening: Promise<Site | undefined> | undefined;
  resting: Promise<void> | undefined;
  end: AbortController;
  /** When it was last asked for, and when it was last opened for its work. */
  askedAt: number;
  workedAt: number;
  /** The revision that its hub has seen: where no topic has changed, no fan-out says so. */
  seenRevision: number;
}

const TICK_MS = 500;
/** Ticks in which each site is looked at once. */
const ROUND_TICKS = 8;
/** Sites, by their order in the list, that are looked at every second if they may have work. */
const MAX_HURRIED_SITES = 1_000;
/** Ticks between two queries for what has changed in any store, on PostgreSQL. */
const STATE_TICKS = 2;
/** Ticks between two looks at sites that were not looked at yet. */
const NEW_TICKS = 2;
/** How often an open site is asked for changes; with many open, the second figure for each of them if that is longer. */
const [POLL_MS, POLL_MS_FOR_EACH] = [100, 5];
/** How long a first answer waits for an edition where none is cached. */
const MAX_FIRST_EDITION_MS = 10_000;
const REST_MS = 10_000;
/** How long a site waits to be opened while `maxOpen` sites are open, and how often it looks. */
const [MAX_ROOM_WAIT_MS, ROOM_POLL_MS] = [10_000, 20];

/** Opens the sites of a folder. @throws Error if the folder cannot be read. */
export function openServedSites(settings: SitesSettings, shared: SharedParts): ServedSites {
  const { folder, environment, trusted, log, stop } = settings;
  const { idleMs, workIdleMs, maxOpen, minOpenMs } = { ...LIMITS, ...settings.limits };
  let sites: Hosted[] = [];
  let byName = new Map<string, Hosted>();
  let byHost = new Map<string, Hosted>();
  /** The usual hosts of sites whose own address is another's, or cannot be read. */
  let troubledHosts = new Set<string>();
  let listedAt = "";
  let chain: { readonly key: string; readonly served: ServedChain } | undefined;
  let chainStamp = "";
  const unnamed = new Set<string>();
  const openSites = new Set<Hosted>();
  const resting = new Set<Promise<void>>();
  /** Sites that may be opened and are not yet, and the last of those that wait for that. */
  let admitted = 0;
  let lastWaiting: Promise<void> = Promise.resolve();
  let tick = 0;
  let closed = false;
  /** The states of the stores in a PostgreSQL database. The files of SQLite stores show when these change. */
  let states: ReadonlyMap<string, string> = new Map();
  let isReadingStates = false;
  let isSurveyingNew = false;
  const isOnPostgres = isPostgres(environment.DATABASE_URL?.trim() ?? "");
  list();
  const timer = setInterval(look, TICK_MS);
  void surveyNew();

  const processRoutes = makeRoutes({
    ...{ edition: () => undefined, baseUrl: "", cacheControl: "no-store", now: () => new Date() },
    ...{ onAnswer: shared.onAnswer, onFault: shared.onFault, clientAddress: shared.clientAddress },
    mcp: async () => nobody(),
    hub: async () => nobody(),
    readiness: () => ({ status: "ready", sites: sites.length }),
  });

  /** Reads which sites there are, and where. Those that are gone, or that have another address, are closed. */
  function list(): void {
    const stampBefore = folderStamp();
    const { names, others } = namesOfSites(folder);
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
    sites = withHolders(read, chain?.key).map(({ takenBy }, at) => {
      const each = read[at] as Hosted;
      if (each.takenBy === takenBy) return each;
      rest(each);
      return { ...each, takenBy, survey: undefined, surveying: undefined };
    });
    for (const gone of before.values()) {
      rest(gone);
      log.info({ site: gone.name }, "A site was taken away");
    }
    byName = new Map(sites.map((each) => [each.name, each]));
    const served = sites.filter(({ baseUrl, takenBy }) => baseUrl !== undefined && takenBy === undefined);
    byHost = new Map(served.map((each) => [originKey(each.baseUrl ?? ""), each]));
    const usual = sites.filter((each) => !served.includes(each)).map((each) => usualOrigin(each, environment) ?? []);
    troubledHosts = new Set(usual.flat().map(originKey));
    listedAt = stampBefore;
  }

  /** Reads whether the folder is a chain. A fault of its file takes nothing else down. */
  function listChain(): void {
    chainStamp = stampOf(chainPath(folder));
    chain = undefined;
    try {
      const file = readChain(folder);
      if (file === undefined) return;
      const served = openChain(file, () => sitesOfChain(file.sites), settings.cacheControl);
      chain = { key: originKey(file.base_url), served };
    } catch (error) {
      log.error({ err: error }, "The chain is not served, because chain.yaml is at fault");
    }
  }

  /** The sites of the chain that are published, as their files are now. */
  async function sitesOfChain(names: readonly string[] | undefined): Promise<readonly ChainSite[]> {
    const found: ChainSite[] = [];
    for (const each of sites) {
      if (names !== undefined && !names.includes(each.name)) continue;
      const { state } = await surveyOf(each);
      const { name, baseUrl, storeUrl, contentStamp: stamp } = each;
      if (state === "published" && baseUrl !== undefined) found.push({ name, baseUrl, storeUrl, stamp });
    }
    return found;
  }

  function newSite(name: string, before: Hosted | undefined): Hosted {
    if (before !== undefined) rest(before);
    const place = siteFolder(folder, name);
    const stamp = settingsStamp(place);
    const storeUrl = siteStoreUrl(environment.DATABASE_URL ?? "", name, join(place.folder, "data", "goodword.db"));
    return {
      ...{
        ...place,
        storeUrl,
        ...siteAddress(place, environment),
        settingsStamp: stamp,
        contentStamp: "",
        placeStamp: "",
        seenRevision: 0,
      },
      ...{ survey: undefined, surveying: undefined, site: undefined, opening: undefined, resting: before?.resting },
      ...{
        end: new AbortController(),
        askedAt: before?.askedAt ?? Number.NEGATIVE_INFINITY,
        workedAt: Number.NEGATIVE_INFINITY,
      },
    };
  }

  /** Whether nothing has taken the place of what is known of a site. */
  function isCurrent(each: Hosted): boolean {
    return byName.get(each.name) === each;
  }

  /** Changes when a folder is added or taken away. A change within a second of the last is not told from it. */
  function folderStamp(): string {
    const { mtimeMs } = statSync(folder);
    return Date.now() - mtimeMs < 2_000 ? `${mtimeMs} ${performance.now()}` : String(mtimeMs);
  }

  function look(): void {
    try {
      tick++;
      if (isOnPostgres && tick % STATE_TICKS === 0) void readStates();
      const hasTurn = (each: Hosted, at: number) =>
        at % ROUND_TICKS === tick % ROUND_TICKS || (at < MAX_HURRIED_SITES && tick % 2 === 0 && mayWork(each));
      const mine = sites.filter(hasTurn);
      const isChainNew = tick % ROUND_TICKS === 0 && chainStamp !== stampOf(chainPath(folder));
      if (isChainNew || folderStamp() !== listedAt || mine.some((each) => each.settingsStamp !== settingsStamp(each)))
        list();
      for (const each of mine) if (isCurrent(each)) lookAt(each);
      if (tick % NEW_TICKS === 0) void surveyNew();
    } catch (error) {
      log.error({ err: error }, "The folder of the sites could not be read; trying again");
    }
  }

  async function readStates(): Promise<void> {
    const [any] = sites;
    if (isReadingStates || any === undefined) return;
    isReadingStates = true;
    try {
      states = await readSiteStates(
        any.storeUrl,
        sites.map(({ name }) => name),
      );
    } catch (error) {
      if (!isDatabaseAway(error)) logFault(error); // what was published is served
    } finally {
      isReadingStates = false;
    }
  }

  /**
   * Has a site that needs it surveyed again, opened for its work, or put to rest. One in use does its work by itself, and
   * writes all the time: it is surveyed only if its files may be others.
   */
  function lookAt(each: Hosted): void {
    if (each.survey === undefined || each.surveying !== undefined) return;
    if (each.site !== undefined && performance.now() - each.askedAt < idleMs) {
      if (placeStamp(each, each.storeUrl) !== each.placeStamp) void surveyed(each);
      return;
    }
    // Also of a site that rests without any work: an import may bring sources to follow, or somebody to tell.
    if (filesStamp(each) !== each.contentStamp) return void surveyed(each);
    decide(each);
  }

  async function surveyed(each: Hosted): Promise<void> {
    await surveyOf(each)
      .then(() => decide(each))
      .catch(logFault); // whatever a store says, no other site waits for it
  }

  function decide(each: Hosted): void {
    if (closed || !isCurrent(each)) return;
    const { survey, site } = each;
    if (survey === undefined) return;
    if (survey.state !== "published") rest(each);
    if (survey.state !== "published") return;
    const now = performance.now();
    const isBusy = hasWork(each);
    if (site === undefined && isBusy && (openSites.size < maxOpen || superfluous() !== undefined)) {
      each.workedAt = now;
      opened(each).catch(logFault);
    }
    if (site === undefined || now - each.workedAt < workIdleMs) return;
    each.seenRevision = site.publisher.confirmed()?.revision ?? each.seenRevision;
    if (!isBusy && now - each.askedAt > idleMs) rest(each);
  }

  function hasWork({ survey, seenRevision }: Hosted): boolean {
    const { store } = survey ?? {};
    if (store === undefined) return false;
    const isNews = store.hasSubscribers && store.revision.number > Math.max(store.fanOutRevision, seenRevision);
    return isNews || isWorkDue(store, new Date());
  }

  function filesStamp({ storeUrl, ...place }: Hosted): string {
    return `${contentStamp(place, storeUrl)} ${states.get(place.name) ?? ""}`;
  }

  /** The survey of a site as its files are now. */
  function surveyOf(each: Hosted): Promise<SiteSurvey> {
    const { survey } = each;
    if (survey !== undefined && filesStamp(each) === each.contentStamp) return Promise.resolve(survey);
    each.surveying ??= surveyNow(each).finally(() => {
      each.surveying = undefined;
    });
    return each.surveying;
  }

  async function surveyNow(each: Hosted): Promise<SiteSurvey> {
    const [stampBefore, placeBefore] = [filesStamp(each), placeStamp(each, each.storeUrl)];
    const before = each.survey;
    const survey = await surveySite(each, environment);
    each.survey = survey;
    each.contentStamp = stampBefore;
    each.placeStamp = placeBefore;
    if (survey.problem !== before?.problem) {
      const { state, plainProblem } = survey;
      if (plainProblem !== undefined)
        log.warn({ site: each.name, state, problem: plainProblem }, "A site is not served");
      else if (before !== undefined) log.info({ site: each.name }, "A site is served again");
    }
    return survey;
  }

  /** Looks at every site that is new, or at a new address, with half of the processor at most. */
  async function surveyNew(): Promise<void> {
    if (isSurveyingNew) return;
    isSurveyingNew = true;
    for (const { name } of sites) {
      const each = byName.get(name);
      if (closed) return;
      if (each === undefined || each.survey !== undefined) continue;
      const startedAt = performance.now();
      await surveyed(each);
      await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt));
    }
    isSurveyingNew = false;
  }

  /** The site, opened if it rests; undefined if it has nothing to publish. */
  function opened(each: Hosted): Promise<Site | undefined> {
    each.opening ??= openNow(each).finally(() => {
      each.opening = undefined;
    });
    return each.opening;
  }

  async function openNow(each: Hosted): Promise<Site | undefined> {
    await each.resting;
    if (each.site !== undefined) return each.site;
    if (isOnPostgres && each.survey?.state !== "published") each.survey = undefined;
    const { state, config, environment: own } = await surveyOf(each);
    const { baseUrl } = each;
    if (closed || state !== "published" || config === undefined || baseUrl === undefined) return undefined;
    if (!(await hasRoom())) return undefined;
    const ownLog = log.child({ site: each.name });
    const read = await readCacheAhead(cacheSettingsOf(config, baseUrl), ownLog);
    admitted--;
    if (closed || !isCurrent(each)) return undefined;
    each.end = new AbortController();
    const site = openSite(
      {
        ...{ config, baseUrl, log: ownLog, read, isCacheTrusted: true },
        stop: AbortSignal.any([stop, each.end.signal]),
        keySetting: (name) => own[name],
        pollMs: () => Math.max(POLL_MS, openSites.size * POLL_MS_FOR_EACH),
      },
      shared,
    );
    each.site = site;
    openSites.add(each);
    site.services.catch((error: unknown) => {
      if (each.site !== site || closed || each.end.signal.aborted) return;
      log.error({ err: error, site: each.name }, "A site could not be opened");
      each.contentStamp = ""; // it is surveyed again
      rest(each);
    });
    if (site.publisher.current() === undefined) await firstEdition(site);
    return site;
  }

  /**
   * Waits until one more site may be open, first come, first served; false if that takes too long. Otherwise who asks for
   * every site in turn would have more opened than the memory and the files of the process allow.
   */
  async function hasRoom(): Promise<boolean> {
    const deadline = performance.now() + MAX_ROOM_WAIT_MS;
    const before = lastWaiting;
    const { promise, resolve } = Promise.withResolvers<void>();
    lastWaiting = promise;
    await before;
    while (openSites.size + resting.size + admitted >= maxOpen && !closed && performance.now() < deadline) {
      const least = superfluous();
      if (least !== undefined) rest(least);
      await Promise.race([...resting, wait(ROOM_POLL_MS)]);
    }
    const isThere = openSites.size + resting.size + admitted < maxOpen;
    if (isThere) admitted++;
    resolve();
    return isThere;
  }

  /** The open site that was used least recently, and not just now; undefined while there is room without it. */
  function superfluous(): Hosted | undefined {
    if (openSites.size + admitted < maxOpen) return undefined;
    const idle = [...openSites].filter(
      (each) => each.opening === undefined && performance.now() - usedAt(each) > minOpenMs,
    );
    return idle.toSorted((one, other) => usedAt(one) - usedAt(other))[0];
  }

  /** Closes what is open of a site. Its next request waits for that. */
  function rest(each: Hosted): void {
    const { site } = each;
    if (site === undefined) return;
    each.site = undefined;
    openSites.delete(each);
    each.end.abort();
    const done = restNow(site).catch(logFault);
    resting.add(done);
    each.resting = done.finally(() => {
      resting.delete(done);
      each.resting = undefined;
    });
  }

  async function restNow(site: Site): Promise<void> {
    await site.services.catch(() => {});
    await site.stop(REST_MS);
    await site.close();
  }

  function logFault(error: unknown): void {
    if (!closed) log.error({ err: error }, "A site could not be looked after; trying again");
  }

  function siteFor(request: HostedRequest): Hosted | undefined {
    const host = requestHost(request, trusted);
    return host && find(host);
  }

  function find(host: RequestHost): Hosted | undefined {
    for (const key of hostKeys(host)) {
      const found = byHost.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function hasTrouble(host: RequestHost): boolean {
    return hostKeys(host).some((key) => troubledHosts.has(key));
  }

  function counted(request: Request, response: Response): Response {
    shared.onAnswer(routeOf(new URL(request.url).pathname), response.status, 0);
    return response;
  }

  /** Answers a proxy that asks whether it may obtain a certificate for a host: 200 for those that are served. */
  function answerAsk(request: Request): Response {
    const host = parseHost(new URL(request.url).searchParams.get("domain") ?? "");
    const isKnown = host !== undefined && (find(host) !== undefined || hostKeys(host).includes(chain?.key ?? ""));
    return isKnown ? new Response("yes\n") : new Response("no\n", { status: 404 });
  }

  /** Refuses a request that reaches no site. */
  async function refuseHere(request: Request, response: Response): Promise<Response> {
    const { pathname } = new URL(request.url);
    counted(request, response);
    return await shownError(request, pathname, response, response.status === 400 ? {} : { explainedAs: 421 });
  }

  return {
    documents(incoming, outgoing) {
      const request = incoming as HostedRequest;
      if (isOfProcess(request.url)) return false;
      const each = siteFor(request);
      if (each === undefined) return false;
      each.askedAt = performance.now();
      if (each.site !== undefined && each.opening === undefined) return each.site.documents(incoming, outgoing);
      return opened(each).then((site) => site?.documents(incoming, outgoing) ?? false);
    },
    async routes(request, bindings) {
      const { incoming } = bindings as { readonly incoming: HostedRequest };
      const host = requestHost(incoming, trusted);
      if (host === undefined) return await refuseHere(request, refuse(400, "The request must name one host"));
      if (isOfProcess(incoming.url)) return await processRoutes(request, bindings);
      const each = find(host);
      if (each === undefined && chain !== undefined && hostKeys(host).includes(chain.key)) {
        const mayBeAnswered = await shared.shedding.admit(networkOf(clientOf(incoming, trusted)));
        return counted(request, mayBeAnswered ? await chain.served.answer(request) : refuseBusy());
      }
      if (each === undefined && isAsk(incoming, trusted)) return counted(request, answerAsk(request));
      if (each === undefined) return await refuseHere(request, hasTrouble(host) ? notServed(undefined) : nobody());
      each.askedAt = performance.now();
      const site = each.opening === undefined ? (each.site ?? (await opened(each))) : await each.opening;
      if (site !== undefined) return await site.routes(withHost(request, host), bindings);
      return await refuseHere(request, notServed(each.survey?.state));
    },
    count: () => sites.length,
    open: () => [...openSites].flatMap(({ site }) => site ?? []),
    async stop(deadlineMs) {
      closed = true;
      clearInterval(timer);
      await Promise.all([...resting, ...[...openSites].map(({ site }) => site?.stop(deadlineMs))]);
    },
    async close() {
      await Promise.all([...openSites].map(({ site }) => site?.close()));
    },
  };
}

/** Waits for an edition of a site that has none cached. */
async function firstEdition({ publisher, services }: Site): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_FIRST_EDITION_MS);
  withFirstEdition(publisher, () => resolve());
  services.catch(() => resolve());
  await promise;
  clearTimeout(timer);
}

/** Whether its subscribers, followed sources or owner may need it although nobody asks for it. */
function mayWork({ survey }: Hosted): boolean {
  const { hasSubscribers = false, business } = survey?.store ?? {};
  return hasSubscribers || (business?.sources ?? []).length + (business?.notices ?? []).length > 0;
}

function usedAt({ askedAt, workedAt }: Hosted): number {
  return Math.max(askedAt, workedAt);
}

function clientOf({ headers, socket }: HostedRequest, trusted: readonly AddressRange[]): string {
  const forwarded = headers["x-forwarded-for"];
  return clientAddress(socket.remoteAddress ?? "", forwarded === undefined ? null : String(forwarded), trusted);
}

/** Whether an address is answered for the process, at every host. */
function isOfProcess(url = ""): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/(?:healthz|readyz)(?:\?|$)/i.test(url);
}

/** Whether a proxy on this machine, or a trusted one, asks about a host itself. */
function isAsk({ url = "", headers, socket }: HostedRequest, trusted: readonly AddressRange[]): boolean {
  const peer = socket.remoteAddress ?? "";
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers["x-forwarded-host"] !== undefined;
  return url.startsWith("/ask?") && !isForwarded && (isInRanges(peer, LOOPBACK) || isInRanges(peer, trusted));
}

const LOOPBACK = parseAddressRanges(["127.0.0.0/8", "::1"]);

/** The request as for its site's own host: an agent's may have come through a proxy that was sent to another. */
function withHost(request: Request, { name, port }: RequestHost): Request {
  if (!new URL(request.url).pathname.startsWith("/mcp")) return request;
  const headers = new Headers(request.headers);
  headers.set("Host", port === undefined ? name : `${name}:${port}`);
  return new Request(request, { headers });
}

/** A host that is no site's (RFC 9110 §15.5.20). */
function nobody(): Response {
  return refuse(421, "Nothing is published at this host");
}

function notServed(state: SiteSurvey["state"] | undefined): Response {
  const reason =
    state === "empty" ? "Nothing is published here yet" : "What is published here cannot be shown at the moment";
  return refuse(503, reason, { headers: { "Retry-After": "5" } });
}
