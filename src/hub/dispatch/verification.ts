/**
 * Verifications of a shard: each intent is confirmed or refused by a GET with a challenge, which the callback must
 * return unchanged (WebSub §5.3).
 */
import type { AddressGate } from "../../outbound/vetted-connection.ts";
import { readTag } from "../../store/fan-out-rows.ts";
import { clientAtOrigin, readSubscription } from "../../store/subscription-rows.ts";
import type { Intent, Subscription } from "../../subscription.ts";
import { confirm, holdBack, leaveUnanswered, postpone, reject } from "../../subscription.ts";
import type { CallbackAnswer } from "../callback/callback.ts";
import { appendParameters } from "../callback/callback-url.ts";
import type { Outcome, Ticket } from "../limits/host-limiter.ts";
import { trimBacklog } from "./backlog.ts";
import { hubHeaders, LOCAL_FAILURE_WAIT_MS, PAUSED_WAIT_MS } from "./delivery.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import { ClaimLost, type FencedWrite } from "./fenced-write.ts";
import { subjectOf } from "./hub-event.ts";

export interface Verifications {
  /** Queues the intent of a subscription, unless it is queued already. */
  verify(subscription: Subscription): void;
  /**
   * Returns the clients at origins that delay verifications; undefined if no more should be read now. When the backlog
   * is full, delayed verifications are put off. @throws ClaimLost
   */
  trimBacklog(): Promise<string[] | undefined>;
  readonly size: number;
  /** Removes all verifications that have not begun from the queue. */
  stop(): void;
}

interface Verification {
  readonly id: string;
  readonly origin: string;
  readonly intent: Intent;
  readonly ticket: Ticket;
}

/** Random bytes of a challenge; base64url, so that it can be echoed safely anywhere. */
const CHALLENGE_BYTES = 32;

/** Opens the verifications of a shard. */
export function openVerifications(
  { send, limiter, settings, newest, now, randomBytes, log, store, wake }: DispatchContext,
  write: FencedWrite,
  signal: AbortSignal,
): Verifications {
  const { baseUrl, retrySeconds } = settings;
  const underWay = new Map<string, Verification>();

  function verify({ id, origin, site, intent }: Subscription): void {
    if (underWay.has(id) || intent === undefined) return;
    const ticket = limiter.enter({ id, origin, site, client: intent.client, run: (gate) => attempt(id, gate) });
    underWay.set(id, { id, origin, intent, ticket });
    ticket.end
      .then(async (end) => {
        if (typeof end === "object") await write(id, (current) => holdBack(current, intent, later(end.pausedMs)));
      })
      .finally(() => underWay.delete(id))
      .then(wake)
      .catch((error: unknown) => {
        if (!(error instanceof ClaimLost)) log({ event: "fault", error });
      });
  }

  /** Verifies the newest intent. One that was replaced while it waited is never verified. */
  async function attempt(id: string, gate: AddressGate): Promise<Outcome> {
    const subscription = await readSubscription(store, id);
    const intent = subscription?.intent;
    if (subscription === undefined || intent === undefined || signal.aborted) return undefined;
    const { callback, origin, topic } = subscription;
    const challenge = Buffer.from(randomBytes(CHALLENGE_BYTES)).toString("base64url");
    const target = appendParameters(callback.slice(origin.length), {
      "hub.mode": intent.mode,
      "hub.topic": baseUrl + topic,
      "hub.challenge": challenge,
      "hub.lease_seconds": String(intent.leaseSeconds),
    });
    const sentAt = now();
    const headers = hubHeaders(baseUrl);
    // One byte more than the challenge is enough to see that an answer differs.
    const answer = await send({
      method: "GET",
      origin,
      target,
      headers,
      readBytes: challenge.length + 1,
      signal,
      gate,
    });
    switch (answer.kind) {
      case "busy":
        return "busy";
      case "paused":
        await write(id, (current) => holdBack(current, intent, later(PAUSED_WAIT_MS)));
        return undefined;
      case "local failure":
        if (!signal.aborted) log({ event: "local failure", ...subjectOf(subscription), reason: answer.reason });
        await write(id, (current) => postpone(current, intent, later(signal.aborted ? 0 : LOCAL_FAILURE_WAIT_MS)));
        return undefined;
    }
    switch (judgeVerification(answer, challenge)) {
      case "confirmed":
        await recordConsent(subscription, intent, sentAt);
        return "good";
      case "refused":
        await write(id, (current) => reject(current, intent));
        log({ event: "verification refused", ...subjectOf(subscription), reason: explainRefusal(answer) });
        return "refused";
      case "unanswered":
        await recordSilence(subscription, intent, answer);
        return "bad";
    }
  }

  async function recordConsent(subscription: Subscription, intent: Intent, sentAt: Date): Promise<void> {
    const own = newest(subscription.topic)?.topicVersion;
    let newestTag: string | undefined;
    const { before, after } = await write(
      subscription.id,
      (current) => confirm(current, intent, { sentAt, now: now(), newestTag }),
      async (transaction) => {
        const stored = await readTag(transaction, subscription.topic);
        newestTag =
          own !== undefined && (stored === undefined || own.revision >= stored.revision) ? own.tag : stored?.tag;
      },
    );
    const subject = subjectOf(subscription);
    if (intent.mode === "unsubscribe") return log({ event: "subscription ended by the subscriber", ...subject });
    if (after === undefined) return;
    const event = before?.lease === undefined ? "subscription activated" : "subscription renewed";
    log({ event, ...subject, leaseSeconds: intent.leaseSeconds });
  }

  async function recordSilence(subscription: Subscription, intent: Intent, answer: CallbackAnswer): Promise<void> {
    const waiting = { now: now(), waitsSeconds: retrySeconds };
    const { after } = await write(subscription.id, (current) => leaveUnanswered(current, intent, waiting));
    const givenUp = after?.intent?.token !== intent.token;
    const reason = `${answer.kind === "answered" ? "The answer broke off" : answer.reason}${givenUp ? "; given up" : ""}`;
    log({ event: "verification unanswered", ...subjectOf(subscription), reason });
  }

  function later(waitMs: number): Date {
    return new Date(now().getTime() + waitMs);
  }

  return {
    verify,
    async trimBacklog() {
      const delayed = await trimBacklog([...underWay.values()], limiter, async ({ id, intent, ticket }) => {
        limiter.leave(ticket);
        await write(id, (current) => holdBack(current, intent, later(PAUSED_WAIT_MS)));
      });
      return delayed && [...new Set(delayed.map(({ origin, intent }) => clientAtOrigin({ ...intent, origin })))];
    },
    get size() {
      return underWay.size;
    },
    stop() {
      for (const { ticket } of underWay.values()) limiter.leave(ticket);
    },
  };
}

/** Evaluates an answer: 2xx with exactly the challenge confirms, every other answer refuses (interface §4). */
function judgeVerification(answer: CallbackAnswer, challenge: string): "confirmed" | "refused" | "unanswered" {
  if (answer.kind !== "answered") return "unanswered";
  if (answer.status < 200 || answer.status > 299) return "refused";
  if (Buffer.compare(answer.body, Buffer.from(challenge)) === 0 && answer.complete) return "confirmed";
  return answer.complete || answer.body.byteLength > challenge.length ? "refused" : "unanswered";
}

function explainRefusal(answer: CallbackAnswer): string {
  if (answer.kind !== "answered") return answer.reason;
  const isSuccess = answer.status >= 200 && answer.status <= 299;
  return isSuccess ? `Status ${answer.status}, but the body is not the challenge` : `Status ${answer.status}`;
}
