/** `goodword serve`: opens everything, from the store to the listening port, waits for a signal, closes in reverse. */
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import type { Logger } from "pino";
import { prepareCodings } from "../edition/codings.ts";
import { openPublisher } from "../edition/publisher.ts";
import { clientAddress, parseRanges } from "../http/client-address.ts";
import { refuse } from "../http/respond.ts";
import { makeRoutes } from "../http/routes.ts";
import { openServer, peerOf, type RunningServer } from "../http/server.ts";
import type { HubEventName, HubFigures } from "../hub/dispatch/hub-event.ts";
import { type Hub, type HubSettings, openHub } from "../hub/hub.ts";
import { openMcpEndpoint } from "../mcp/endpoint.ts";
import { sessionKeys } from "../store/session-keys.ts";
import { openStore, readRevision } from "../store/store.ts";
import { baseUrlOf, type Config } from "./config.ts";
import { openEditionWorker } from "./edition-worker.ts";
import { type Metrics, openMetrics } from "./metrics.ts";

/** How long answers under way may take once the program was told to stop. */
const STOP_MILLISECONDS = 10_000;

/** What is closed side by side when the program stops. */
interface Closing {
  close(deadlineMilliseconds: number): Promise<void>;
}

/** Serves until `stop` is aborted. @throws Error when the store or the port cannot be had. */
export async function serve(config: Config, log: Logger, stop: AbortSignal): Promise<void> {
  const now = () => new Date();
  const onFault = (error: unknown, request?: Request) =>
    log.error({ err: error, path: request?.url }, "An answer failed");
  const store = await openStore(config.DATABASE_URL);
  await using opened = new AsyncDisposableStack(); // closes in reverse, also when the start fails half-way
  opened.defer(store.close);
  let routes: ReturnType<typeof makeRoutes> = () => refuse(503, "Still starting", { headers: { "Retry-After": "1" } });
  const server = await openServer((request, bindings) => routes(request, bindings), {
    host: config.HOST,
    port: config.PORT,
    onFault,
  });
  const closing: Closing[] = [server];
  opened.defer(async () => void (await Promise.all(closing.map((one) => one.close(STOP_MILLISECONDS)))));
  const baseUrl = baseUrlOf(config, server.port);
  const press = openEditionWorker({
    databaseUrl: config.DATABASE_URL,
    baseUrl,
    model: config.ANALYZER_MODEL || undefined,
  });
  opened.defer(press.close);
  const publisher = openPublisher({
    revision: async () => (await readRevision(store.database)).number,
    print: press.print,
    onFault: (error) => log.error({ err: error }, "No new edition could be printed; the one before stays"),
  });
  opened.defer(publisher.close);
  let preparing = new AbortController();
  opened.defer(() => preparing.abort());
  publisher.onEdition((edition) => {
    preparing.abort();
    preparing = new AbortController();
    prepareCodings(edition.documents(), preparing.signal).catch(onFault);
  });
  publisher.onEdition(({ revision, reviewCount, business, sample }) => {
    const word = sample
      ? "Published the bundled sample business: import your own reviews to replace it"
      : "Published an edition";
    log.info({ revision, business: business.name, reviews: reviewCount }, word);
  });
  const metrics = openMetrics(publisher.current);
  const metricsServer = await openMetricsServer(config, metrics, onFault);
  if (metricsServer !== undefined) closing.push(metricsServer);
  const mcp = openMcpEndpoint({
    edition: publisher.current,
    allowedHosts: [new URL(baseUrl).host, "localhost", "127.0.0.1", "[::1]", ...config.ALLOWED_HOSTS],
    keys: await sessionKeys(store, now(), randomBytes),
    now,
    randomBytes,
  });
  const hub = openHub({
    store,
    publisher,
    settings: hubSettings(config, baseUrl),
    log: ({ event, error, ...details }) =>
      tellHubEvent(log, event, { ...details, ...(error === undefined ? {} : { err: error }) }),
    now,
    randomBytes,
  });
  watchHub(metrics, hub);
  closing.push(hub);
  hub.start();
  const trusted = parseRanges(config.TRUST_PROXY);
  routes = makeRoutes({
    edition: publisher.current,
    baseUrl,
    cacheControl: config.CACHE_CONTROL,
    now,
    mcp,
    hub: hub.answer,
    clientAddress: (context) => peerAddress(context, trusted),
    ...(metricsServer === undefined ? { metrics: metrics.answer } : {}),
    onAnswer: metrics.count,
    onFault,
  });
  log.info({ port: server.port, url: baseUrl }, `Listening: ${baseUrl}`);

  await aborted(stop);
  log.info("Stopping");
  await opened.disposeAsync();
  log.info("Stopped");
}

function hubSettings(config: Config, baseUrl: string): HubSettings {
  return {
    baseUrl,
    retrySeconds: config.HUB_RETRY_SECONDS,
    timeoutSeconds: config.HUB_TIMEOUT_SECONDS,
    lease: config.HUB_LEASE_SECONDS,
    allowCallbacks: config.HUB_ALLOW_CALLBACKS,
    proxyUrl: config.HUB_PROXY || undefined,
  };
}

/** Events that an operator should look at are warnings; the hub's own faults are errors. */
function tellHubEvent(log: Logger, event: HubEventName, details: object): void {
  const told = { event, ...details };
  const isTrouble =
    event === "delivery failed" ||
    event === "subscription removed" ||
    event === "local failure" ||
    event === "host left alone";
  const level = event === "fault" ? "error" : isTrouble ? "warn" : "info";
  log[level](told, `Hub: ${event}`);
}

function watchHub(metrics: Metrics, hub: Hub): void {
  const figures: readonly [keyof HubFigures, string, string][] = [
    ["secondsSinceTurn", "goodword_hub_seconds_since_turn", "Seconds since the dispatching loop last went round"],
    ["pending", "goodword_hub_pending", "Requests that wait to be verified"],
    ["retrying", "goodword_hub_retrying", "Subscriptions to which a delivery is owed"],
    ["running", "goodword_hub_running", "Requests to callbacks under way"],
    ["connections", "goodword_hub_connections", "Connections to callbacks"],
    ["accepted", "goodword_hub_accepted_total", "Requests accepted"],
    ["activated", "goodword_hub_activated_total", "Subscriptions activated or renewed"],
    ["delivered", "goodword_hub_delivered_total", "Notifications acknowledged"],
    ["failed", "goodword_hub_failed_total", "Delivery attempts that failed"],
    ["removed", "goodword_hub_removed_total", "Subscriptions removed after failures"],
  ];
  for (const [figure, name, help] of figures) metrics.watch(name, help, () => hub.figures()[figure]);
}

/** The figures on a port of their own, where the operator wants them off the public one. */
async function openMetricsServer(
  { HOST, METRICS_PORT }: Config,
  metrics: Metrics,
  onFault: (error: unknown) => void,
): Promise<RunningServer | undefined> {
  if (METRICS_PORT === null) return undefined;
  const answer = async (request: Request) =>
    new URL(request.url).pathname === "/metrics" ? await metrics.answer() : refuse(404, "There is only /metrics here");
  return await openServer(answer, { host: HOST, port: METRICS_PORT, onFault });
}

function peerAddress(context: Context, trusted: ReturnType<typeof parseRanges>): string {
  const peer = peerOf(context);
  return clientAddress(peer, context.req.header("X-Forwarded-For") ?? null, trusted);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
