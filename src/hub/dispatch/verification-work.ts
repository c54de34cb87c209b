/** Verifying the intents of a shard: each asked once its host has room, and what the callback says is kept. */
import { readTag } from "../../store/fan-out-rows.ts";
import { readSubscription } from "../../store/subscription-rows.ts";
import type { Intent, Subscription } from "../../subscription.ts";
import { confirm, holdBack, leaveUnanswered, postpone, reject } from "../../subscription.ts";
import type { CallbackAnswer } from "../callback/callback.ts";
import type { Ticket, Verdict } from "../limits/host-limiter.ts";
import { type DispatchContext, subjectOf } from "./dispatch-context.ts";
import { ClaimLost, type FencedWrite } from "./fenced-write.ts";
import { waitAfter } from "./retry-delay.ts";
import { CHALLENGE_BYTES, judgeVerification, verificationRequest } from "./verification.ts";

export interface VerificationWork {
  /** Takes up a subscription with an intent, unless that is under way. */
  take(subscription: Subscription): void;
  readonly size: number;
  /** Lets go of all that have not begun. */
  stop(): void;
}

/** Opens the verifying of a shard. */
export function openVerificationWork(
  parts: DispatchContext,
  write: FencedWrite,
  signal: AbortSignal,
): VerificationWork {
  const { consentBreaker, door, limiter, log, now, baseUrl, retrySeconds, store, tally } = parts;
  const underWay = new Map<string, Ticket>();

  function take({ id, origin, intent }: Subscription): void {
    if (underWay.has(id) || intent === undefined) return;
    const ticket = limiter.enter(origin, id, () => ask(id));
    underWay.set(id, ticket);
    ticket.end
      .then(async (end) => {
        if (end === "held") await write(id, (current) => holdBack(current, intent, waitAfter("held", origin, parts)));
      })
      .finally(() => underWay.delete(id))
      .then(parts.kick)
      .catch((error: unknown) => {
        if (!(error instanceof ClaimLost)) log({ event: "fault", error });
      });
  }

  /**
   * Asks the callback about the newest intent: one that was replaced while it stood in line is never asked about. What
   * comes to nothing holds up further verifications of its host, not its deliveries, for a stranger may have asked.
   */
  async function ask(id: string): Promise<Verdict> {
    const subscription = await readSubscription(store, id);
    const intent = subscription?.intent;
    if (subscription === undefined || intent === undefined || signal.aborted) return undefined;
    const { origin } = subscription;
    if (consentBreaker.heldForMs(origin) > 0) {
      const until = waitAfter("held", origin, { hostBreaker: consentBreaker, now });
      await write(id, (current) => holdBack(current, intent, until));
      return undefined;
    }
    const challenge = Buffer.from(parts.randomBytes(CHALLENGE_BYTES)).toString("base64url");
    const sentAt = now();
    const answer = await door.send(verificationRequest(subscription, intent, { baseUrl, challenge, signal }));
    if (answer.kind === "held") {
      await write(id, (current) => holdBack(current, intent, waitAfter("held", origin, parts)));
      return undefined;
    }
    if (answer.kind === "local failure") {
      log({ event: "local failure", reason: answer.reason });
      const until = signal.aborted ? now() : waitAfter("local failure", origin, parts);
      await write(id, (current) => postpone(current, intent, until));
      return undefined;
    }
    const finding = judgeVerification(answer, challenge);
    consentBreaker.note(origin, id, finding === "confirmed");
    if (answer.address !== undefined && finding !== "refused") {
      parts.addressBreaker.note(answer.address, id, finding === "confirmed");
    }
    if (finding === "confirmed") await keepConsent(subscription, intent, sentAt);
    else if (finding === "refused") await keepRefusal(subscription, intent, answer);
    else await keepSilence(subscription, intent, answer);
    return finding === "confirmed" ? "good" : undefined;
  }

  async function keepConsent(subscription: Subscription, intent: Intent, sentAt: Date): Promise<void> {
    const { id, topic } = subscription;
    const own = parts.newest(topic)?.topicVersion;
    let newestTag: string | undefined;
    const { before, after } = await write(
      id,
      (current) => confirm(current, intent, { sentAt, now: now(), newestTag }),
      async (transaction) => {
        const stored = await readTag(transaction, topic);
        newestTag =
          own !== undefined && (stored === undefined || own.revision >= stored.revision) ? own.tag : stored?.tag;
      },
    );
    const subject = subjectOf(subscription);
    if (intent.mode === "unsubscribe") return log({ event: "subscription ended by the subscriber", ...subject });
    if (after === undefined) return;
    tally.activated++;
    log({ event: before?.lease === undefined ? "subscription activated" : "subscription renewed", ...subject });
  }

  async function keepRefusal(subscription: Subscription, intent: Intent, answer: CallbackAnswer): Promise<void> {
    await write(subscription.id, (current) => reject(current, intent));
    log({ event: "verification refused", ...subjectOf(subscription), reason: refusal(answer) });
  }

  async function keepSilence(subscription: Subscription, intent: Intent, answer: CallbackAnswer): Promise<void> {
    const waiting = { now: now(), waitsSeconds: retrySeconds };
    const { after } = await write(subscription.id, (current) => leaveUnanswered(current, intent, waiting));
    const givenUp = after?.intent?.token !== intent.token;
    const reason = `${answer.kind === "answered" ? "The answer broke off" : answer.reason}${givenUp ? "; given up" : ""}`;
    log({ event: "verification unanswered", ...subjectOf(subscription), reason });
  }

  return {
    take,
    get size() {
      return underWay.size;
    },
    stop() {
      for (const ticket of underWay.values()) limiter.leave(ticket);
    },
  };
}

function refusal(answer: CallbackAnswer): string {
  if (answer.kind !== "answered") return answer.reason;
  const isSuccess = answer.status >= 200 && answer.status <= 299;
  return isSuccess ? `Status ${answer.status}, but the body is not the challenge` : `Status ${answer.status}`;
}
