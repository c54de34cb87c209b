/**
 * Deliveries of a shard: each is sent when its host has room, with the same bytes and media type as GET, and signed if
 * the subscriber gave a secret (WebSub §7). A success is recorded here only if the delivery was owed, and otherwise by
 * the progress of its fan-out.
 */
import { createHmac } from "node:crypto";
import type { Document } from "../../edition/document.ts";
import { topicLink } from "../../edition/topic.ts";
import { retryAfterSeconds } from "../../outbound/retry-after.ts";
import type { AddressGate } from "../../outbound/vetted-connection.ts";
import { readTag, versionKey } from "../../store/fan-out-rows.ts";
import type { Subscription } from "../../subscription.ts";
import { acknowledge, expire, fail, owe } from "../../subscription.ts";
import type { CallbackAnswer, CallbackRequest } from "../callback/callback.ts";
import type { Outcome, Ticket } from "../limits/host-limiter.ts";
import { trimBacklog } from "./backlog.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import type { FencedWrite } from "./fenced-write.ts";
import { subjectOf } from "./hub-event.ts";

/** A delivery that is waiting or in progress. */
export interface Delivery {
  readonly id: string;
  readonly origin: string;
  readonly ticket: Ticket;
  /** The stored subscription: a verification may renew or end it while the delivery waits. */
  current: Subscription | undefined;
  /** Whether it is owed, so that a success must be recorded. */
  owed: boolean;
  /** Whether the callback has answered. */
  answered: boolean;
  /** The tag of the document that is being sent; undefined while it waits. */
  tag: string | undefined;
  /** Whether it is settled: acknowledged, or recorded as owed or ended. Rejects with ClaimLost or on an abort. */
  readonly settled: Promise<boolean>;
}

export interface Deliveries {
  /** Delivers `document`, which is called when the delivery begins; undefined means not now. */
  deliver(subscription: Subscription, document: () => Document | undefined, owed: boolean): Delivery;
  /** Returns the waiting or current delivery to a subscription. */
  find(id: string): Delivery | undefined;
  /**
   * Returns the origins that delay owed deliveries; undefined if no more should be read now. When the backlog is full,
   * delayed ones are put off. @throws ClaimLost
   */
  trimBacklog(): Promise<string[] | undefined>;
  readonly size: number;
  /** Removes all deliveries that have not begun from the queue. */
  stop(): void;
}

/** Headers of every request of the hub. */
export function hubHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return { "User-Agent": `goodword (+${baseUrl})`, Accept: "*/*", "Accept-Encoding": "identity" };
}

/** How long a request that was not sent waits: after a local failure, or because its host or address is paused. */
export const LOCAL_FAILURE_WAIT_MS = 10_000;
export const PAUSED_WAIT_MS = 15_000;

/** Bytes of an answer's body that are read and ignored, so that the connection can be used again. */
const MAX_DRAINED_BYTES = 4096;
/** Waits are lengthened at random by up to this share, so that retries spread out. */
const MAX_JITTER = 0.2;

interface Attempt {
  readonly outcome: Outcome;
  readonly settled: boolean;
  /** Records the answer. The host need not wait for it. */
  readonly recording?: Promise<void>;
}

const NOT_SENT: Attempt = { outcome: undefined, settled: false };
const NOT_NOW: Attempt = { outcome: "busy", settled: false };
const SETTLED: Attempt = { outcome: undefined, settled: true };

interface DeliveriesOptions {
  /** Aborts what is in progress. */
  readonly signal: AbortSignal;
  /** Whether the claim on the shard is certain: if not, another process may be delivering. */
  readonly isHeld: () => boolean;
}

/** Opens the deliveries of a shard. */
export function openDeliveries(
  { send, limiter, settings, now, randomBytes, log, unrecorded }: DispatchContext,
  write: FencedWrite,
  { signal, isHeld }: DeliveriesOptions,
): Deliveries {
  const { baseUrl, retrySeconds, secrets } = settings;
  const underWay = new Map<string, Delivery>();

  function deliver(subscription: Subscription, document: () => Document | undefined, owed: boolean): Delivery {
    const { id, origin, site } = subscription;
    let result = NOT_SENT;
    const ticket = limiter.enter({
      ...{ id, origin, site },
      async run(gate) {
        result = await attempt(delivery, document(), gate);
        result.recording?.catch(() => {}); // thrown by end()
        return result.outcome;
      },
    });
    const state = { current: subscription, owed, answered: false, tag: undefined };
    const delivery: Delivery = { id, origin, ticket, ...state, settled: end() };
    underWay.set(id, delivery);
    return delivery;

    async function end(): Promise<boolean> {
      try {
        const ended = await ticket.end;
        if (typeof ended === "string") {
          await result.recording;
          return result.settled;
        }
        await write(id, (current) => owe(current, later(ended.pausedMs)));
        return true;
      } finally {
        underWay.delete(id);
      }
    }
  }

  /** Sends the document, and begins to record the answer if necessary. */
  async function attempt(delivery: Delivery, document: Document | undefined, gate: AddressGate): Promise<Attempt> {
    const { current, id } = delivery;
    if (current === undefined) return SETTLED;
    if (current.lease.endsAt <= now()) {
      await write(id, (newest) => newest && expire(newest, now()));
      return SETTLED;
    }
    if (document === undefined) return NOT_SENT;
    if (signal.aborted) return NOT_SENT;
    if (!isHeld() || unrecorded.isStalled()) return NOT_NOW;
    const secret = current.lease.secret && secrets.open(current.lease.secret, id);
    if (secret === undefined && current.lease.secret !== undefined) {
      return await recordLocalFailure(current, "A secret cannot be decrypted: was HUB_SECRET_KEY changed or lost?");
    }
    delivery.tag = document.tag;
    const answer = await send(requestOf(current, document, secret, gate));
    if (answer.kind === "busy") {
      delivery.tag = undefined;
      return { outcome: "busy", settled: false };
    }
    if (answer.kind === "paused") return await putOff(id, PAUSED_WAIT_MS);
    if (answer.kind === "local failure") {
      return signal.aborted ? await putOff(id, 0) : await recordLocalFailure(current, answer.reason);
    }
    delivery.answered = true;
    unrecorded.add(delivery);
    const reception = judgeDelivery(answer);
    const outcome = reception === "failed" ? "bad" : "good";
    if (reception === "acknowledged") log({ event: "delivered", ...subjectOf(current) });
    if (reception === "acknowledged" && !delivery.owed) return { outcome, settled: true }; // the fan-out records it
    const recording = record(delivery, current, { answer, reception, tag: document.tag });
    return { outcome, settled: true, recording: recording.finally(() => unrecorded.remove([delivery])) };
  }

  async function record(
    { id }: Delivery,
    current: Subscription,
    {
      answer,
      reception,
      tag,
    }: { readonly answer: CallbackAnswer; readonly reception: Reception; readonly tag: string },
  ): Promise<void> {
    if (reception === "acknowledged") await recordSuccess(id, current.topic, tag);
    else if (reception === "gone") await recordEnd(current);
    else await recordFailure(current, answer);
  }

  function requestOf(
    { callback, origin, topic }: Subscription,
    document: Document,
    secret: string | undefined,
    gate: AddressGate,
  ): CallbackRequest {
    const headers: Record<string, string> = {
      ...hubHeaders(baseUrl),
      "Content-Type": document.mediaType,
      Link: topicLink(baseUrl, topic),
    };
    if (secret !== undefined) headers["X-Hub-Signature"] = signature(secret, document.body);
    const target = callback.slice(origin.length);
    return { method: "POST", origin, target, headers, body: document.body, readBytes: MAX_DRAINED_BYTES, signal, gate };
  }

  async function recordLocalFailure(current: Subscription, reason: string): Promise<Attempt> {
    log({ event: "local failure", ...subjectOf(current), reason });
    return await putOff(current.id, LOCAL_FAILURE_WAIT_MS);
  }

  /** Records a delivery as owed without counting a failure. */
  async function putOff(id: string, waitMs: number): Promise<Attempt> {
    await write(id, (newest) => owe(newest, later(waitMs)));
    return SETTLED;
  }

  async function recordSuccess(id: string, topic: string, tag: string): Promise<void> {
    let newest: string | undefined;
    await write(
      id,
      (each) => acknowledge(each, newest, now()),
      async (transaction) => {
        const version = await readTag(transaction, topic);
        newest = version?.tag === tag ? versionKey(version) : undefined;
      },
    );
  }

  async function recordEnd(current: Subscription): Promise<void> {
    await write(current.id, () => undefined);
    log({ event: "subscription removed", ...subjectOf(current), cause: "gone", reason: "The callback is gone (410)" });
  }

  async function recordFailure(current: Subscription, answer: CallbackAnswer): Promise<void> {
    const random = (randomBytes(1)[0] ?? 0) / 255;
    const waitsSeconds = retrySeconds.map((seconds) => seconds * (1 + MAX_JITTER * random));
    const waiting = { now: now(), waitsSeconds, retryAfterSeconds: askedWaitSeconds(answer, now()) };
    const { before, after } = await write(current.id, (newest) => fail(newest, waiting));
    const subject = subjectOf(current);
    const result = answer.kind === "answered" ? { status: answer.status } : { reason: answer.reason };
    log({ event: "delivery failed", ...subject, ...result, failures: (before?.lease.failures ?? 0) + 1 });
    if (before === undefined || after !== undefined) return;
    log({ event: "subscription removed", ...subject, cause: "failures", reason: "Too many failures in a row" });
  }

  function later(waitMs: number): Date {
    return new Date(now().getTime() + waitMs);
  }

  return {
    deliver,
    find: (id) => underWay.get(id),
    async trimBacklog() {
      const owed = [...underWay.values()].filter((delivery) => delivery.owed);
      const delayed = await trimBacklog(owed, limiter, async ({ id, ticket }) => {
        limiter.leave(ticket);
        await putOff(id, PAUSED_WAIT_MS);
      });
      return delayed && [...new Set(delayed.map(({ origin }) => origin))];
    },
    get size() {
      return underWay.size;
    },
    stop() {
      for (const { ticket } of underWay.values()) limiter.leave(ticket);
    },
  };
}

/** Returns `sha256=` and the HMAC of the body in lower-case hexadecimal (WebSub §7.1). */
function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

type Reception = "acknowledged" | "failed" | "gone";

/**
 * Evaluates an answer: any 2xx acknowledges, regardless of its body; 410 ends the subscription; anything else is a
 * failure.
 */
function judgeDelivery(answer: CallbackAnswer): Reception {
  if (answer.kind !== "answered") return "failed";
  if (answer.status === 410) return "gone";
  return answer.status >= 200 && answer.status <= 299 ? "acknowledged" : "failed";
}

/** Returns the seconds that a 429 or 503 answer asks to wait; 0 if it asks for none. */
function askedWaitSeconds(answer: CallbackAnswer, now: Date): number {
  if (answer.kind !== "answered" || (answer.status !== 429 && answer.status !== 503)) return 0;
  return retryAfterSeconds(answer.retryAfter, now) ?? 0;
}
