/**
 * The WebSub hub (interface §4): answers requests to subscribe and unsubscribe, and dispatches verifications and
 * notifications until it is closed. A request is answered 202 once it is stored; the answer never waits for the callback.
 */
import { createHash } from "node:crypto";
import type { Document } from "../edition/document.ts";
import type { Intent } from "../intent.ts";
import { Invalid } from "../issue.ts";
import { hostOf } from "../lib/own-words.ts";
import { isAllowed, networkOf } from "../outbound/address-class.ts";
import type { Claims } from "../store/claims.ts";
import { makeGroupCommit } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";
import { type Callback, cannotBePublic, subscriptionId } from "./callback/callback-url.ts";
import { openDispatcher } from "./dispatch/dispatcher.ts";
import type { HubEvent, HubStatus } from "./dispatch/hub-event.ts";
import { makeSecretSealing } from "./dispatch/secret-sealing.ts";
import type { HubOutbound } from "./hub-outbound.ts";
import { FORM_FAULTS, type HubRequest, type LeaseBounds, parseHubRequest, readForm } from "./hub-request.ts";
import { openRequestStorage } from "./request-storage.ts";

export interface HubSettings {
  readonly baseUrl: string;
  /** Waits before the second and the third attempt. */
  readonly retrySeconds: readonly number[];
  readonly lease: LeaseBounds;
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
  readonly randomBytes: (count: number) => Uint8Array;
  /** Shared by all hubs of the process; its opener closes it. */
  readonly outbound: HubOutbound;
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
  const { baseUrl, lease, retrySeconds } = settings;
  const { allowed, callbacks, clients, clientsAtSites, counts, limiter, limits, resolution, sites } = options.outbound;
  const log = options.outbound.countInto(options.log);
  const clock = () => performance.now();
  const secrets = makeSecretSealing(settings.secretKeys ?? [], randomBytes);
  const requests = openRequestStorage(store, limits, now);
  const groupCommit = makeGroupCommit(store);
  const unrecorded = options.outbound.unrecorded.share();
  const dispatcher = openDispatcher({
    ...{ store, groupCommit, limiter, unrecorded, send: callbacks.send, newest, now, randomBytes, log, clock },
    settings: { baseUrl, retrySeconds, secrets, subscriptionsOfSite: limits.subscriptionsOfSite },
    intervalMs: limits.intervalMs,
    claims: options.claims,
  });
  publisher.onEdition(() => dispatcher.wake(FAN_OUT_DELAY_MS));
  let closed = false;

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
      if (cannotBePublic(parsed.callback)) await requireAllowed(parsed.callback, overdue.signal);
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

  /** @throws Invalid if the operator allows no address of a host that cannot be public. */
  async function requireAllowed({ origin }: Callback, signal: AbortSignal): Promise<void> {
    const { hostname } = new URL(origin);
    const found = allowed.length === 0 ? [] : await resolution.resolve(hostname, signal).catch(() => []);
    signal.throwIfAborted();
    if (found.some((address) => isAllowed(address, allowed))) return;
    const message = `hub.callback has the host ${hostname}, which no other machine can reach under this name: use a public name`;
    throw new Invalid([{ code: "invalid", path: ["hub.callback"], message }]);
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
    counts.accepted++;
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
      accepted: counts.accepted,
      events: { ...counts.events },
    }),
    async close(deadlineMs) {
      closed = true;
      await dispatcher.close(deadlineMs);
      options.outbound.unrecorded.leave(unrecorded);
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

const PLAIN_TEXT = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

/** Refuses a request with a reason in plain text (WebSub §5.2); `retryAfter` in seconds if trying again may help. */
function refusal(status: number, reason: string, retryAfter?: number): Response {
  const headers: Record<string, string> = { ...PLAIN_TEXT };
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  if (status === 405) headers.Allow = "POST, OPTIONS";
  return new Response(`${reason}\n`, { status, headers });
}
