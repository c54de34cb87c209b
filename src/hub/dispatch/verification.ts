/**
 * Verifications of a shard: each intent is confirmed or refused by a GET with a challenge, which the callback must
 * return unchanged (WebSub §5.3).
 */

import { holdBack, type Intent, intentKey, leaveUnanswered, postpone } from "../../intent.ts";
import type { AddressGate } from "../../outbound/vetted-connection.ts";
import { readTag } from "../../store/fan-out-rows.ts";
import { changeIntent, clientAtOrigin, readIntent, takeIntent } from "../../store/intent-rows.ts";
import { isSiteFull } from "../../store/subscription-rows.ts";
import { confirm } from "../../subscription.ts";
import type { CallbackAnswer } from "../callback/callback.ts";
import { appendParameters } from "../callback/callback-url.ts";
import type { Outcome, Ticket } from "../limits/host-limiter.ts";
import { trimBacklog } from "./backlog.ts";
import { hubHeaders, LOCAL_FAILURE_WAIT_MS, PAUSED_WAIT_MS } from "./delivery.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import { ClaimLost, type FencedWrite } from "./fenced-write.ts";
import { subjectOf } from "./hub-event.ts";

export interface Verifications {
  /** Queues an intent, unless one of the same client for the same pair is queued already. */
  verify(intent: Intent): void;
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
  const { baseUrl, retrySeconds, subscriptionsOfSite } = settings;
  const underWay = new Map<string, Verification>();

  /** Records what has become of an intent; undefined deletes it. No subscription changes. */
  async function record(from: Intent, to: Intent | undefined): Promise<void> {
    await write(
      from.id,
      (current) => current,
      (transaction) => changeIntent(transaction, from, to),
    );
  }

  function verify(intent: Intent): void {
    const key = intentKey(intent);
    if (underWay.has(key)) return;
    const { id, origin, site, client } = intent;
    const ticket = limiter.enter({ id, origin, site, client, run: (gate) => attempt(intent, gate) });
    underWay.set(key, { intent, ticket });
    ticket.end
      .then(async (end) => {
        if (typeof end === "object") await record(intent, holdBack(intent, later(end.pausedMs)));
      })
      .finally(() => underWay.delete(key))
      .then(wake)
      .catch((error: unknown) => {
        if (!(error instanceof ClaimLost)) log({ event: "fault", error });
      });
  }

  /** Verifies the client's newest intent. One that was replaced while it waited is never verified. */
  async function attempt(queued: Intent, gate: AddressGate): Promise<Outcome> {
    const intent = await readIntent(store, queued);
    if (intent === undefined || signal.aborted) return undefined;
    const { callback, origin, topic } = intent;
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
        await record(intent, holdBack(intent, later(PAUSED_WAIT_MS)));
        return undefined;
      case "local failure":
        if (!signal.aborted) log({ event: "local failure", ...subjectOf(intent), reason: answer.reason });
        await record(intent, postpone(intent, later(signal.aborted ? 0 : LOCAL_FAILURE_WAIT_MS)));
        return undefined;
    }
    switch (judgeVerification(answer, challenge)) {
      case "confirmed":
        await recordConsent(intent, sentAt);
        return "good";
      case "refused":
        await record(intent, undefined);
        log({ event: "verification refused", ...subjectOf(intent), reason: explainRefusal(answer) });
        return "refused";
      case "unanswered":
        await recordSilence(intent, answer);
        return "bad";
    }
  }

  async function recordConsent(intent: Intent, sentAt: Date): Promise<void> {
    const own = newest(intent.topic)?.topicVersion;
    let newestTag: string | undefined;
    let counts = false;
    let isFull = false;
    const { before, after } = await write(
      intent.id,
      (current) => {
        if (!counts || (isFull && current === undefined)) return current;
        return confirm(current, intent, { sentAt, now: now(), newestTag });
      },
      async (transaction) => {
        counts = await takeIntent(transaction, intent);
        isFull = await isSiteFull(transaction, intent.site, subscriptionsOfSite);
        const stored = await readTag(transaction, intent.topic);
        newestTag =
          own !== undefined && (stored === undefined || own.revision >= stored.revision) ? own.tag : stored?.tag;
      },
    );
    if (!counts) return;
    const subject = subjectOf(intent);
    if (intent.mode === "unsubscribe") return log({ event: "subscription ended by the subscriber", ...subject });
    if (after === undefined) {
      const reason = `There are ${subscriptionsOfSite} subscriptions of this host already`;
      return log({ event: "verification refused", ...subject, reason });
    }
    const event = before === undefined ? "subscription activated" : "subscription renewed";
    log({ event, ...subject, leaseSeconds: intent.leaseSeconds });
  }

  async function recordSilence(intent: Intent, answer: CallbackAnswer): Promise<void> {
    const next = leaveUnanswered(intent, { now: now(), waitsSeconds: retrySeconds });
    await record(intent, next);
    const end = next === undefined ? "; given up" : "";
    const reason = `${answer.kind === "answered" ? "The answer broke off" : answer.reason}${end}`;
    log({ event: "verification unanswered", ...subjectOf(intent), reason });
  }

  function later(waitMs: number): Date {
    return new Date(now().getTime() + waitMs);
  }

  return {
    verify,
    async trimBacklog() {
      const delayed = await trimBacklog([...underWay.values()], limiter, async ({ intent, ticket }) => {
        limiter.leave(ticket);
        await record(intent, holdBack(intent, later(PAUSED_WAIT_MS)));
      });
      return delayed && [...new Set(delayed.map(({ intent }) => clientAtOrigin(intent)))];
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
