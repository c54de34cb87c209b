/** A hub for tests: the real one on a store of its own, with an edition whose documents the test writes. */
import { randomBytes } from "node:crypto";
import { setDefaultCACertificates } from "node:tls";
import type { HubEvent } from "../../src/hub/dispatch/hub-event.ts";
import type { Hub } from "../../src/hub/hub.ts";
import { openHubOutbound } from "../../src/hub/hub-outbound.ts";
import { type Claims, openClaims } from "../../src/store/claims.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { listSubscriptions, type SubscriptionLine } from "../../src/store/subscription-rows.ts";
import { chosenStoreUrl } from "./engines.ts";
import { type LoneHubParts, type LoneHubSettings, openLoneHub } from "./lone-hub.ts";
import { openOtherHubs, storeOfSite } from "./other-hubs.ts";
import { emptyDatabase } from "./postgres-server.ts";
import { SUBSCRIBER_CERTIFICATE } from "./subscriber.ts";
import { makeTestPublisher, type TestPublisher, type TestTopic } from "./test-publisher.ts";
import { REPLICAS, SITES } from "./test-runs.ts";

export const BASE_URL = "http://localhost:8080";

export interface HubHarness {
  readonly hub: Hub;
  readonly store: Store;
  readonly publisher: TestPublisher;
  readonly events: readonly HubEvent[];
  /** Posts a form to the hub, as a client of an address. */
  ask(fields: Readonly<Record<string, string>> | string, client?: string): Promise<Response>;
  /** Subscribes and waits until it is active. */
  subscribe(callback: string, topic?: TestTopic, extra?: Readonly<Record<string, string>>): Promise<void>;
  /** How many subscriptions were activated so far. */
  activations(): number;
  /** Resolves once the first edition's documents are known in every shard; only then is another document a change. */
  isWatching(): Promise<void>;
  lines(): Promise<SubscriptionLine[]>;
  /** Resolves with the event once so many of its name have come. */
  event(name: HubEvent["event"], count?: number, timeoutMs?: number): Promise<HubEvent>;
  close(): Promise<void>;
}

const STARTS: readonly HubEvent["event"][] = ["subscription activated", "subscription renewed"];

const SETTINGS: LoneHubSettings = {
  baseUrl: BASE_URL,
  retrySeconds: [0, 0],
  timeoutSeconds: 30,
  lease: { shortest: 60, default: 864_000, longest: 2_592_000 },
  allowCallbacks: ["127.0.0.0/8", "::1"],
};

export interface HarnessOptions {
  readonly settings?: Partial<LoneHubSettings>;
  readonly store?: Store;
  readonly publisher?: TestPublisher;
  readonly parts?: Partial<Pick<LoneHubParts, "now" | "limits" | "resolution">>;
  /** Whether the test itself starts the hub: until then it stores requests and sends nothing. */
  readonly startsLater?: boolean;
}

/** The store of a harness: that of the engine under test, and a database that several can share for replicas. */
async function storeUrl(): Promise<string> {
  if (SITES > 0) return await storeOfSite(`own-${randomBytes(6).toString("hex")}`);
  return REPLICAS > 0 ? await emptyDatabase() : await chosenStoreUrl();
}

function oneOf<T>(choices: readonly T[]): T {
  return choices[Math.floor(Math.random() * choices.length)] as T;
}

/** Opens a hub that runs. It trusts the certificate of the subscribers of this process. */
export async function openHarness({ settings, parts, ...options }: HarnessOptions = {}): Promise<HubHarness> {
  setDefaultCACertificates([SUBSCRIBER_CERTIFICATE.certificate]);
  const url = options.store === undefined ? await storeUrl() : "";
  const store = options.store ?? (await openStore(url));
  // Replicas have connections and claims of their own, as processes have. Each request goes to one of them at random.
  const others = options.store === undefined ? Array.from({ length: REPLICAS - 1 }, () => openStore(url)) : [];
  const stores = [store, ...(await Promise.all(others))];
  const publisher = options.publisher ?? makeTestPublisher();
  const events: HubEvent[] = [];
  const watchers = new Set<() => void>();
  const claims = stores.map((each) => openClaims(each));
  const given = {
    ...parts,
    settings: { ...SETTINGS, ...settings },
    limits: { intervalMs: 10, ...parts?.limits },
    log(event: HubEvent) {
      events.push(event);
      for (const watcher of watchers) watcher();
    },
  };
  const shared = SITES > 0 ? openHubOutbound(given) : undefined;
  const otherHubs = shared && (await openOtherHubs(shared, given.settings));
  if (otherHubs !== undefined) publisher.onEdition(otherHubs.publish);
  const hubs = stores.map((each, index) =>
    openLoneHub({
      ...{ store: each, claims: claims[index] as Claims, publisher, randomBytes, now: () => new Date(), ...given },
      shared: index === 0 ? shared : undefined,
    }),
  );
  const [first] = hubs as [Hub];
  const hub: Hub =
    hubs.length === 1
      ? first
      : {
          ...first,
          answer: (...request) => oneOf(hubs).answer(...request),
          start() {
            for (const each of hubs) each.start();
          },
        };
  if (options.startsLater !== true) for (const each of hubs) each.start();

  async function ask(fields: Readonly<Record<string, string>> | string, client = "192.0.2.1"): Promise<Response> {
    const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return await hub.answer(new Request(`${BASE_URL}/api/websub/hub`, { method: "POST", headers, body }), client);
  }

  /** Resolves with the event once so many of these names have come. */
  function eventOf(names: readonly HubEvent["event"][], count: number, timeoutMs = 120_000): Promise<HubEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<HubEvent>();
    const look = () => {
      const found = events.filter((each) => names.includes(each.event))[count - 1];
      if (found !== undefined) resolve(found);
    };
    const last = () => JSON.stringify(events.slice(-20).map((each) => ({ ...each, error: String(each.error) })));
    const timer = setTimeout(() => reject(new Error(`No ${count} × ${names}, but ${last()}`)), timeoutMs);
    watchers.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      watchers.delete(look);
    });
  }

  return {
    ...{ hub, store, publisher, events, ask },
    event: (name, count = 1, timeoutMs) => eventOf([name], count, timeoutMs),
    async subscribe(callback, topic = "/feed.xml", extra = {}) {
      const known = events.filter((each) => STARTS.includes(each.event)).length;
      const fields = { "hub.mode": "subscribe", "hub.topic": BASE_URL + topic, "hub.callback": callback, ...extra };
      const response = await ask(fields);
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      await eventOf(STARTS, known + 1);
    },
    activations: () => events.filter((each) => each.event === "subscription activated").length,
    async isWatching() {
      const started = store.database.selectFrom("fan_out").select("shard");
      while ((await started.execute()).length < 48) await new Promise(setImmediate);
    },
    lines: () => listSubscriptions(store, parts?.now?.() ?? new Date()),
    async close() {
      await Promise.all(hubs.map((each) => each.close(2000)));
      await otherHubs?.close();
      await shared?.close();
      await Promise.all(claims.map((each) => each.close()));
      if (options.store === undefined) await Promise.all(stores.map((each) => each.close()));
    },
  };
}
