/**
 * A subscription and its transitions: the table of states of interface §4 as pure functions. A pending subscription has
 * an intent, an active one a lease, one that renews or unsubscribes both; undefined means removed. So a failed
 * verification cannot change what was verified before (WebSub §5.1). The waits between attempts, and so their number, are
 * the setting HUB_RETRY_SECONDS (`app/config.ts`): `fail` and `leaveUnanswered` end after the last wait.
 */

/** An accepted request that the callback has not confirmed yet. */
export interface Intent {
  readonly mode: "subscribe" | "unsubscribe";
  /** Distinguishes this request from later ones for the same callback and topic. */
  readonly token: string;
  readonly secret: string | undefined;
  readonly leaseSeconds: number;
  /** Tag of the topic's document at the time of the request; empty when there was none. */
  readonly knownTag: string;
  /** Hash of the network that sent the request: failures of its verification count against that client only. */
  readonly client: string;
  /** Verification requests without an answer. */
  readonly attempts: number;
  readonly askedAt: Date;
  readonly dueAt: Date;
}

/** The right to receive a topic's changes, until it ends. */
export interface Lease {
  readonly secret: string | undefined;
  readonly endsAt: Date;
  /** Consecutive attempts that were not acknowledged. */
  readonly failures: number;
  /** When a delivery is due again after a failure; undefined without one. */
  readonly dueAt: Date | undefined;
  /** The version of the topic whose delivery was acknowledged last, apart from fan-outs; undefined before the first. */
  readonly acknowledged?: string | undefined;
}

/** A callback and a topic with an intent (pending), a lease (active), or both (renewing or leaving). */
export interface Subscription {
  readonly id: string;
  readonly shard: number;
  /** Path of the topic. */
  readonly topic: string;
  readonly callback: string;
  readonly origin: string;
  readonly site: string;
  readonly intent?: Intent;
  readonly lease?: Lease;
}

/** Enough of a subscription's id to tell it from others in a list or a log. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** How long a verification may be postponed because its host gets no requests. */
const MAX_PENDING_SECONDS = 3600;

/** A subscription as requested. */
export type RequestedSubscription = Omit<Subscription, "intent" | "lease"> & { readonly intent: Intent };

/** A longer Retry-After of a subscriber counts as this. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/**
 * Records an accepted request: its intent replaces an earlier one and waits for verification. Unsubscribing without a
 * subscription leaves nothing (interface §4).
 */
export function request(
  current: Subscription | undefined,
  requested: RequestedSubscription,
  now: Date,
): Subscription | undefined {
  const valid = current && expire(current, now);
  if (valid === undefined && requested.intent.mode === "unsubscribe") return undefined;
  return valid === undefined ? requested : { ...valid, callback: requested.callback, intent: requested.intent };
}

/**
 * Records that the callback confirmed an intent. The lease starts when the verification was sent (WebSub §5.3). The newest
 * document is due at once if the topic changed since the request, or if a delivery was due before the renewal.
 */
export function confirm(
  current: Subscription | undefined,
  intent: Intent,
  { sentAt, now, newestTag }: { readonly sentAt: Date; readonly now: Date; readonly newestTag: string | undefined },
): Subscription | undefined {
  if (current === undefined) return undefined;
  const { lease: former, ...rest } = settle(current, intent);
  if (intent.mode === "unsubscribe") return remaining(rest);
  const held = former !== undefined && former.endsAt > now;
  const owed = held ? former.dueAt !== undefined : intent.knownTag === "" || intent.knownTag !== newestTag;
  const endsAt = later(sentAt, intent.leaseSeconds);
  const dueAt = owed ? now : undefined;
  return { ...rest, lease: { ...former, secret: intent.secret, endsAt, failures: 0, dueAt } };
}

/** Records that the callback refused an intent: the verified state stays. */
export function reject(current: Subscription | undefined, intent: Intent): Subscription | undefined {
  return current && remaining(settle(current, intent));
}

/** Records a verification without an answer: it is repeated after each of the waits, then given up. */
export function leaveUnanswered(
  current: Subscription | undefined,
  intent: Intent,
  { now, waitsSeconds }: { readonly now: Date; readonly waitsSeconds: readonly number[] },
): Subscription | undefined {
  if (current?.intent?.token !== intent.token) return current;
  const wait = waitsSeconds[current.intent.attempts];
  if (wait === undefined) return reject(current, intent);
  return { ...current, intent: { ...current.intent, attempts: current.intent.attempts + 1, dueAt: later(now, wait) } };
}

/**
 * Records an acknowledged delivery: the count of failures is reset. `newest` is the topic's version if that was
 * delivered; if it is undefined, a newer document has been published, and its delivery is due at once.
 */
export function acknowledge(
  current: Subscription | undefined,
  newest: string | undefined,
  now: Date,
): Subscription | undefined {
  if (current?.lease === undefined) return current;
  const { dueAt, failures } = current.lease;
  if (newest === undefined && failures === 0 && dueAt === undefined) return current;
  const next = newest === undefined ? { dueAt: now } : { dueAt: undefined, acknowledged: newest };
  return { ...current, lease: { ...current.lease, failures: 0, ...next } };
}

/** Records a failed delivery: it is repeated after a wait; after the last wait the lease ends. */
export function fail(
  current: Subscription | undefined,
  {
    now,
    waitsSeconds,
    retryAfterSeconds = 0,
  }: { readonly now: Date; readonly waitsSeconds: readonly number[]; readonly retryAfterSeconds?: number },
): Subscription | undefined {
  if (current?.lease === undefined) return current;
  const wait = waitsSeconds[current.lease.failures];
  if (wait === undefined) return endLease(current);
  const dueAt = later(now, Math.max(wait, Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS)));
  return { ...current, lease: { ...current.lease, failures: current.lease.failures + 1, dueAt } };
}

/** Makes a delivery due at `dueAt` without counting a failure. */
export function owe(current: Subscription | undefined, dueAt: Date): Subscription | undefined {
  if (current?.lease === undefined) return current;
  return { ...current, lease: { ...current.lease, dueAt } };
}

/** Postpones a verification after a local failure, which does not count against the callback. */
export function postpone(current: Subscription | undefined, intent: Intent, dueAt: Date): Subscription | undefined {
  if (current?.intent?.token !== intent.token) return current;
  return { ...current, intent: { ...current.intent, dueAt } };
}

/**
 * Postpones a verification because its host gets no requests at the moment. This does not count against the callback, but
 * after an hour without confirmation the request is dropped, so that requests cannot accumulate.
 */
export function holdBack(current: Subscription | undefined, intent: Intent, dueAt: Date): Subscription | undefined {
  if (dueAt > later(intent.askedAt, MAX_PENDING_SECONDS)) return reject(current, intent);
  return postpone(current, intent, dueAt);
}

/** Ends the lease: the callback is gone (410) or has failed too often. A pending intent stays. */
export function endLease(current: Subscription | undefined): Subscription | undefined {
  if (current === undefined) return undefined;
  const { lease: _lease, ...rest } = current;
  return remaining(rest);
}

/** The subscription at a moment: without its lease if that has ended. */
export function expire(current: Subscription, now: Date): Subscription | undefined {
  return current.lease !== undefined && current.lease.endsAt <= now ? endLease(current) : remaining(current);
}

/** Removes that intent; a later one stays. */
function settle(current: Subscription, { token }: Intent): Subscription {
  if (current.intent?.token !== token) return current;
  const { intent: _intent, ...rest } = current;
  return rest;
}

function remaining(subscription: Subscription): Subscription | undefined {
  return subscription.intent === undefined && subscription.lease === undefined ? undefined : subscription;
}

function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}
