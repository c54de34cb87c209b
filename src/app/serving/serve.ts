/**
 * `goodword serve`: listens, serves the cached edition, opens everything else, waits for a signal, and closes in reverse
 * order.
 */
import { flushCompileCache } from "node:module";
import { setImmediate as startImmediate } from "node:timers";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Edition } from "../../edition/edition.ts";
import type { DocumentHandler } from "../../http/answer-document.ts";
import { clientAddress } from "../../http/client-address.ts";
import { makeLoadShedding, SAMPLE_MS } from "../../http/load-shedding.ts";
import { refuse } from "../../http/refusal.ts";
import { openServer, peerOf } from "../../http/server.ts";
import type { HubOutbound } from "../../hub/hub-outbound.ts";
import { type AddressRange, parseAddressRanges } from "../../outbound/address-class.ts";
import { openRenderer } from "../../publication/renderer.ts";
import type { DatabaseClock } from "../../store/database-clock.ts";
import { makeAccessLog } from "../access-log.ts";
import { baseUrlOf, type Config } from "../config.ts";
import type { Metric, ShareMetrics } from "../metrics/metrics.ts";
import type { EventCounts } from "../metrics/service-metrics.ts";
import type { HeldBack } from "../server-processes.ts";
import { makeClocksOfSites } from "./clocks-of-sites.ts";
import { maxOpenFiles, shareConnections } from "./connection-shares.ts";
import { makeMetricsOpening } from "./metrics-opening.ts";
import type { ServedSites } from "./served-sites.ts";
import type { Closing, Services } from "./services.ts";
import { openSite, type Routes, type SharedParts, type Site, withFirstEdition } from "./site.ts";

/**
 * How long requests in progress may take after a stop signal. A supervisor kills a worker after WORKER_STOP_MS
 * (`server-processes.ts`), and a process exits after PROCESS_STOP_MS (`stop-signal.ts`); both are longer.
 */
const ANSWERS_STOP_MS = 10_000;
/** How long after a stop signal the database may answer: long enough for the hub to record what it has delivered. */
const DATABASE_STOP_MS = 12_000;

export interface ServeOptions {
  /**
   * Aborted some time before `stop`: no more connections are accepted, and open ones are closed after their response.
   */
  readonly drain?: AbortSignal;
  /** Listens, on this port, only once there is an edition, or when `release` is aborted. */
  readonly heldBack?: HeldBack | undefined;
  /** Called with the first edition, or with none for a folder of sites, and the port, after all ports have been opened. */
  readonly onFirstEdition?: (edition: Edition | undefined, port: number) => void;
  /** Has each worker answer for all at `/metrics`. */
  readonly shareMetrics?: ShareMetrics;
}

/** What a process serves: one site, or the sites of a folder. */
interface Served {
  readonly documents: DocumentHandler;
  readonly routes: Routes;
  readonly opened: Promise<unknown>;
  /** Calls back once there is something to serve. */
  onFirst(listener: (edition: Edition | undefined) => void): void;
  metrics(): Promise<readonly Metric[]>;
  /** What the log says when it is served. */
  readonly told: Readonly<Record<string, unknown>>;
  readonly message: string;
  stop(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Serves until `stop` is aborted. @throws Error if the store or the port is unavailable. */
export async function serve(
  config: Config,
  log: Logger,
  stop: AbortSignal,
  { drain, heldBack, onFirstEdition, shareMetrics }: ServeOptions = {},
): Promise<void> {
  const onFault = (error: unknown, request?: Request, requestId?: string) =>
    log.error(
      { err: error, path: request?.url, request: requestId },
      "A request could not be answered because of a fault in the program",
    );
  await using closers = new AsyncDisposableStack(); // closes in reverse order, also if the start fails halfway
  let cutting: NodeJS.Timeout | undefined;
  closers.defer(() => clearTimeout(cutting));
  const cutLater = () => {
    cutting = setTimeout(cutDatabase, DATABASE_STOP_MS);
  };
  stop.addEventListener("abort", cutLater, { once: true });
  let routes: Routes = () => refuse(503, "Still starting", { headers: { "Retry-After": "1" } });
  let documents: DocumentHandler = () => false;
  const trusted = parseAddressRanges(config.TRUST_PROXY);
  let siteOf: ServedSites["nameOf"] = () => undefined;
  const onExchange = makeAccessLog(config.ACCESS_LOG, log, trusted, (request) => siteOf(request));
  const nextTurn = (run: () => void) => void startImmediate(run);
  const shedding = makeLoadShedding({ clock: () => performance.now(), work: threadWorkMs, nextTurn });
  const mayListen = Promise.withResolvers<void>();
  heldBack?.release.addEventListener("abort", () => mayListen.resolve(), { once: true });
  const shares = shareConnections(maxOpenFiles(), { hasSites: config.SITES !== "" });
  const server = await openServer((request, bindings) => routes(request, bindings), {
    host: config.HOST,
    port: config.PORT,
    maxConnections: shares.main,
    listenAfter: heldBack && { ready: mayListen.promise, port: heldBack.port },
    onFault,
    onConnection: shedding.connectionAccepted,
    ...(onExchange === undefined ? {} : { onExchange }),
    documents: (incoming, outgoing) => documents(incoming, outgoing),
  });
  drain?.addEventListener("abort", server.drain, { once: true });
  const ports: Closing[] = [server];
  let sampling: NodeJS.Timeout | undefined;
  closers.defer(() => clearInterval(sampling));
  const baseUrl = baseUrlOf(config, server.port);
  const { outbound, ...outbounds } = makeOutbound(config, log);
  closers.defer(outbounds.close);
  const metrics = makeMetricsOpening(
    config,
    { server, shedding, others: () => served.metrics() },
    { shareMetrics, onFault, onFirstRead: sampleDelays, onPort: (port) => ports.push(port) },
  );
  const counts = {
    fetches: { imported: 0, unchanged: 0, failed: 0, fault: 0 },
    notices: { sent: 0, failed: 0, "given up": 0, fault: 0 },
  };
  const shared: SharedParts = {
    renderer: openRenderer(),
    outbound,
    shedding,
    prepare: server.prepare,
    clientAddress: (context) => peerAddress(context, trusted),
    onAnswer: metrics.count,
    ...(config.METRICS_PORT === null && config.SITES === "" ? { metrics: metrics.answer } : {}),
    onFault,
    onFollowEvent: ({ event }) => void counts.fetches[event]++,
    onNoticeEvent: ({ event }) => void counts.notices[event]++,
  };
  const served = config.SITES === "" ? serveOne() : await serveMany();
  closers.defer(served.close);
  closers.defer(async () => {
    await Promise.all([...ports.map((port) => port.close(ANSWERS_STOP_MS)), served.stop(ANSWERS_STOP_MS)]);
  });
  ({ documents, routes } = served);
  served.onFirst(() => mayListen.resolve());
  const opening = served.opened.then(metrics.open);
  opening.catch(metrics.failed);
  const opened = await opening.catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
  if (opened === undefined) return; // stopped while waiting for the database
  await Promise.race([server.listening, aborted(stop)]);
  if (onFirstEdition !== undefined) served.onFirst((edition) => onFirstEdition(edition, server.port));
  log.info({ port: server.port, ...served.told }, served.message);
  flushCompileCache();

  await aborted(stop);
  log.info("Stopping");
  await closers.disposeAsync();
  log.info("Stopped");

  function serveOne(): Served {
    const keySetting = (name: string) => process.env[name];
    const onAway = () => void metrics.open().catch(() => {}); // awaited above
    const site = openSite({ config, baseUrl, log, stop, keySetting, beforeStore, onAway }, shared);
    return {
      ...site,
      opened: site.services(),
      onFirst: (listener) => withFirstEdition(site.publisher, listener),
      metrics: () => siteMetrics(site, config, counts),
      told: { url: baseUrl },
      message: `Listening: ${baseUrl}`,
    };
  }

  async function serveMany(): Promise<Served> {
    const { openServedSites } = await import("./served-sites.ts");
    const sites = openServedSites(
      {
        ...{ folder: config.SITES, environment: process.env, trusted, cacheControl: config.CACHE_CONTROL, log, stop },
        limits: { maxOpen: shares.sites },
      },
      shared,
    );
    siteOf = sites.nameOf;
    return {
      ...sites,
      opened: beforeStore(),
      onFirst: (listener) => listener(undefined),
      async close() {
        await sites.close();
        await cutDatabase(); // sites that are still looked at: nobody waits for what they say
      },
      metrics: () => sitesMetrics(sites, counts),
      told: { sites: sites.count() },
      message: `Listening on port ${server.port} for the ${sites.count()} sites in ${config.SITES}`,
    };
  }

  /** A port of the metrics' own is opened first, so that one in use ends the start even while the database is away. */
  async function beforeStore(): Promise<void> {
    if (config.METRICS_PORT !== null) await metrics.open();
  }

  /** Samples the delays of the event loop from the first scrape on. */
  function sampleDelays(): void {
    shedding.sample();
    sampling = setInterval(shedding.sample, SAMPLE_MS);
  }
}

/** The metrics of a process with one site. Those of its services are there once these are open. */
async function siteMetrics(
  { publisher, access, services }: Site,
  config: Config,
  counts: EventCounts,
): Promise<readonly Metric[]> {
  const { eventMetrics, followerMetrics, hubMetrics, publisherMetrics, storeMetrics } = await import(
    "../metrics/service-metrics.ts"
  );
  let opened: Services | undefined;
  void services().then(
    (each) => {
      opened = each;
    },
    () => {},
  );
  return [
    ...publisherMetrics(publisher),
    ...storeMetrics(access.stored, config.DATABASE_URL, access.isReadOnly),
    ...eventMetrics(counts),
    ...hubMetrics(() => opened?.hub.status()),
    ...followerMetrics(() => opened?.follower.secondsSinceRound()),
  ];
}

/** The metrics of a process with many sites, with no label for any. */
async function sitesMetrics(sites: ServedSites, counts: EventCounts): Promise<readonly Metric[]> {
  const { eventMetrics, manySitesMetrics } = await import("../metrics/service-metrics.ts");
  return [...manySitesMetrics(sites), ...eventMetrics(counts)];
}

/** Opens what the hubs of all sites share with the first of them. */
function makeOutbound(config: Config, log: Logger) {
  const clocks = makeClocksOfSites();
  let opening: Promise<HubOutbound> | undefined;
  async function open(): Promise<HubOutbound> {
    const { openServerOutbound } = await import("./hub-opening.ts");
    return openServerOutbound(config, clocks.aheadMs, log);
  }
  return {
    async outbound(clock: DatabaseClock, closed: AbortSignal) {
      clocks.add(clock, closed);
      opening ??= open();
      return await opening;
    },
    close: async () => await (await opening)?.close(),
  };
}

/** This thread's processor time in milliseconds. */
function threadWorkMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function peerAddress(context: Context, trusted: readonly AddressRange[]): string {
  const peer = peerOf(context);
  return clientAddress(peer, context.req.header("X-Forwarded-For") ?? null, trusted);
}

async function cutDatabase(): Promise<void> {
  const { cutConnections } = await import("../../store/engine/postgres.ts");
  cutConnections();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
