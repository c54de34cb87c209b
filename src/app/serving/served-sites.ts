/**
 * The sites of a folder, each at its own host. A site that nobody asks for rests: nothing of it is open but its line in
 * the list. A request opens it, and so does work that falls due. One timer looks at all of them in turn.
 */
import type { Logger } from "pino";
import type { DocumentHandler } from "../../http/answer-document.ts";
import { clientAddress } from "../../http/client-address.ts";
import { shownError } from "../../http/page-answers.ts";
import { refuse, refuseBusy } from "../../http/refusal.ts";
import { type HostedRequest, parseHost, type RequestHost, requestHost } from "../../http/request-host.ts";
import { routeOf } from "../../http/route-names.ts";
import { makeRoutes, STORE_AWAY, STORE_READ_ONLY } from "../../http/routes.ts";
import { type AddressRange, isInRanges, networkOf, parseAddressRanges } from "../../outbound/address-class.ts";
import { isPostgres } from "../../store/engine/store-url.ts";
import { CHAIN_FILE } from "../sites/chain-file.ts";
import type { SiteSurvey } from "../sites/site-survey.ts";
import { type HostedSite, makeSiteSurveys } from "./hosted-site.ts";
import { makeOpenSites, type OpenSitesLimits } from "./open-sites.ts";
import type { Routes, SharedParts, Site } from "./site.ts";
import { openSiteDirectory } from "./site-directory.ts";
import { type RoundsLimits, startRounds } from "./site-rounds.ts";
import { makeSiteWatches } from "./site-watches.ts";

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

export type SitesLimits = OpenSitesLimits & RoundsLimits;

const LIMITS: SitesLimits = {
  ...{ idleMs: 300_000, workIdleMs: 10_000, tickMs: 500, sweepTicks: 600 },
  ...{ maxOpen: 200, minOpenMs: 5_000 },
};

export interface ServedSites {
  readonly documents: DocumentHandler;
  readonly routes: Routes;
  count(): number;
  /** The name of the site that a request is for, or of the file of the chain; undefined for a host that is nobody's. */
  nameOf(request: HostedRequest): string | undefined;
  /** Whether the one database that all stores are in answers; undefined where each site has its own store. */
  isDatabaseUp(): boolean | undefined;
  /** The sites that are open now. */
  open(): readonly Site[];
  stop(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the sites of a folder. @throws Error if the folder cannot be read. */
export function openServedSites(settings: SitesSettings, shared: SharedParts): ServedSites {
  const { environment, trusted, log } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const isOnPostgres = isPostgres(environment.DATABASE_URL?.trim() ?? "");
  let closed = false;
  const surveys = makeSiteSurveys(environment, log, logFault);
  const { surveyOf } = surveys;
  const openSites = makeOpenSites({ ...settings, limits, isOnPostgres, surveyOf, logFault }, shared);
  const directory = openSiteDirectory({ ...settings, surveyOf, rest: openSites.rest });
  const watches = makeSiteWatches();
  const endRounds = startRounds({ limits, log, isOnPostgres, directory, surveys, watches, openSites, logFault });

  const processRoutes = makeRoutes({
    ...{ edition: () => undefined, baseUrl: "", cacheControl: "no-store", now: () => new Date() },
    ...{ onAnswer: shared.onAnswer, onFault: shared.onFault, clientAddress: shared.clientAddress },
    mcp: async () => nobody(),
    hub: async () => nobody(),
    readiness() {
      const reason = surveys.isDatabaseAway() ? STORE_AWAY : surveys.isDatabaseReadOnly() ? STORE_READ_ONLY : undefined;
      const sites = directory.sites().length;
      return reason === undefined ? { status: "ready", sites } : { status: "degraded", sites, reason };
    },
  });

  function logFault(error: unknown): void {
    if (!closed) log.error({ err: error }, "A site could not be looked after; trying again");
  }

  function siteFor(request: HostedRequest): HostedSite | undefined {
    const host = requestHost(request, trusted);
    return host && directory.find(host);
  }

  function counted(request: Request, response: Response): Response {
    shared.onAnswer(routeOf(new URL(request.url).pathname), response.status, 0);
    return response;
  }

  /** Answers a proxy that asks whether it may obtain a certificate for a host: 200 for those that are not answered 421. */
  function answerAsk(request: Request): Response {
    const host = parseHost(new URL(request.url).searchParams.get("domain") ?? "");
    const isKnown =
      host !== undefined &&
      (directory.hasTrouble(host) || (directory.find(host) ?? directory.chainAt(host)) !== undefined);
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
      return openSites.opened(each).then((site) => site?.documents(incoming, outgoing) ?? false);
    },
    async routes(request, bindings) {
      const { incoming } = bindings as { readonly incoming: HostedRequest };
      const host = requestHost(incoming, trusted);
      if (host === undefined) return await refuseHere(request, refuse(400, "The request must name one host"));
      if (isOfProcess(incoming.url)) return await processRoutes(request, bindings);
      const each = directory.find(host);
      const chain = each === undefined ? directory.chainAt(host) : undefined;
      if (chain !== undefined) {
        const mayBeAnswered = await shared.shedding.admit(networkOf(clientOf(incoming, trusted)));
        return counted(request, mayBeAnswered ? await chain.answer(request) : refuseBusy());
      }
      if (each === undefined && isAsk(incoming, trusted)) return counted(request, answerAsk(request));
      if (each === undefined)
        return await refuseHere(request, directory.hasTrouble(host) ? notServed(undefined) : nobody());
      each.askedAt = performance.now();
      each.answering++; // also while it is opened, so that it does not rest before it is asked
      try {
        const site = each.opening === undefined ? (each.site ?? (await openSites.opened(each))) : await each.opening;
        if (site === undefined) return await refuseHere(request, notServed(each.survey?.state));
        return await site.routes(withHost(request, host), bindings);
      } finally {
        each.answering--;
      }
    },
    count: () => directory.sites().length,
    nameOf(request) {
      const host = requestHost(request, trusted);
      if (host === undefined) return undefined;
      return directory.find(host)?.name ?? (directory.chainAt(host) && CHAIN_FILE);
    },
    isDatabaseUp: () => (isOnPostgres ? !surveys.isDatabaseAway() : undefined),
    open: openSites.list,
    async stop(deadlineMs) {
      closed = true;
      endRounds();
      await openSites.stop(deadlineMs);
    },
    async close() {
      await Promise.all([openSites.close(), surveys.close()]);
    },
  };
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
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return url.startsWith("/ask?") && !isForwarded && (isInRanges(peer, LOOPBACK) || isInRanges(peer, trusted));
}

/** What proxies add to a request that they forward. */
const FORWARDED = ["x-forwarded-for", "x-forwarded-host", "forwarded", "via"];
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
