/**
 * A site: the publication of one business with everything that serves it, made from its settings and the parts that all
 * sites of the process share. Its cached edition is served at once. Its store is opened after the first answers, which do
 * not need it. Hub, MCP, followed sources and notices, its services, are opened when they are first needed.
 */
import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Edition } from "../../edition/edition.ts";
import type { FollowEvent } from "../../follow/follower.ts";
import { type DocumentHandler, type DocumentHandlerParts, makeDocumentHandler } from "../../http/answer-document.ts";
import type { LoadShedding } from "../../http/load-shedding.ts";
import { refuse } from "../../http/refusal.ts";
import type { RouteParts } from "../../http/routes.ts";
import type { HubOutbound } from "../../hub/hub-outbound.ts";
import type { NoticeEvent } from "../../notices/notifier.ts";
import type { Publisher } from "../../publication/publisher.ts";
import type { Renderer } from "../../publication/renderer.ts";
import type { EditionCacheSettings } from "../../publication/serialised-edition.ts";
import type { DatabaseClock } from "../../store/database-clock.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { type CacheReading, openServerPublisher } from "./publisher-opening.ts";
import type { Closing, Services } from "./services.ts";
import { makeStoreAccess, type StoreAccess } from "./store-access.ts";

/** What the sites of a process share. */
export interface SharedParts {
  readonly renderer: Renderer;
  /** Opens what all hubs share, once. The site's clock counts until `closed` is aborted. */
  readonly outbound: (clock: DatabaseClock, closed: AbortSignal) => Promise<HubOutbound>;
  readonly shedding: LoadShedding;
  /** Loads the parts of the server that answer other requests than those for documents. */
  readonly prepare: () => Promise<void>;
  readonly clientAddress: (context: Context) => string;
  readonly onAnswer: DocumentHandlerParts["onAnswer"];
  /** Answers GET /metrics; undefined if it has a separate port. */
  readonly metrics?: () => Promise<Response>;
  readonly onFault: RouteParts["onFault"];
  readonly onFollowEvent: (event: FollowEvent) => void;
  readonly onNoticeEvent: (event: NoticeEvent) => void;
}

export interface SiteSettings {
  readonly config: Config;
  readonly baseUrl: string;
  readonly log: Logger;
  readonly stop: AbortSignal;
  /** The value of a setting that holds a key of a followed source. */
  readonly keySetting: (name: string) => string | undefined;
  /** How often the store is asked for changes; undefined for the usual interval. */
  readonly pollMs?: () => number;
  /** What was read of the edition cache ahead. */
  readonly read?: CacheReading;
  /** Whether the cached edition is published without being compared with a rendered one. */
  readonly isCacheTrusted?: boolean;
  /** Awaited before the store is opened. If it fails, the store is not opened. */
  readonly beforeStore?: () => Promise<unknown>;
  /** Called after each failed attempt to reach the database. */
  readonly onAway?: () => void;
  /** Called if the services cannot be opened, which a site tries once. */
  readonly onFailed?: (error: unknown) => void;
}

export type Routes = (request: Request, bindings?: object) => Response | Promise<Response>;

export interface Site {
  readonly publisher: Publisher;
  readonly access: StoreAccess;
  readonly documents: DocumentHandler;
  /** Answers everything but ready documents. */
  readonly routes: Routes;
  /** The services, which the first call opens. Rejects if they, or the store, cannot be opened. */
  services(): Promise<Services>;
  /** Whether its services are open, or being opened. */
  isWorking(): boolean;
  /** Resolves once nothing of it is being opened. */
  settled(): Promise<void>;
  /** Ends the site's work, within a time limit. Its store is open until `close`. */
  stop(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a site. It answers at once. */
export function openSite({ config, baseUrl, log, stop, read, ...settings }: SiteSettings, shared: SharedParts): Site {
  const closers = new AsyncDisposableStack();
  const closing: Closing[] = [];
  const access = makeStoreAccess(log);
  closers.defer(access.close);
  const { renderer } = shared;
  const { isCacheTrusted, keySetting, pollMs } = settings;
  const publisher = openServerPublisher(cacheSettingsOf(config, baseUrl), {
    ...{ renderer, stored: access.stored, closers, closing, log, read },
    ...{ ...(pollMs === undefined ? {} : { pollMs }), ...(isCacheTrusted === undefined ? {} : { isCacheTrusted }) },
  });
  const documentParts: DocumentHandlerParts = {
    edition: publisher.current,
    baseUrl,
    cacheControl: config.CACHE_CONTROL,
    now: () => new Date(),
    onAnswer: shared.onAnswer,
  };
  /** Settled while the database cannot be reached. */
  let storeUnavailable = Promise.withResolvers<undefined>();
  const onAway = () => {
    storeUnavailable.resolve(undefined);
    settings.onAway?.();
  };
  openStoreLater().then(access.opened, access.failed);
  let services: Promise<Services> | undefined;
  /** Waits for the services; undefined if the database cannot be reached while they are opened, or the site closes. */
  async function servicesIfStored(): Promise<Services | undefined> {
    if (services === undefined && stop.aborted) return undefined;
    return await Promise.race([openOnce(), storeUnavailable.promise]);
  }
  const loading = loadRoutes({
    ...documentParts,
    ...(shared.metrics === undefined ? {} : { metrics: shared.metrics }),
    shedding: shared.shedding,
    clientAddress: shared.clientAddress,
    onFault: shared.onFault,
    isStoreAway: publisher.isStoreAway,
    isStoreReadOnly: access.isReadOnly,
    mcp: async (...asked) => (await servicesIfStored())?.mcp(...asked) ?? refuseUntilOpen(),
    async hub(request, client) {
      const opened = await servicesIfStored();
      if (opened === undefined || publisher.isStoreAway()) return refuseUntilOpen();
      return access.isReadOnly() ? refuseReadOnly() : await opened.hub.answer(request, client);
    },
  });
  /** A store in which nobody has had an agent or a subscriber lacks what they need until it can be written. */
  const refuseUntilOpen = () =>
    access.isReadOnly() && !publisher.isStoreAway() ? refuseReadOnly() : refuseUntilStored();
  loading.catch(() => {}); // who waits for the store hears of it
  let routes: Routes = async (...request) => await (await loading)(...request);

  return {
    publisher,
    access,
    services: openOnce,
    isWorking: () => services !== undefined,
    async settled() {
      await Promise.allSettled([access.stored, services]);
    },
    documents: makeDocumentHandler(documentParts),
    routes: (...request) => routes(...request),
    async stop(deadlineMs) {
      await closers.disposeAsync();
      await Promise.all(closing.map((one) => one.close(deadlineMs)));
    },
    async close() {
      await (await access.stored.catch(() => undefined))?.close();
    },
  };

  async function loadRoutes(parts: RouteParts): Promise<Routes> {
    await afterFirstAnswers();
    await shared.prepare();
    await setImmediate();
    const { makeRoutes } = await import("../../http/routes.ts");
    return makeRoutes(parts);
  }

  async function openStoreLater(): Promise<Store> {
    await afterFirstAnswers();
    routes = await loading;
    await settings.beforeStore?.();
    await setImmediate();
    const { openServerStore } = await import("./store-opening.ts");
    const store = await openServerStore(config.DATABASE_URL, { log, stop, onAway });
    storeUnavailable = Promise.withResolvers();
    return store;
  }

  function openOnce(): Promise<Services> {
    if (services === undefined) {
      services = openNow();
      services.catch((error: unknown) => settings.onFailed?.(error));
    }
    return services;
  }

  async function openNow(): Promise<Services> {
    const store = await access.stored;
    const { openServices } = await import("./services.ts");
    const { outbound, onFollowEvent, onNoticeEvent } = shared;
    return await openServices(config, {
      store,
      publisher,
      baseUrl,
      access,
      log,
      stop,
      closing,
      outbound,
      keySetting,
      onFollowEvent,
      onNoticeEvent,
      onAway,
    });
  }
}

export function cacheSettingsOf(config: Config, baseUrl: string): EditionCacheSettings {
  return { databaseUrl: config.DATABASE_URL, baseUrl, model: config.ANALYZER_MODEL || undefined };
}

/** Resolves once connections that were waiting for the port have been accepted and answered from ready documents. */
async function afterFirstAnswers(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

/** Calls the listener once, with the current edition or the first one. */
export function withFirstEdition(publisher: Publisher, listener: (edition: Edition) => void): void {
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
