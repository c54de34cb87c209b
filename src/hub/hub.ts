/**
 * The WebSub hub (interface §4): answers requests at its door, and dispatches verifications and notifications until it
 * is closed. A request is answered 202 once it is in the store; the answer never waits for the callback.
 */
import type { Document } from "../edition/document.ts";
import { Invalid } from "../issue.ts";
import { makeGroupCommit } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";
import { changeSubscription, countOfSite } from "../store/subscription-rows.ts";
import { type Asked, request } from "../subscription.ts";
import { parseAddressRanges } from "./callback/address-class.ts";
import { openCallbackDoor } from "./callback/callback.ts";
import { networkOf, subscriptionId } from "./callback/callback-url.ts";
import { type NameResolution, openNameResolution } from "./callback/name-resolution.ts";
import { openDispatcher } from "./dispatch/dispatcher.ts";
import type { HubEvent, HubFigures } from "./dispatch/hub-event.ts";
import { type HubRequest, type LeaseBounds, parseHubRequest, readForm } from "./hub-request.ts";
import { accepted, FORM_FAULTS, refusal } from "./hub-response.ts";
import { makeCircuitBreaker } from "./limits/circuit-breaker.ts";
import { makeHostLimiter } from "./limits/host-limiter.ts";
import { ADDRESS_HEALTH, CONSENT_HEALTH, HUB_LIMITS, type HubLimits, ORIGIN_HEALTH } from "./limits/hub-limits.ts";
import { makeTokenBuckets } from "./limits/token-bucket.ts";

export interface HubSettings {
  readonly baseUrl: string;
  /** Waits before the second and the third attempt. */
  readonly retrySeconds: readonly number[];
  /** For a whole exchange with a callback. */
  readonly timeoutSeconds: number;
  readonly lease: LeaseBounds;
  /** CIDR ranges of addresses that callbacks may have although they are not public. */
  readonly allowCallbacks: readonly string[];
  /** A proxy that every request to a callback goes through. */
  readonly proxyUrl?: string | undefined;
}

export interface HubParts {
  readonly store: Store;
  readonly publisher: TopicPublisher;
  readonly settings: HubSettings;
  readonly log: (event: HubEvent) => void;
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly limits?: Partial<HubLimits>;
  readonly resolution?: NameResolution;
}

/** What the hub needs of the publisher: the newest edition's topics, and a call when there is a newer one. */
interface TopicPublisher {
  current(): { readonly revision: number; document(path: string): Document | undefined } | undefined;
  onEdition(listener: () => void): void;
}

export interface Hub {
  /** Answers a request to the hub's address. */
  answer(request: Request, clientAddress: string): Promise<Response>;
  /** Begins to dispatch. */
  start(): void;
  figures(): HubFigures;
  /** Refuses requests from now on, finishes what is under way or gives it up after the deadline, releases its claims. */
  close(deadlineMs: number): Promise<void>;
}

/** Opens the hub over a store and a publisher. Its loop begins with `start`. */
export function openHub({ store, publisher, settings, now, randomBytes, ...options }: HubParts): Hub {
  const { baseUrl, lease, retrySeconds, proxyUrl } = settings;
  const limits = { ...HUB_LIMITS, ...options.limits };
  const allowed = parseAddressRanges(settings.allowCallbacks);
  const clock = () => performance.now();
  const log = sparingly(options.log, clock);
  const onHold = (held: string, holdMs: number) => {
    const host = held.replace(/^https:\/\//, "");
    log({ event: "host left alone", host, reason: `Many failures in a row; for ${holdMs / 1000} s` });
  };
  const hostBreaker = makeCircuitBreaker(ORIGIN_HEALTH, clock, onHold);
  const consentBreaker = makeCircuitBreaker(CONSENT_HEALTH, clock, onHold);
  const addressBreaker = makeCircuitBreaker(ADDRESS_HEALTH, clock, onHold);
  const limiter = makeHostLimiter(limits, hostBreaker, clock);
  const door = openCallbackDoor({
    resolution: options.resolution ?? openNameResolution(),
    allowed,
    timeoutMs: settings.timeoutSeconds * 1000,
    proxyUrl,
    mostConnections: limits.inAll,
    isHeld: (address) => addressBreaker.heldForMs(address) > 0,
  });
  const clients = makeTokenBuckets({ burst: limits.clientBurst, perSecond: limits.clientPerSecond });
  const sites = makeTokenBuckets({ burst: limits.siteBurst, perSecond: limits.sitePerSecond });
  const groupCommit = makeGroupCommit(store);
  const tally = { accepted: 0, activated: 0, delivered: 0, failed: 0, removed: 0 };
  const owner = Buffer.from(randomBytes(9)).toString("base64url");
  const dispatcher = openDispatcher({
    ...{ store, groupCommit, door, limiter, hostBreaker, consentBreaker, addressBreaker, baseUrl, retrySeconds },
    ...{ now, randomBytes, log, tally, newest, owner, clock, intervalMs: limits.intervalMs, claimMs: limits.claimMs },
  });
  publisher.onEdition(() => dispatcher.kick());
  let closed = false;

  function newest(topic: string) {
    const edition = publisher.current();
    const document = edition?.document(topic);
    if (edition === undefined || document === undefined) return undefined;
    return { document, topicVersion: { tag: document.tag, revision: edition.revision } };
  }

  async function answer(incoming: Request, clientAddress: string): Promise<Response> {
    if (closed) return refusal(503, "The hub is about to stop; ask again in a moment", 5);
    if (incoming.method !== "POST") return refusal(405, "The hub takes POST");
    const clientWait = clients.take(networkOf(clientAddress), now());
    if (clientWait > 0) return refusal(429, "Too many requests from this address; ask again later", clientWait);
    const form = await readForm(incoming);
    if (typeof form === "number") return refusal(form, FORM_FAULTS[form]);
    try {
      return await take(parseHubRequest(form, { baseUrl, lease, allowed }));
    } catch (error) {
      if (error instanceof Invalid) return refusal(400, error.issues.map(({ message }) => message).join("\n"));
      log({ event: "fault", error });
      return refusal(503, "The request could not be stored; ask again in a moment", 10);
    }
  }

  /** Stores a request that is understood, unless there are too many of its kind. */
  async function take({ mode, topic, callback, secret, leaseSeconds }: HubRequest): Promise<Response> {
    const siteWait = sites.take(callback.site, now());
    if (siteWait > 0) return refusal(429, "Too many requests about callbacks of this host; ask again later", siteWait);
    if (dispatcher.waiting().pending >= limits.pending) {
      return refusal(503, "Too many requests wait to be verified; ask again later", 60);
    }
    const id = subscriptionId(topic, callback.url);
    const isFull = (await countOfSite(store, callback.site, limits.subscriptionsOfSite)) >= limits.subscriptionsOfSite;
    const token = Buffer.from(randomBytes(12)).toString("base64url");
    const knownTag = newest(topic)?.document.tag ?? "";
    const time = now();
    const intent = { mode, token, secret, leaseSeconds, knownTag, attempts: 0, askedAt: time, dueAt: time };
    const asked: Asked = { id, topic, ...callbackParts(callback), intent };
    const { before, after } = await groupCommit((transaction) =>
      changeSubscription(transaction, id, (current) =>
        isFull && current === undefined ? undefined : request(current, asked, now()),
      ),
    );
    if (isFull && before === undefined && mode === "subscribe") {
      return refusal(429, `There are ${limits.subscriptionsOfSite} subscriptions of this host already`, 3600);
    }
    tally.accepted++;
    if (after !== undefined) dispatcher.kick();
    return accepted();
  }

  return {
    answer,
    start: () => dispatcher.start(),
    figures: () => ({
      secondsSinceTurn: dispatcher.secondsSinceTurn(),
      pending: dispatcher.waiting().pending,
      retrying: dispatcher.waiting().owed,
      running: limiter.running(),
      connections: door.connections(),
      ...tally,
    }),
    async close(deadlineMs) {
      closed = true;
      await dispatcher.close(deadlineMs);
      await door.close();
    },
  };
}

/** An outage of ours hinders everything at once: it is told now and then, not for every attempt. */
function sparingly(log: HubParts["log"], clock: () => number): HubParts["log"] {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.event === "local failure") {
      if (clock() - toldAt < HINDERED_SILENCE_MS) return;
      toldAt = clock();
    }
    log(event);
  };
}

const HINDERED_SILENCE_MS = 10_000;

function callbackParts({ url, origin, site, shard }: HubRequest["callback"]) {
  return { callback: url, origin, site, shard };
}
