/**
 * One stretch of a fan-out: a few hundred subscriptions in the order of their ids, delivered to side by side. Whoever
 * holds it up is set aside, which means written down as owed, so that the others are not kept waiting.
 */
import type { Document } from "../../edition/document.ts";
import { advanceFanOut, type FanOut } from "../../store/fan-out-rows.ts";
import { type Claim, proveClaim } from "../../store/shard-claim-rows.ts";
import { readNext } from "../../store/subscription-rows.ts";
import type { Subscription } from "../../subscription.ts";
import { owe } from "../../subscription.ts";
import type { Delivery, DeliveryWork } from "./delivery-work.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import type { FencedWrite } from "./fenced-write.ts";

export interface FanOutBatch {
  /** The fan-out as it stood at the beginning of the stretch. */
  readonly from: FanOut;
  /** The fan-out as it stands at its end; undefined until that is known. */
  readonly to: FanOut | undefined;
  /** Resolves when the fan-out has been moved on past the chunk, or has set out anew. */
  readonly end: Promise<void>;
  /** Whether it waits for none but hosts that do not answer at once. */
  isHeldUp(): boolean;
  /** Sets aside who holds it up for long; ends it when the fan-out is not the same any more. To be called now and then. */
  review(fanOut: FanOut | undefined): void;
  /** Sets aside everybody whose delivery has not begun. */
  stop(): void;
}

export interface FanOutBatchContext extends Pick<DispatchContext, "store" | "groupCommit" | "limiter" | "now"> {
  readonly claim: Claim;
  readonly write: FencedWrite;
  readonly deliveries: DeliveryWork;
  /** Whether a subscription was reached by other ways since the fan-out set out. */
  readonly isReached: (id: string) => boolean;
  /** The end of the stretch before: the fan-out moves on in order. */
  readonly previous: Promise<void> | undefined;
}

/** Subscriptions in a chunk: what is sent twice, at most, when a process is killed. */
const BATCH_LENGTH = 500;
/** From then on a host is holding the chunk up. */
const HELD_UP_MS = 100;
/** A host may keep the chunk from ending for this long. */
const PATIENCE_MS = 2000;

/** Opens the chunk that begins where `from` stands, with the document of the fan-out. */
export function openFanOutBatch(from: FanOut, document: Document, parts: FanOutBatchContext): FanOutBatch {
  const { claim, deliveries, limiter, now, previous, store, write, groupCommit } = parts;
  const { topic, shard, cursor } = from;
  /** Deliveries that the chunk waits for, each with what ends the waiting. */
  const pending = new Map<Delivery, () => void>();
  const asides: Promise<unknown>[] = [];
  let to: FanOut | undefined;
  let superseded = false;
  let stopped = false;

  async function run(): Promise<void> {
    const next = await readNext(store, { topic, shard, after: cursor, now: now() }, BATCH_LENGTH);
    const reached = { ...from, cursor: next.at(-1)?.id ?? cursor, finished: next.length < BATCH_LENGTH };
    to = reached;
    const wanting = next.filter(({ id }) => !parts.isReached(id));
    await Promise.all(wanting.map(deliver));
    await Promise.all(asides);
    await previous;
    if (superseded) return;
    await groupCommit(async (transaction) => {
      if (await proveClaim(transaction, claim)) await advanceFanOut(transaction, from, reached);
    });
  }

  /** Resolves when the subscription has been delivered to, or is written down as owed. */
  function deliver(subscription: Subscription): Promise<void> {
    // A delivery still under way is of what was newest before: only when it has ended may a newer one follow.
    if (stopped || deliveries.find(subscription.id) !== undefined) return setDown(subscription.id);
    const delivery = deliveries.deliver(subscription, () => (superseded ? undefined : document), false);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    pending.set(delivery, resolve);
    delivery.settled.then((settled) => {
      pending.delete(delivery);
      resolve(settled || delivery.owed || superseded ? undefined : setDown(subscription.id));
    }, reject);
    return promise;
  }

  async function setDown(id: string): Promise<void> {
    await write(id, (current) => owe(current, now()));
  }

  function setAside(delivery: Delivery): void {
    delivery.owed = true;
    limiter.leave(delivery.ticket);
    const written = setDown(delivery.id);
    written.catch(() => {});
    asides.push(written);
    pending.get(delivery)?.();
    pending.delete(delivery);
  }

  return {
    from,
    get to() {
      return to;
    },
    end: run(),
    isHeldUp: () => to !== undefined && pending.keys().every(({ ticket }) => limiter.delayMs(ticket) >= HELD_UP_MS),
    review(present) {
      superseded ||= present === undefined || present.tag !== from.tag || present.revision !== from.revision;
      for (const delivery of pending.keys()) {
        if (superseded && delivery.ticket.begunAt === undefined) limiter.leave(delivery.ticket);
        else if (superseded || limiter.delayMs(delivery.ticket) >= PATIENCE_MS) setAside(delivery);
      }
    },
    stop() {
      stopped = true;
      for (const delivery of pending.keys()) if (delivery.ticket.begunAt === undefined) setAside(delivery);
    },
  };
}
