/**
 * What becomes of a subscription: the interface's table of states as pure functions. Pending has an intent, active a
 * lease, renewing and leaving both; undefined is "removed". So a verification that fails cannot touch what was verified
 * before (WebSub §5.1), and the list of waits is the rule of three strikes.
 */

/** What somebody asked for, until the callback says that it wants it too. */
export interface Intent {
  readonly mode: "subscribe" | "unsubscribe";
  /** Tells this request from later ones for the same callback and topic. */
  readonly token: string;
  readonly secret: string | undefined;
  readonly leaseSeconds: number;
  /** Tag of the document that the subscriber could have read when asking; empty when there was none. */
  readonly knownTag: string;
  /** Verification requests that nothing answered. */
  readonly attempts: number;
  readonly askedAt: Date;
  readonly dueAt: Date;
}

/** The right to be sent a topic's changes, until it ends. */
export interface Lease {
  readonly secret: string | undefined;
  readonly endsAt: Date;
  /** Attempts in a row that were not acknowledged. */
  readonly failures: number;
  /** When a delivery is owed; undefined for all who are not in trouble. */
  readonly dueAt: Date | undefined;
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

/** How long a verification may be held back. */
const LONGEST_PENDING_SECONDS = 3600;

/** An accepted request: whom it is about, and what it wants. */
export type Asked = Omit<Subscription, "intent" | "lease"> & { readonly intent: Intent };

/** The longest that we wait because a subscriber asked for it with Retry-After. */
const LONGEST_ASKED_WAIT_SECONDS = 3600;

/**
 * A request was accepted: its intent waits to be verified, in place of an earlier one. To unsubscribe where there is
 * nothing to end leaves nothing behind (interface §4).
 */
export function request(current: Subscription | undefined, asked: Asked, now: Date): Subscription | undefined {
  const known = current && expire(current, now);
  if (known === undefined && asked.intent.mode === "unsubscribe") return undefined;
  return known === undefined ? asked : { ...known, callback: asked.callback, intent: asked.intent };
}

/**
 * The callback confirmed an intent. The lease runs from the moment the verification was sent (WebSub §5.3). Whoever
 * subscribed while the topic changed is owed the newest document at once; so is a renewing one that was owed it.
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
  return { ...rest, lease: { secret: intent.secret, endsAt, failures: 0, dueAt: owed ? now : undefined } };
}

/** The callback refused an intent: whatever was verified before stays as it is. */
export function reject(current: Subscription | undefined, intent: Intent): Subscription | undefined {
  return current && remaining(settle(current, intent));
}

/** Nothing answered the verification: it is asked again after each of the waits, and then given up. */
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
 * The callback acknowledged a delivery: nothing is held against it any more. What it acknowledged may be older than
 * what has set out since; then the newer is owed at once.
 */
export function acknowledge(current: Subscription | undefined, newest: boolean, now: Date): Subscription | undefined {
  if (current?.lease === undefined) return current;
  const { failures, dueAt } = current.lease;
  if (failures === 0 && dueAt === undefined) return current;
  return { ...current, lease: { ...current.lease, failures: 0, dueAt: newest ? undefined : now } };
}

/** The callback did not acknowledge a delivery: tried again after a wait, removed when the waits are used up. */
export function fail(
  current: Subscription | undefined,
  {
    now,
    waitsSeconds,
    askedWaitSeconds = 0,
  }: { readonly now: Date; readonly waitsSeconds: readonly number[]; readonly askedWaitSeconds?: number },
): Subscription | undefined {
  if (current?.lease === undefined) return current;
  const wait = waitsSeconds[current.lease.failures];
  if (wait === undefined) return withdraw(current);
  const dueAt = later(now, Math.max(wait, Math.min(askedWaitSeconds, LONGEST_ASKED_WAIT_SECONDS)));
  return { ...current, lease: { ...current.lease, failures: current.lease.failures + 1, dueAt } };
}

/** A delivery is owed from `dueAt` on, and nothing is held against the callback. */
export function owe(current: Subscription | undefined, dueAt: Date): Subscription | undefined {
  if (current?.lease === undefined) return current;
  return { ...current, lease: { ...current.lease, dueAt } };
}

/** A verification could not be asked for reasons of our own: it waits, and nothing is held against the callback. */
export function postpone(current: Subscription | undefined, intent: Intent, dueAt: Date): Subscription | undefined {
  if (current?.intent?.token !== intent.token) return current;
  return { ...current, intent: { ...current.intent, dueAt } };
}

/**
 * A verification is held back because its host is left alone. It waits with nothing held against the callback, but not
 * for ever: what nobody confirms within an hour is dropped, so that it cannot pile up.
 */
export function holdBack(current: Subscription | undefined, intent: Intent, dueAt: Date): Subscription | undefined {
  if (dueAt > later(intent.askedAt, LONGEST_PENDING_SECONDS)) return reject(current, intent);
  return postpone(current, intent, dueAt);
}

/** The lease is withdrawn: the callback is gone (410), or has failed too often. An intent still waiting stays. */
export function withdraw(current: Subscription | undefined): Subscription | undefined {
  if (current === undefined) return undefined;
  const { lease: _lease, ...rest } = current;
  return remaining(rest);
}

/** What is left of a subscription at a moment: a lease that has ended is none. */
export function expire(current: Subscription, now: Date): Subscription | undefined {
  return current.lease !== undefined && current.lease.endsAt <= now ? withdraw(current) : remaining(current);
}

/** Without that intent; a later one stays. */
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
