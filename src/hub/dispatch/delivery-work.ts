/** Delivering to the subscriptions of a shard: each sent to once its host has room, and only trouble is written down. */
import type { Document } from "../../edition/document.ts";
import { readTag } from "../../store/fan-out-rows.ts";
import type { Subscription } from "../../subscription.ts";
import { acknowledge, expire, fail, owe, withdraw } from "../../subscription.ts";
import type { CallbackAnswer } from "../callback/callback.ts";
import type { Ticket, Verdict } from "../limits/host-limiter.ts";
import { askedWaitSeconds, deliveryRequest, judgeDelivery } from "./delivery.ts";
import { type DispatchContext, subjectOf } from "./dispatch-context.ts";
import type { FencedWrite } from "./fenced-write.ts";
import { waitAfter } from "./retry-delay.ts";

/** A delivery in line or under way. */
export interface Delivery {
  readonly id: string;
  readonly ticket: Ticket;
  /** As the store has it now: a verification may renew or end it while the delivery stands in line. */
  current: Subscription | undefined;
  /** Whether the store has it down as owed, so that success has to be written too. */
  owed: boolean;
  /** Whether the newest state of the store needs nothing more of it: delivered, or its trouble written down. */
  readonly settled: Promise<boolean>;
}

export interface DeliveryWork {
  /** Puts a delivery in line. `document` is asked for when its turn comes; undefined then: not now. */
  deliver(subscription: Subscription, document: () => Document | undefined, owed: boolean): Delivery;
  /** The delivery to a subscription that is in line or under way. */
  find(id: string): Delivery | undefined;
  readonly size: number;
  stop(): void;
}

/** Waits get up to this much longer by chance, so that those who failed together do not return together. */
const SPREAD = 0.2;

/** Opens the delivering of a shard. `onReached` hears which owed subscription has acknowledged which tag. */
export function openDeliveryWork(
  parts: DispatchContext,
  write: FencedWrite,
  { signal, onReached }: { signal: AbortSignal; onReached: (subscription: Subscription, tag: string) => void },
): DeliveryWork {
  const { door, limiter, log, now, baseUrl, tally } = parts;
  const underWay = new Map<string, Delivery>();

  function deliver(subscription: Subscription, document: () => Document | undefined, owed: boolean): Delivery {
    const { id, origin } = subscription;
    let settled = false;
    const ticket = limiter.enter(origin, id, async () => {
      const verdict = await post(delivery, document);
      settled = verdict !== "not now";
      return verdict === "not now" || verdict === "nothing" ? undefined : verdict;
    });
    const end = async () => {
      try {
        if ((await ticket.end) !== "held") return settled;
        await write(id, (current) => owe(current, waitAfter("held", origin, parts)));
        return true;
      } finally {
        underWay.delete(id);
      }
    };
    const delivery: Delivery = { id, ticket, current: subscription, owed, settled: end() };
    underWay.set(id, delivery);
    return delivery;
  }

  /** Sends, and keeps the outcome where there is something to keep. */
  async function post(
    delivery: Delivery,
    choose: () => Document | undefined,
  ): Promise<Exclude<Verdict, undefined> | "nothing" | "not now"> {
    const { current, id } = delivery;
    if (current?.lease === undefined) return "nothing";
    if (current.lease.endsAt <= now()) {
      await write(id, (newest) => newest && expire(newest, now()));
      return "nothing";
    }
    const document = choose();
    if (document === undefined || signal.aborted) return "not now";
    const answer = await door.send(deliveryRequest(current, document, { baseUrl, signal }));
    if (answer.kind === "local failure" || answer.kind === "held") {
      if (answer.kind === "local failure") log({ event: "local failure", reason: answer.reason });
      const until = signal.aborted ? now() : waitAfter(answer.kind, current.origin, parts);
      await write(id, (newest) => owe(newest, until));
      return "nothing";
    }
    const reception = judgeDelivery(answer);
    if (answer.address !== undefined) parts.addressBreaker.note(answer.address, id, reception !== "failed");
    if (reception === "acknowledged") await keepAcknowledgement(delivery, current, document.tag);
    else if (reception === "gone") await keepDeparture(current);
    else await keepFailure(current, answer);
    return reception === "failed" ? "bad" : "good";
  }

  /** Success writes nothing, but for a subscription that was in trouble. */
  async function keepAcknowledgement(delivery: Delivery, current: Subscription, tag: string): Promise<void> {
    tally.delivered++;
    if (!delivery.owed) return;
    let newest = true;
    await write(
      delivery.id,
      (each) => acknowledge(each, newest, now()),
      async (transaction) => {
        newest = (await readTag(transaction, current.topic))?.tag === tag;
      },
    );
    if (newest) onReached(current, tag);
  }

  async function keepDeparture(current: Subscription): Promise<void> {
    await write(current.id, withdraw);
    tally.removed++;
    log({ event: "subscription removed", ...subjectOf(current), reason: "The callback is gone (410)" });
  }

  async function keepFailure(current: Subscription, answer: CallbackAnswer): Promise<void> {
    const chance = (parts.randomBytes(1)[0] ?? 0) / 255;
    const waitsSeconds = parts.retrySeconds.map((seconds) => seconds * (1 + SPREAD * chance));
    const waiting = { now: now(), waitsSeconds, askedWaitSeconds: askedWaitSeconds(answer) };
    const { before, after } = await write(current.id, (newest) => fail(newest, waiting));
    const subject = subjectOf(current);
    const what = answer.kind === "answered" ? { status: answer.status } : { reason: answer.reason };
    tally.failed++;
    log({ event: "delivery failed", ...subject, ...what, failures: (before?.lease?.failures ?? 0) + 1 });
    if (before?.lease === undefined || after?.lease !== undefined) return;
    tally.removed++;
    log({ event: "subscription removed", ...subject, reason: "Too many failures in a row" });
  }

  return {
    deliver,
    find: (id) => underWay.get(id),
    get size() {
      return underWay.size;
    },
    stop() {
      for (const { ticket } of underWay.values()) limiter.leave(ticket);
    },
  };
}
