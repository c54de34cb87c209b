/**
 * The WebSub hub (interface §4): answers requests to subscribe and unsubscribe, and dispatches verifications and
 * notifications until it is closed. A request is answered 202 once it is stored; the answer never waits for the callback.
 */
import { createHash } from "node:crypto";
import type { Document } from "../edition/document.ts";
import type { Intent } from "../intent.ts";
import { Invalid } from "../issue.ts";
import { hostOf } from "../lib/own-words.ts";
import { networkOf, parseAddressRanges } from "../outbound/address-class.ts";
import { type NameResolution, openNameResolution } from "../outbound/name-resolution.ts";
import type { Claims } from "../store/claims.ts";
import { isDatabaseAway } from "../store/engine/database-outage.ts";
import { makeGroupCommit } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";
import { openCallbackClient } from "./callback/callback.ts";
import { subscriptionId } from "./callback/callback-url.ts";
import { openDispatcher } from "./dispatch/dispatcher.ts";
import type { CountedEvent, HubEvent, HubStatus } from "./dispatch/hub-event.ts";
import { makeSecretSealing } from "./dispatch/secret-sealing.ts";
import { FORM_FAULTS, type HubRequest, type LeaseBounds, parseHubRequest, readForm } from "./hub-request.ts";
import { makeHostLimiter } from "./limits/host-limiter.ts";
import { HUB_LIMITS, type HubLimits, makeBreakers } from "./limits/hub-limits.ts";
import { makeTokenBuckets } from "./limits/token-bucket.ts";
import { openUnrecordedDeliveries } from "./limits/unrecorded-deliveries.ts";
import { openRequestStorage } from "./request-storage.ts";

export interface HubSettings {
  readonly baseUrl: string;
  /** Waits before the second and the third attempt. */
  readonly retrySeconds: readonly number[];
  /** Deadline of a whole exchange with a callback. */
  readonly timeoutSeconds: number;
  readonly lease: LeaseBounds;
  /** CIDR ranges of addresses that callbacks may have although they are not public. */
  readonly allowCallbacks: readonly string[];
  /** An HTTP proxy through which every request to a callback goes. */
  readonly proxyUrl?: string | undefined;
  /** Keys of 32 bytes that encrypt subscribers' secrets in the store: the first seals, all open. */
  readonly secretKeys?: readonly Uint8Array[];
}

export interface HubParts {
  readonly store: Store;
  readonly claims: Claims;
  readonly publisher: TopicPublisher;
  readonly settings: HubSettings;
  /** `client`: the network that sent a refused request, which limits lines of the log and is not in them. */
  readonly log: (event: HubEvent, client?: string) => void;
  readonly now: () => Date;
  /** How far this machine's clock is ahead of `now`, in milliseconds. */
  readonly clockAheadMs?: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly limits?: Partial<HubLimits>;
  readonly resolution?: NameResolution;
}

/** The publisher as the hub uses it: the documents of the confirmed edition, and a callback when there is a newer one. */
interface TopicPublisher {
  confirmed(): { readonly revision: number; document(path: string): Document | undefined } | undefined;
  onEdition(listener: () => void): void;
}

export interface Hub {
  /** Answers a request to the hub's address. */
  answer(request: Request, clientAddress: string): Promise<Response>;
  /** Starts dispatching. */
  start(): void;
  status(): HubStatus;
  /** Refuses new requests, finishes current work or aborts it after the deadline, and releases its claims. */
  close(deadlineMs: number): Promise<void>;
}

/** Delay of fan-outs after an edition: its readers come first, and the transaction that starts fan-outs waits. */
const FAN_OUT_DELAY_MS = 20;

/** Opens the hub over a store and a publisher. It dispatches nothing before `start`. */
export function openHub({ store, publisher, settings, now, randomBytes, ...options }: HubParts): Hub {
  const { baseUrl, lease, retrySeconds, proxyUrl } = settings;
  const limits = { ...HUB_LIMITS, ...options.limits };
  const allowed = parseAddressRanges(settings.allowCallbacks);
  const clock = () => performance.now();
  let accepted = 0;
  const events: Record<CountedEvent, number> = { ...NO_EVENTS };
  const secrets = makeSecretSealing(settings.secretKeys ?? [], randomBytes);
  const clients = makeTokenBuckets({ burst: limits.clientBurst, perSecond: limits.clientPerSecond });
  const sites = makeTokenBuckets({ burst: limits.siteBurst, perSecond: limits.sitePerSecond });
  const clientsAtSites = makeTokenBuckets({ burst: limits.siteBurstOfClient, perSecond: limits.sitePerSecondOfClient });
  const requests = openRequestStorage(store, limits, now);
  const groupCommit = makeGroupCommit(store);
  const callbacks = openCallbackClient({
    resolution: options.resolution ?? openNameResolution(),
    allowed,
    timeoutMs: settings.timeoutSeconds * 1000,
    proxyUrl,
    maxConnections: limits.total,
    clockAheadMs: options.clockAheadMs,
  });
  const unrecorded = openUnrecordedDeliveries(limits.total, clock);
  const limiter = makeHostLimiter(limits, makeBreakers(limits, clock, logPause), clock, {
    connectionsSuffice: callbacks.suffices,
    mayBegin: unrecorded.mayBegin,
  });
  const dispatcher = openDispatcher({
    ...{ store, groupCommit, limiter, unrecorded, send: callbacks.send, newest, now, randomBytes, log, clock },
    settings: { baseUrl, retrySeconds, secrets, subscriptionsOfSite: limits.subscriptionsOfSite },
    intervalMs: limits.intervalMs,
    claims: options.claims,
  });
  publisher.onEdition(() => dispatcher.wake(FAN_OUT_DELAY_MS));
  const loggedFaults = new WeakSet<object>();
  let localFailureLoggedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  /**
   * Counts and logs an event. Local failures are logged only periodically, because one cause affects every attempt. A
   * database outage is not logged here: the publisher, which queries the database more often, logs it.
   */
  function log(event: HubEvent, client?: string): void {
    if (event.event === "fault" && (isDatabaseAway(event.error) || isLogged(event.error))) return;
    events[event.event === "subscription removed" ? (event.cause ?? "failures") : event.event]++;
    if (event.event === "local failure") {
      if (clock() - localFailureLoggedAt < LOCAL_FAILURE_LOG_INTERVAL_MS) return;
      localFailureLoggedAt = clock();
    }
    options.log(event, client);
  }

  /** Whether an error is logged already: one of a transaction concerns each of its writes. */
  function isLogged(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    const isKnown = loggedFaults.has(error);
    loggedFaults.add(error);
    return isKnown;
  }

  function logPause(paused: string, pauseMs: number): void {
    const host = paused.replace(/^https:\/\//, "");
    log({ event: "host paused", host, reason: `Many failures in a row; not contacted for ${pauseMs / 1000} s` });
  }

  function newest(topic: string) {
    const edition = publisher.confirmed();
    const document = edition?.document(topic);
    if (edition === undefined || document === undefined) return undefined;
    return { document, topicVersion: { tag: document.tag, revision: edition.revision } };
  }

  async function answer(incoming: Request, clientAddress: string): Promise<Response> {
    if (closed) return refusal(503, "The hub is stopping; try again in a moment", 5);
    if (incoming.method !== "POST") return refusal(405, "The hub takes POST");
    const network = networkOf(clientAddress);
    const clientWait = clients.take(network, now());
    if (clientWait > 0) return refusal(429, "Too many requests from this address; try again later", clientWait);
    const form = await readForm(incoming);
    if (typeof form === "number") return refusal(form, FORM_FAULTS[form]);
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(new StoreTimeout()), limits.storeTimeoutMs);
    try {
      const parsed = parseHubRequest(form, { baseUrl, lease, allowed });
      return await unlessAborted(accept(parsed, network, overdue.signal), overdue.signal);
    } catch (error) {
      if (error instanceof StoreTimeout)
        return refusal(503, "The store does not answer at the moment; try again in some seconds", 10);
      if (error instanceof Invalid) {
        const reason = error.issues.map(({ message }) => message).join("\n"); // contains no path of a callback
        const shown = reason.slice(0, MAX_REASON_LENGTH);
        log({ event: "request refused", ...hostIn(form), reason: shown }, network);
        return refusal(400, reason);
      }
      log({ event: "fault", error });
      return refusal(503, "The request could not be stored; try again in a moment", 10);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Stores a valid request, within the rate limits. A request that is `overdue` has been refused: it is not stored any
   * more, because the subscriber may have sent another one since.
   */
  async function accept(parsed: HubRequest, network: string, overdue: AbortSignal): Promise<Response> {
    const { mode, topic, callback, secret, leaseSeconds } = parsed;
    const { origin, shard, site, url } = callback;
    // A client's first requests about a site are its own, so that no other client can use up all that the site may have.
    const isOwn = clientsAtSites.take(`${network} ${site}`, now()) === 0;
    const siteWait = isOwn ? 0 : sites.take(site, now());
    if (siteWait > 0) return refusal(429, "Too many requests about callbacks of this host; try again later", siteWait);
    const id = subscriptionId(topic, url);
    const time = now();
    const intent: Intent = {
      ...{ id, topic, callback: url, origin, site, shard, mode, leaseSeconds },
      client: createHash("sha256").update(network).digest("hex").slice(0, 16),
      token: Buffer.from(randomBytes(12)).toString("base64url"),
      secret: secret && secrets.seal(secret, id),
      knownTag: newest(topic)?.document.tag ?? "",
      attempts: 0,
      askedAt: time,
      dueAt: time,
    };
    const reception = await requests.store(intent, overdue);
    overdue.throwIfAborted();
    if (reception === "site full")
      return refusal(429, `There are ${limits.subscriptionsOfSite} subscriptions of this host already`, 3600);
    if (reception === "queue full") return refusal(503, "Too many requests wait to be verified; try again later", 60);
    accepted++;
    if (reception === "stored") dispatcher.wake();
    return new Response("Accepted: the callback will be asked to confirm\n", { status: 202, headers: PLAIN_TEXT });
  }

  return {
    answer,
    start: () => dispatcher.start(),
    status: () => ({
      secondsSinceTurn: dispatcher.secondsSinceTurn(),
      pending: dispatcher.waiting().pending,
      owed: dispatcher.waiting().owed,
      oldestOwedSeconds: overdueSeconds(dispatcher.waiting().oldestDueAt, now()),
      running: limiter.running(),
      connections: callbacks.connections(),
      accepted,
      events: { ...events },
    }),
    async close(deadlineMs) {
      closed = true;
      await dispatcher.close(deadlineMs);
      await callbacks.close();
    },
  };
}

/** The store did not answer within the time that a request waits for it. */
class StoreTimeout extends Error {}

/** Settles as the work does, or rejects with the signal's reason if that comes first. The work itself continues. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  work.catch(() => {}); // its error counts only if it comes first
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Length of the longest reason in a log line about a refused request. */
const MAX_REASON_LENGTH = 500;

/** The host of the callback in a form that was refused, if it has one. */
function hostIn(form: string): { readonly host?: string } {
  const url = URL.parse(new URLSearchParams(form).get("hub.callback") ?? "");
  return url === null || url.host === "" ? {} : { host: hostOf(url) };
}

function overdueSeconds(dueAt: Date | undefined, now: Date): number {
  return dueAt === undefined ? 0 : Math.max(0, (now.getTime() - dueAt.getTime()) / 1000);
}

const NO_EVENTS: Readonly<Record<CountedEvent, number>> = {
  "subscription activated": 0,
  "subscription renewed": 0,
  "subscription ended by the subscriber": 0,
  "verification refused": 0,
  "verification unanswered": 0,
  delivered: 0,
  "delivery failed": 0,
  gone: 0,
  failures: 0,
  "request refused": 0,
  "lease ended": 0,
  "host paused": 0,
  "local failure": 0,
  "fan-out started": 0,
  "fan-out finished": 0,
  fault: 0,
};

const LOCAL_FAILURE_LOG_INTERVAL_MS = 10_000;

const PLAIN_TEXT = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

/** Refuses a request with a reason in plain text (WebSub §5.2); `retryAfter` in seconds if trying again may help. */
function refusal(status: number, reason: string, retryAfter?: number): Response {
  const headers: Record<string, string> = { ...PLAIN_TEXT };
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  if (status === 405) headers.Allow = "POST, OPTIONS";
  return new Response(`${reason}\n`, { status, headers });
}
