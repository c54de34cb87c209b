/**
 * Delivers a topic's document to its subscribers in one shard. Subscribers are read in the order of their ids, some
 * hundreds ahead of the deliveries, and further ahead while hosts delay deliveries, so that no delivery waits for the
 * host of another. After a kill, the run is continued from the recorded progress (progress-recording.ts).
 */
import type { Document } from "../../edition/document.ts";
import { type FanOut, readUnfinished, versionKey } from "../../store/fan-out-rows.ts";
import { readListed, readNext } from "../../store/subscription-rows.ts";
import type { Subscription } from "../../subscription.ts";
import { owe } from "../../subscription.ts";
import { isDelayed, MAX_QUEUED, MAX_ROWS } from "./backlog.ts";
import type { Deliveries, Delivery } from "./delivery.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import type { FencedWrite } from "./fenced-write.ts";
import type { FreshReads } from "./fresh-read.ts";
import type { ProgressStep } from "./progress-recording.ts";

export interface FanOutRun {
  readonly fanOut: FanOut;
  /** Reads more subscribers if there is room. Must be called periodically. */
  refill(): void;
  /** Returns the progress since the last call, to be recorded; undefined without any. */
  takeProgress(): ProgressStep | undefined;
  /** Starts no more deliveries of this document, because a newer one replaces it. */
  supersede(): void;
  /** Reads no more subscribers. */
  stop(): void;
  /** Forgets which of its deliveries are unrecorded: another process continues them. */
  abandon(): void;
  /** Whether nothing is in progress. */
  isIdle(): boolean;
}

/** The shard's side of a run. */
export interface FanOutShard {
  readonly write: FencedWrite;
  readonly reads: FreshReads;
  readonly deliveries: Deliveries;
  readonly onFault: (error: unknown) => void;
}

type RunContext = Pick<DispatchContext, "clock" | "limiter" | "now" | "record" | "store" | "unrecorded">;

/** More subscribers are read when fewer open deliveries than this are not delayed by their own host. */
const REFILL_BELOW = MAX_ROWS / 2;
/** How long after a fault subscribers are read again. */
const RETRY_MS = 1000;

/** Opens a run that starts or continues at the progress of `fanOut`. */
export function openFanOutRun(
  fanOut: FanOut,
  document: Document,
  { clock, limiter, now, record, store, unrecorded }: RunContext,
  { deliveries, onFault, reads, write }: FanOutShard,
): FanOutRun {
  const { topic, shard } = fanOut;
  /** Subscriptions up to the cursor that are not settled yet; undefined while the delivery is not one of this run's. */
  const open = new Map<string, Delivery | undefined>();
  /** Deliveries that were closed since progress was last taken. */
  let closed: Delivery[] = [];
  /** Id of the last subscription that was read, and of the last one, in their order, that was closed. */
  let cursor = fanOut.cursor;
  let reached = fanOut.cursor;
  let atEnd = false;
  let isResumed = fanOut.cursor === "";
  let recorded = fanOut;
  let changed = false;
  let reading = false;
  let recording = false;
  let pending = 0;
  let superseded = false;
  let stopped = false;
  let abandoned = false;
  let readsAfter = Number.NEGATIVE_INFINITY;

  function refill(): void {
    if (reading || atEnd || stopped || superseded || clock() < readsAfter || countUndelayed() >= REFILL_BELOW) return;
    if (open.size >= MAX_QUEUED) postponeDelayed();
    else void readMore();
  }

  /** Counts the open deliveries that are not delayed by their own host; exact only near the limit. */
  function countUndelayed(): number {
    if (open.size < REFILL_BELOW) return open.size;
    let count = 0;
    for (const delivery of open.values()) if (delivery !== undefined && !isDelayed(delivery, limiter)) count++;
    return count;
  }

  /** Records the deliveries that their hosts delay as owed. */
  function postponeDelayed(): void {
    for (const delivery of open.values())
      if (delivery !== undefined && isDelayed(delivery, limiter)) postpone(delivery);
  }

  async function readMore(): Promise<void> {
    reading = true;
    try {
      const query = { topic, shard, version: versionKey(fanOut), now: now() };
      const readAgain = (ids: readonly string[]) => readListed(store, query, ids);
      if (!isResumed) {
        const ids = await readUnfinished(store, fanOut);
        const listed = await reads.read(() => readListed(store, query, ids), readAgain);
        isResumed = true;
        for (const subscription of listed) deliverTo(subscription);
      }
      let page: Subscription[] = [];
      const readPage = async () => {
        page = await readNext(store, { ...query, after: cursor }, MAX_ROWS);
        return page;
      };
      const subscribers = await reads.read(readPage, readAgain);
      cursor = page.at(-1)?.id ?? cursor;
      atEnd = page.length < MAX_ROWS;
      for (const subscription of subscribers) deliverTo(subscription);
    } catch (error) {
      readsAfter = clock() + RETRY_MS;
      onFault(error);
    }
    reading = false;
    if (isComplete()) finish();
    else refill();
  }

  function deliverTo(subscription: Subscription): void {
    const { id } = subscription;
    if (stopped || superseded) {
      open.set(id, undefined);
      return;
    }
    const current = deliveries.find(id);
    if (current?.tag === document.tag) {
      open.set(id, undefined);
      follow(current, () => writeAsOwed(id));
      return;
    }
    // A delivery of an older document is in progress: this one may follow only when that has ended.
    if (current !== undefined) {
      writeAsOwed(id);
      return;
    }
    const delivery = deliveries.deliver(subscription, () => (superseded ? undefined : document), false);
    open.set(id, delivery);
    follow(delivery, () => {});
  }

  /** Waits for the end of a delivery of this document. */
  function follow(delivery: Delivery, onUnsettled: () => void): void {
    pending++;
    delivery.settled
      .then((isSettled) => (isSettled ? close(delivery.id, delivery) : onUnsettled()), onFault)
      .finally(() => pending--);
  }

  /** Records a delivery as owed. It continues, but the fan-out need not wait for it. */
  function postpone(delivery: Delivery): void {
    if (delivery.answered) return;
    delivery.owed = true;
    limiter.leave(delivery.ticket);
    writeAsOwed(delivery.id);
  }

  function writeAsOwed(id: string): void {
    open.set(id, undefined);
    pending++;
    write(id, (current) => owe(current, now()))
      .then(() => close(id), onFault)
      .finally(() => pending--);
  }

  function close(id: string, delivery?: Delivery): void {
    if (delivery !== undefined && (superseded || abandoned)) unrecorded.remove([delivery]);
    else if (delivery !== undefined) closed.push(delivery);
    if (!open.delete(id)) return;
    changed = true;
    if (id > reached) reached = id;
    if (isComplete()) finish();
    else if (open.size < REFILL_BELOW) refill();
    if (unrecorded.isMany()) record("now");
  }

  function isComplete(): boolean {
    return atEnd && open.size === 0;
  }

  function finish(): void {
    changed = true;
    record("soon");
  }

  function forget(): void {
    unrecorded.remove(closed);
    closed = [];
  }

  function takeProgress(): ProgressStep | undefined {
    if (recording || !changed || superseded) return undefined;
    recording = true;
    changed = false;
    const from = recorded;
    const covered = closed;
    closed = [];
    const to = isComplete()
      ? { cursor, unfinished: [], finished: true }
      : { cursor: reached, unfinished: [...open.keys()].filter((id) => id <= reached), finished: false };
    return {
      ...{ from, to },
      end(isRecorded) {
        recording = false;
        if (isRecorded) {
          recorded = { ...recorded, cursor: to.cursor, finished: to.finished };
          unrecorded.remove(covered);
        } else {
          changed = true;
          closed = [...covered, ...closed];
          if (superseded || abandoned) forget();
        }
      },
    };
  }

  refill();
  return {
    fanOut,
    refill,
    takeProgress,
    supersede() {
      superseded = true;
      forget();
      for (const delivery of open.values()) {
        if (delivery?.ticket.begunAt !== undefined) postpone(delivery);
        else if (delivery !== undefined) limiter.leave(delivery.ticket);
      }
    },
    stop() {
      stopped = true;
    },
    abandon() {
      abandoned = true;
      forget();
    },
    isIdle() {
      if (reading || recording || pending > 0) return false;
      return stopped || superseded || (isComplete() && !changed);
    },
  };
}
