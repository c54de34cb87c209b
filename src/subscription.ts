/**
 * A subscription and its transitions: the table of states of interface §4 as pure functions; undefined means removed. What
 * is not verified yet is an intent (`intent.ts`), so a failed verification cannot change what was verified before (WebSub
 * §5.1). The waits between attempts, and so their number, are the setting HUB_RETRY_SECONDS (`app/config.ts`): `fail` ends
 * after the last wait.
 */
import { type Intent, later, type Pair } from "./intent.ts";

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

/** A callback and a topic with a lease. */
export interface Subscription extends Pair {
  readonly lease: Lease;
}

/** Enough of a subscription's id to tell it from others in a list or a log. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** A longer Retry-After of a subscriber counts as this. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/**
 * Records that the callback confirmed an intent. The lease starts when the verification was sent (WebSub §5.3). The newest
 * document is due at once if the topic changed since the request, or if a delivery was due before the renewal.
 */
export function confirm(
  current: Subscription | undefined,
  { mode, secret, leaseSeconds, knownTag, ...intent }: Intent,
  { sentAt, now, newestTag }: { readonly sentAt: Date; readonly now: Date; readonly newestTag: string | undefined },
): Subscription | undefined {
  if (mode === "unsubscribe") return undefined;
  const { id, shard, topic, callback, origin, site } = intent;
  const former = current && expire(current, now)?.lease;
  const isOwed = former === undefined ? knownTag === "" || knownTag !== newestTag : former.dueAt !== undefined;
  const [endsAt, dueAt] = [later(sentAt, leaseSeconds), isOwed ? now : undefined];
  return { id, shard, topic, callback, origin, site, lease: { ...current?.lease, secret, endsAt, failures: 0, dueAt } };
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
  if (current === undefined) return undefined;
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
  if (current === undefined) return undefined;
  const wait = waitsSeconds[current.lease.failures];
  if (wait === undefined) return undefined;
  const dueAt = later(now, Math.max(wait, Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS)));
  return { ...current, lease: { ...current.lease, failures: current.lease.failures + 1, dueAt } };
}

/** Makes a delivery due at `dueAt` without counting a failure. */
export function owe(current: Subscription | undefined, dueAt: Date): Subscription | undefined {
  if (current === undefined) return undefined;
  return { ...current, lease: { ...current.lease, dueAt } };
}

/** The subscription at a moment: undefined once its lease has ended. */
export function expire(current: Subscription, now: Date): Subscription | undefined {
  return current.lease.endsAt <= now ? undefined : current;
}
