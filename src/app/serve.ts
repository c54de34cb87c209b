/**
 * `goodword serve`: listens, serves the kept edition, opens everything else, waits for a signal, and closes in reverse
 * order. The store, the hub, MCP and metrics are imported after the port is open, because the first response does not
 * need them. Requests to them wait.
 */
import { randomBytes } from "node:crypto";
import { flushCompileCache } from "node:module";
import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Edition } from "../edition/edition.ts";
import type { Publisher } from "../edition/publisher.ts";
import { clientAddress } from "../http/client-address.ts";
import { type DocumentAnswers, makeDocumentAnswers } from "../http/document-answers.ts";
import { type LoadShedding, makeLoadShedding, SAMPLE_MS } from "../http/load-shedding.ts";
import { refuse } from "../http/respond.ts";
import type { RouteParts } from "../http/routes.ts";
import { openServer, peerOf, type RunningServer } from "../http/server.ts";
import type { HubEvent, HubEventName } from "../hub/dispatch/hub-event.ts";
import type { HubSettings } from "../hub/hub.ts";
import { type AddressRange, parseAddressRanges } from "../outbound/address-class.ts";
import type { WriteAccess } from "../store/engine/write-access.ts";
import type { Store } from "../store/store.ts";
import { makeAccessLog } from "./access-log.ts";
import { baseUrlOf, type Config } from "./config.ts";
import type { Figure, Metrics, ShareFigures } from "./metrics/metrics.ts";
import { openPublishing } from "./publishing/publishing.ts";
import type { HeldBack } from "./server-processes.ts";

/**
 * How long requests in progress may take after a stop signal. A supervisor kills a worker after WORKER_STOP_MS
 * (`server-processes.ts`), and a process exits after PROCESS_STOP_MS (`stop-signal.ts`); both are longer.
 */
const ANSWERS_STOP_MS = 10_000;

/** A part of the program that is closed together with others on stop. */
interface Closing {
  close(deadlineMs: number): Promise<void>;
}

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
  readonly shareFigures?: ShareFigures;
}

/** Serves until `stop` is aborted. @throws Error if the store or the port is unavailable. */
export async function serve(
  config: Config,
  log: Logger,
  stop: AbortSignal,
  { drain, heldBack, onFirstEdition, shareFigures }: ServeOptions = {},
): Promise<void> {
  const now = () => new Date();
  const onFault = (error: unknown, request?: Request, requestId?: string) =>
    log.error(
      { err: error, path: request?.url, request: requestId },
      "A request could not be answered because of a fault in the program",
    );
  await using opened = new AsyncDisposableStack(); // closes in reverse order, also if the start fails halfway
  let routes: Routes = () => refuse(503, "Still starting", { headers: { "Retry-After": "1" } });
  let answers: DocumentAnswers | undefined;
  const trusted = parseAddressRanges(config.TRUST_PROXY);
  const onExchange = makeAccessLog(config.ACCESS_LOG, log, trusted);
  const mayListen = Promise.withResolvers<void>();
  heldBack?.release.addEventListener("abort", () => mayListen.resolve(), { once: true });
  const server = await openServer((request, bindings) => routes(request, bindings), {
    host: config.HOST,
    port: config.PORT,
    later: heldBack && { when: mayListen.promise, port: heldBack.port },
    onFault,
    ...(onExchange === undefined ? {} : { onExchange }),
    documents: {
      answer: (...exchange) => answers?.answer(...exchange) ?? false,
      asked: (request) => answers?.asked(request),
      bytesOf: (asked) => answers?.bytesOf(asked),
    },
  });
  const closing: Closing[] = [server];
  drain?.addEventListener("abort", server.drain, { once: true });
  const stored = Promise.withResolvers<Store>();
  stored.promise.catch(() => {}); // callers that await it report the error; otherwise the start has already failed
  opened.defer(async () => await (await stored.promise.catch(() => undefined))?.close());
  opened.defer(async () => void (await Promise.all(closing.map((one) => one.close(ANSWERS_STOP_MS)))));
  const baseUrl = baseUrlOf(config, server.port);
  const settings = { databaseUrl: config.DATABASE_URL, baseUrl, model: config.ANALYZER_MODEL || undefined };
  const publisher = openPublishing(settings, { stored: stored.promise, opened, log });
  onceThere(publisher, () => mayListen.resolve());
  let access: WriteAccess | undefined;
  const isStoreReadOnly = () => access?.isReadOnly() === true;
  const storeAway = Promise.withResolvers<undefined>();
  let metrics: Metrics | undefined;
  const metricsOpened = Promise.withResolvers<Metrics>();
  const services = openServices();
  services.catch(metricsOpened.reject);
  // A start that fails before it opens the store waits for none when it closes.
  services.catch((error: unknown) => stop.aborted || stored.reject(error));
  metricsOpened.promise.catch(() => {}); // the services report it
  /** Waits for the services; undefined if the database cannot be reached while the process starts. */
  const servicesIfThere = () => Promise.race([services, storeAway.promise]);
  const onAnswer: Metrics["count"] = (...answer) => {
    if (metrics !== undefined) metrics.count(...answer);
    else metricsOpened.promise.then((opened) => opened.count(...answer)).catch(() => {});
  };
  const reading = { edition: publisher.current, baseUrl, cacheControl: config.CACHE_CONTROL, now, onAnswer };
  answers = makeDocumentAnswers(reading);
  const shedding = makeLoadShedding({ clock: () => performance.now(), work: threadWorkMs });
  const sampling = setInterval(shedding.sample, SAMPLE_MS);
  opened.defer(() => clearInterval(sampling));
  const loading = loadRoutes({
    admit: shedding.admit,
    ...reading,
    isStoreAway: publisher.isStoreAway,
    isStoreReadOnly,
    mcp: async (request) => (await servicesIfThere())?.mcp(request) ?? refuseUntilStored(),
    async hub(request, client) {
      const there = await servicesIfThere();
      if (there === undefined || publisher.isStoreAway()) return refuseUntilStored();
      return isStoreReadOnly() ? refuseReadOnly() : await there.hub.answer(request, client);
    },
    clientAddress: (context) => peerAddress(context, trusted),
    ...(config.METRICS_PORT === null ? { metrics: async () => await (await metricsOpened.promise).answer() } : {}),
    onFault,
  });
  loading.catch(() => {}); // the services report it
  routes = async (...request) => await (await loading)(...request);
  const there = await services.catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
  if (there === undefined) return; // stopped while waiting for the database
  await Promise.race([server.listening, aborted(stop)]);
  if (onFirstEdition !== undefined) onceThere(publisher, (edition) => onFirstEdition(edition, server.port));
  log.info({ port: server.port, url: baseUrl }, `Listening: ${baseUrl}`);
  flushCompileCache();

  await aborted(stop);
  log.info("Stopping");
  await opened.disposeAsync();
  log.info("Stopped");

  /** Loads what answers requests whose responses are not ready. */
  async function loadRoutes(parts: RouteParts): Promise<Routes> {
    await firstAnswers();
    await server.prepare();
    await setImmediate();
    const { makeRoutes } = await import("../http/routes.ts");
    return makeRoutes(parts);
  }

  async function openServices() {
    // One after another: each import blocks the thread, and requests are answered in between.
    await firstAnswers();
    routes = await loading;
    await setImmediate();
    // A port of its own is opened first, so that one in use ends the start even while the database is away.
    let openingMetrics = config.METRICS_PORT === null ? undefined : openMetricsFirst();
    await openingMetrics;
    const { store, keys, clock } = await openStoreOf(config, stored, {
      log,
      stop,
      onAway() {
        storeAway.resolve(undefined);
        openingMetrics ??= openMetricsFirst();
        openingMetrics.catch(() => {}); // awaited below
      },
    });
    const { writable } = await watchAccess(store);
    await setImmediate();
    const { openMcpEndpoint } = await import("../mcp/endpoint.ts");
    await setImmediate();
    const { openHub } = await import("../hub/hub.ts");
    await setImmediate();
    const { followerFigures, followFigures, hubFigures } = await import("./metrics/service-figures.ts");
    const metrics = await (openingMetrics ?? openMetricsFirst());
    const mcp = openMcpEndpoint({
      edition: publisher.current,
      allowedHosts: [new URL(baseUrl).host, "localhost", "127.0.0.1", "[::1]", ...config.ALLOWED_HOSTS],
      keys,
      now,
      randomBytes,
      onRefusedHost: (refused) =>
        log.warn(
          refused,
          "Refused an agent's request to /mcp, because it is meant for another host: if that host is yours, name it in BASE_URL or ALLOWED_HOSTS",
        ),
    });
    const hub = openHub({
      store,
      publisher: { current: publisher.confirmed, onEdition: publisher.onEdition },
      settings: hubSettings(config, baseUrl),
      log: (event) => logHubEvent(log, event),
      now: clock.now,
      clockAheadMs: clock.aheadMs,
      randomBytes,
    });
    metrics.add(hubFigures(hub.figures));
    closing.push(hub, { close: async () => clock.close() });
    await setImmediate();
    const following = followFigures();
    metrics.add(following.figures);
    const { logFollowEvent, openFollowing } = await import("./followed-sources.ts");
    const follower = openFollowing(config, { store, now: clock.now }, (event) => {
      following.note(event);
      logFollowEvent(log, event);
    });
    closing.push(follower);
    metrics.add(followerFigures(follower));
    void writable.then(() => {
      if (stop.aborted) return;
      hub.start();
      follower.start();
      closing.push(keepDueTimesSane(store, clock.now, log));
      finishErasure(config, store).catch((error) =>
        log.error(
          { err: error },
          "The words of a removed review are not yet cleared from the store's files: the next import, removal or start tries again",
        ),
      );
    });
    return { mcp, hub };
  }

  /** Watches whether the store accepts changes. `writable` resolves as soon as it does: for a replica perhaps never. */
  async function watchAccess({ database }: Store): Promise<{ readonly writable: Promise<void> }> {
    const { watchWriteAccess } = await import("../store/engine/write-access.ts");
    const writable = Promise.withResolvers<void>();
    const tell = (isReadOnly: boolean) => {
      if (isReadOnly) return log.warn(READ_ONLY);
      log.info("The database accepts changes");
      writable.resolve();
    };
    access = await watchWriteAccess(database, tell);
    closing.push({ close: async () => access?.close() });
    if (access.isReadOnly()) tell(true);
    else writable.resolve();
    return { writable: writable.promise };
  }

  /** Opens the metrics, of all but the services. It needs no store, so that they tell that it is away. */
  async function openMetricsFirst(): Promise<Metrics> {
    const { openMetrics } = await import("./metrics/metrics.ts");
    const { publisherFigures, storeFigures } = await import("./metrics/service-figures.ts");
    const first = openMetrics(shareFigures);
    first.add([
      ...publisherFigures(publisher),
      ...storeFigures(stored.promise, config.DATABASE_URL, isStoreReadOnly),
      ...httpFigures(server, shedding),
    ]);
    const metricsServer = await openMetricsServer(config, first, onFault);
    if (metricsServer !== undefined) closing.push(metricsServer);
    metrics = first;
    metricsOpened.resolve(first);
    return first;
  }
}

type Routes = (request: Request, bindings?: object) => Response | Promise<Response>;

/** Resolves when those who were waiting for the port have been let in and read, and have what was ready. */
async function firstAnswers(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

const SANE_DUE_TIMES_MS = 3_600_000;

/** Looks at the start and every hour for what a clock that was set wrongly has put off too far. */
function keepDueTimesSane(store: Store, now: () => Date, log: Logger) {
  const look = async () => {
    const { bringForward } = await import("../store/subscription-rows.ts");
    const brought = await bringForward(store, now());
    if (brought > 0) log.warn({ brought }, "Deliveries that were due in years, by a clock that was wrong, are due now");
  };
  const lookQuietly = () => void look().catch((error) => log.warn({ err: error }, "Due times could not be looked at"));
  const timer = setInterval(lookQuietly, SANE_DUE_TIMES_MS);
  timer.unref();
  lookQuietly();
  return { close: async () => clearInterval(timer) };
}

/** Calls the listener once, with the current edition or the first one. */
function onceThere(publisher: Publisher, listener: (edition: Edition) => void): void {
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

const READ_ONLY =
  "The database accepts no changes: it is a replica, or was set to read-only. Documents are served and follow it; subscriptions, deliveries and followed sources wait until it does, or until DATABASE_URL names the primary";

/** Refuses a request that would change a store that is read-only. */
function refuseReadOnly(): Response {
  return refuse(503, "The store accepts no changes at the moment", { headers: { "Retry-After": "60" } });
}

/** Opens the store as soon as it is available, and resolves `stored`. */
async function openStoreOf(
  { DATABASE_URL }: Config,
  stored: PromiseWithResolvers<Store>,
  opening: { readonly log: Logger; readonly stop: AbortSignal; readonly onAway: () => void },
) {
  const { openStoreOnceThere } = await import("./store-opening.ts");
  const { openDatabaseClock } = await import("../store/engine/database-clock.ts");
  const { openStore } = await import("../store/store.ts");
  const { sessionKeys } = await import("../store/session-keys.ts");
  const onJump = (milliseconds: number) =>
    opening.log.warn(
      { aheadMs: Math.round(milliseconds) },
      "The clock of this machine jumped: the hub and followed sources go on by the time before, and by the new one if it stays for ten minutes",
    );
  try {
    const opened = await openStoreOnceThere(
      DATABASE_URL,
      async () => {
        const store = await openStore(DATABASE_URL);
        try {
          const keys = await sessionKeys(store, new Date(), randomBytes);
          return { store, keys, clock: await openDatabaseClock(store.database, onJump) };
        } catch (error) {
          await store.close();
          throw error;
        }
      },
      opening,
    );
    const aheadMs = Math.round(opened.clock.aheadMs());
    if (Math.abs(aheadMs) > SKEW_MS) {
      opening.log.warn(
        { aheadMs },
        "The clocks of this machine and of the database differ; the database's clock is used",
      );
    }
    stored.resolve(opened.store);
    return opened;
  } catch (error) {
    stored.reject(error);
    throw error;
  }
}

/** The clock difference above which the operator is warned. */
const SKEW_MS = 2_000;

/** Completes a removal that was interrupted before the store's files were cleared. */
async function finishErasure({ DATABASE_URL }: Config, store: Store): Promise<void> {
  const { isErasurePending } = await import("../store/history/removal-rows.ts");
  if (!(await isErasurePending(store.database))) return;
  const { eraseRemovedWords } = await import("./removed-words.ts");
  await eraseRemovedWords(DATABASE_URL, store);
}

function hubSettings(config: Config, baseUrl: string): HubSettings {
  return {
    baseUrl,
    retrySeconds: config.HUB_RETRY_SECONDS,
    timeoutSeconds: config.HUB_TIMEOUT_SECONDS,
    lease: config.HUB_LEASE_SECONDS,
    allowCallbacks: config.HUB_ALLOW_CALLBACKS,
    proxyUrl: config.HUB_PROXY || undefined,
    secretKeys: config.HUB_SECRET_KEY,
  };
}

/**
 * Log level per event: warnings for events that need the operator's attention, errors for the hub's own faults, debug
 * for single deliveries.
 */
const LEVEL_OF_EVENT: { readonly [Name in HubEventName]?: "error" | "warn" | "debug" } = {
  fault: "error",
  "fan-out started": "debug",
  "delivery failed": "warn",
  "subscription removed": "warn",
  "local failure": "warn",
  "host paused": "warn",
  delivered: "debug",
};

function logHubEvent(log: Logger, { event, error, ...details }: HubEvent): void {
  const fields = { event, ...details, ...(error === undefined ? {} : { err: error }) };
  log[LEVEL_OF_EVENT[event] ?? "info"](fields, `Hub: ${event}`);
}

/** This thread's processor time in milliseconds. */
function threadWorkMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function httpFigures(server: RunningServer, shedding: LoadShedding): readonly Figure[] {
  return [
    {
      kind: "gauge",
      name: "goodword_http_connections",
      help: "Connections of clients that are open",
      read: server.connections,
    },
    {
      kind: "gauge",
      name: "goodword_http_work_delay_seconds",
      help: "Seconds by which the event loop's own work delayed it",
      read: shedding.delaySeconds,
    },
    {
      kind: "counter",
      name: "goodword_http_shed_total",
      help: "Costly requests refused because more was asked than could be answered",
      read: shedding.refused,
    },
  ];
}

/** Serves the metrics on a separate port, if METRICS_PORT is set. */
async function openMetricsServer(
  { HOST, METRICS_PORT }: Config,
  metrics: Metrics,
  onFault: (error: unknown) => void,
): Promise<RunningServer | undefined> {
  if (METRICS_PORT === null) return undefined;
  const answer = async (request: Request) =>
    new URL(request.url).pathname === "/metrics" ? await metrics.answer() : refuse(404, "There is only /metrics here");
  try {
    return await openServer(answer, { host: HOST, port: METRICS_PORT, onFault });
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { setting: "METRICS_PORT" }) : error; // named to the operator
  }
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
