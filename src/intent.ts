/**
 * An intent: an accepted request to subscribe or unsubscribe that the callback has not confirmed yet. Each client has
 * intents of its own, so that no request replaces, postpones or ends another client's. The waits between attempts, and so
 * their number, are the setting HUB_RETRY_SECONDS (`app/config.ts`): `leaveUnanswered` ends after the last wait.
 */

/** A callback and a topic. */
export interface Pair {
  /** Hash of callback and topic. */
  readonly id: string;
  readonly shard: number;
  /** Path of the topic. */
  readonly topic: string;
  readonly callback: string;
  readonly origin: string;
  readonly site: string;
}

export interface Intent extends Pair {
  /** Hash of the network that sent the request: failures of its verification count against that client only. */
  readonly client: string;
  readonly mode: "subscribe" | "unsubscribe";
  /** Distinguishes this request from later ones of the same client for the same callback and topic. */
  readonly token: string;
  readonly secret: string | undefined;
  readonly leaseSeconds: number;
  /** Tag of the topic's document at the time of the request; empty when there was none. */
  readonly knownTag: string;
  /** Verification requests without an answer. */
  readonly attempts: number;
  readonly askedAt: Date;
  readonly dueAt: Date;
}

/** How long a verification may be postponed because its host gets no requests. */
const MAX_PENDING_SECONDS = 3600;

/** Identifies the requests of a client for a pair: a later one replaces an earlier one. */
export function intentKey({ id, client }: Pick<Intent, "id" | "client">): string {
  return `${id} ${client}`;
}

/** Records a verification without an answer: it is repeated after each of the waits, then given up. */
export function leaveUnanswered(
  intent: Intent,
  { now, waitsSeconds }: { readonly now: Date; readonly waitsSeconds: readonly number[] },
): Intent | undefined {
  const wait = waitsSeconds[intent.attempts];
  if (wait === undefined) return undefined;
  return { ...intent, attempts: intent.attempts + 1, dueAt: later(now, wait) };
}

/** Postpones a verification after a local failure, which does not count against the callback. */
export function postpone(intent: Intent, dueAt: Date): Intent {
  return { ...intent, dueAt };
}

/**
 * Postpones a verification because its host gets no requests at the moment. This does not count against the callback, but
 * after an hour without confirmation the request is dropped, so that requests cannot accumulate.
 */
export function holdBack(intent: Intent, dueAt: Date): Intent | undefined {
  return dueAt > later(intent.askedAt, MAX_PENDING_SECONDS) ? undefined : postpone(intent, dueAt);
}

/** A time some seconds after another. */
export function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}
