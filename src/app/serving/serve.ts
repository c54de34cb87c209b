/**
 * `goodword serve`: listens, serves the cached edition, opens everything else, waits for a signal, and closes in reverse
 * order. The store, the hub, MCP and metrics are imported after the port is open, because the first response does not
 * need them. Requests for them wait.
 */
import { flushCompileCache } from "node:module";
import { setImmediate as startImmediate } from "node:timers";
import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Edition } from "../../edition/edition.ts";
import { type DocumentHandler, makeDocumentHandler } from "../../http/answer-document.ts";
import { clientAddress } from "../../http/client-address.ts";
import { makeLoadShedding, SAMPLE_MS } from "../../http/load-shedding.ts";
import { refuse } from "../../http/refusal.ts";
import type { RouteParts } from "../../http/routes.ts";
import { openServer, peerOf } from "../../http/server.ts";
import { type AddressRange, parseAddressRanges } from "../../outbound/address-class.ts";
import type { Publisher } from "../../publication/publisher.ts";
import { makeAccessLog } from "../access-log.ts";
import { baseUrlOf, type Config } from "../config.ts";
import type { ShareMetrics } from "../metrics/metrics.ts";
import type { HeldBack } from "../server-processes.ts";
import { maxOpenFiles, shareConnections } from "./connection-shares.ts";
import { makeMetricsOpening } from "./metrics-opening.ts";
import { openPublication } from "./publication-opening.ts";
import type { Closing } from "./services.ts";
import { makeStoreAccess } from "./store-access.ts";

/**
 * How long requests in progress may take after a stop signal. A supervisor kills a worker after WORKER_STOP_MS
 * (`server-processes.ts`), and a process exits after PROCESS_STOP_MS (`stop-signal.ts`); both are longer.
 */
const ANSWERS_STOP_MS = 10_000;

export interface ServeOptions {
  /**
   * Aborted some time before `stop`: no more connections are accepted, and open ones are closed after their response.
   */
  readonly drain?: AbortSignal;
  /** Listens, on this port, only once there is an edition, or when `release` is aborted. */
  readonly heldBack?: HeldBack | undefined;
  /** Called with the first edition and the port, after all ports have been opened. */
  readonly onFirstEdition?: (edition: Edition, port: number) => void;
  /** Has each worker answer for all at `/metrics`. */
  readonly shareMetrics?: ShareMetrics;
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
  let routes: Routes = () => refuse(503, "Still starting", { headers: { "Retry-After": "1" } });
  let documents: DocumentHandler = () => false;
  const trusted = parseAddressRanges(config.TRUST_PROXY);
  const onExchange = makeAccessLog(config.ACCESS_LOG, log, trusted);
  const nextTurn = (run: () => void) => void startImmediate(run);
  const shedding = makeLoadShedding({ clock: () => performance.now(), work: threadWorkMs, nextTurn });
  const mayListen = Promise.withResolvers<void>();
  heldBack?.release.addEventListener("abort", () => mayListen.resolve(), { once: true });
  const server = await openServer((request, bindings) => routes(request, bindings), {
    host: config.HOST,
    port: config.PORT,
    maxConnections: shareConnections(maxOpenFiles()).main,
    listenAfter: heldBack && { ready: mayListen.promise, port: heldBack.port },
    onFault,
    onConnection: shedding.connectionAccepted,
    ...(onExchange === undefined ? {} : { onExchange }),
    documents: (incoming, outgoing) => documents(incoming, outgoing),
  });
  const closing: Closing[] = [server];
  drain?.addEventListener("abort", server.drain, { once: true });
  const access = makeStoreAccess(log);
  closers.defer(async () => await (await access.stored.catch(() => undefined))?.close());
  closers.defer(async () => void (await Promise.all(closing.map((one) => one.close(ANSWERS_STOP_MS)))));
  closers.defer(access.close);
  const baseUrl = baseUrlOf(config, server.port);
  const settings = { databaseUrl: config.DATABASE_URL, baseUrl, model: config.ANALYZER_MODEL || undefined };
  const publisher = openPublication(settings, { stored: access.stored, closers, closing, log });
  withFirstEdition(publisher, () => mayListen.resolve());
  let sampling: NodeJS.Timeout | undefined;
  closers.defer(() => clearInterval(sampling));
  const metrics = makeMetricsOpening(
    config,
    { publisher, access, server, shedding },
    { shareMetrics, onFault, onFirstRead: sampleDelays, onPort: (port) => closing.push(port) },
  );
  const documentParts = {
    edition: publisher.current,
    baseUrl,
    cacheControl: config.CACHE_CONTROL,
    now: () => new Date(),
    onAnswer: metrics.count,
  };
  documents = makeDocumentHandler(documentParts);

  const storeUnavailable = Promise.withResolvers<undefined>();
  const opening = openLater();
  opening.catch((error: unknown) => {
    metrics.failed(error);
    access.failed(error); // a start that fails before it opens the store waits for none when it closes
  });
  /** Waits for the services; undefined if the database cannot be reached while the process starts. */
  const servicesIfStored = () => Promise.race([opening, storeUnavailable.promise]);
  const loading = loadRoutes({
    shedding,
    ...documentParts,
    isStoreAway: publisher.isStoreAway,
    isStoreReadOnly: access.isReadOnly,
    mcp: async (...asked) => (await servicesIfStored())?.mcp(...asked) ?? refuseUntilStored(),
    async hub(request, client) {
      const services = await servicesIfStored();
      if (services === undefined || publisher.isStoreAway()) return refuseUntilStored();
      return access.isReadOnly() ? refuseReadOnly() : await services.hub.answer(request, client);
    },
    clientAddress: (context) => peerAddress(context, trusted),
    ...(config.METRICS_PORT === null ? { metrics: metrics.answer } : {}),
    onFault,
  });
  loading.catch(() => {}); // the services report it
  routes = async (...request) => await (await loading)(...request);
  const services = await opening.catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
  if (services === undefined) return; // stopped while waiting for the database
  await Promise.race([server.listening, aborted(stop)]);
  if (onFirstEdition !== undefined) withFirstEdition(publisher, (edition) => onFirstEdition(edition, server.port));
  log.info({ port: server.port, url: baseUrl }, `Listening: ${baseUrl}`);
  flushCompileCache();

  await aborted(stop);
  log.info("Stopping");
  await closers.disposeAsync();
  log.info("Stopped");

  /** Samples the delays of the event loop from the first scrape on. */
  function sampleDelays(): void {
    shedding.sample();
    sampling = setInterval(shedding.sample, SAMPLE_MS);
  }

  /** Loads the routes, which answer everything but ready documents. */
  async function loadRoutes(parts: RouteParts): Promise<Routes> {
    await afterFirstAnswers();
    await server.prepare();
    await setImmediate();
    const { makeRoutes } = await import("../../http/routes.ts");
    return makeRoutes(parts);
  }

  async function openLater() {
    await afterFirstAnswers();
    routes = await loading;
    await setImmediate();
    const { openServices } = await import("./services.ts");
    const onAway = () => storeUnavailable.resolve(undefined);
    return await openServices(config, { publisher, baseUrl, access, metrics, log, stop, closing, onAway });
  }
}

type Routes = (request: Request, bindings?: object) => Response | Promise<Response>;

/** Resolves once connections that were waiting for the port have been accepted and answered from ready documents. */
async function afterFirstAnswers(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

/** Calls the listener once, with the current edition or the first one. */
function withFirstEdition(publisher: Publisher, listener: (edition: Edition) => void): void {
  let isCalled = false;
  const callOnce = (edition: Edition) => {
    if (!isCalled) listener(edition);
    isCalled = true;
  };
  const current = publisher.current();
  if (current === undefined) publisher.onEdition(callOnce);
  else callOnce(current);
}

const RETRY_SECONDS = "10";

/** Refuses a request that needs the store while the store does not respond. */
function refuseUntilStored(): Response {
  const reason = "The store does not answer at the moment; try again in some seconds";
  return refuse(503, reason, { headers: { "Retry-After": RETRY_SECONDS } });
}

/** Refuses a request that would change a store that is read-only. */
function refuseReadOnly(): Response {
  return refuse(503, "The store accepts no changes at the moment", { headers: { "Retry-After": "60" } });
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

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
