/**
 * Delivers a topic's document to its subscribers in one shard. Subscribers are read in the order of their ids, some
 * hundreds ahead of the deliveries, and further ahead while hosts delay deliveries, so that no delivery waits for the
 * host of another. Progress is recorded twice a second; after a kill only later deliveries are repeated.
 */
import type { Document } from "../../edition/document.ts";
import { type FanOut, readUnfinished } from "../../store/fan-out-rows.ts";
import { readListed, readNext } from "../../store/subscription-rows.ts";
import type { Subscription } from "../../subscription.ts";
import { owe } from "../../subscription.ts";
import { isDelayed, MAX_QUEUED, MAX_ROWS } from "./backlog.ts";
import type { Deliveries, Delivery } from "./delivery.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import type { FencedWrites } from "./fenced-write.ts";

export interface FanOutRun {
  readonly fanOut: FanOut;
  /** Reads more subscribers if there is room. Must be called periodically. */
  refill(): void;
  /** Records the deliveries since the last call. */
  saveProgress(): Promise<void>;
  /** Starts no more deliveries of this document, because a newer one replaces it. */
  supersede(): void;
  /** Reads no more subscribers. */
  stop(): void;
  /** Whether it failed and must be reopened from the recorded progress. */
  hasFailed(): boolean;
  /** Whether nothing is in progress. */
  isIdle(): boolean;
}

/** The shard's side of a run. */
export interface FanOutShard {
  readonly writes: FencedWrites;
  readonly deliveries: Deliveries;
  /** Whether a subscription has acknowledged this document as an owed delivery since the fan-out started. */
  readonly isAcknowledged: (id: string) => boolean;
  readonly onFault: (error: unknown) => void;
}

/** More subscribers are read when fewer open deliveries than this are not delayed by their own host. */
const REFILL_BELOW = MAX_ROWS / 2;

/** Opens a run that starts or continues at the progress of `fanOut`. */
export function openFanOutRun(
  fanOut: FanOut,
  document: Document,
  { limiter, now, recordSoon, store, wake }: Pick<DispatchContext, "limiter" | "now" | "recordSoon" | "store" | "wake">,
  { deliveries, isAcknowledged, onFault, writes }: FanOutShard,
): FanOutRun {
  const { topic, shard } = fanOut;
  /** Subscriptions up to the cursor that are not settled yet; undefined while the delivery is not one of this run's. */
  const open = new Map<string, Delivery | undefined>();
  let cursor = fanOut.cursor;
  let atEnd = false;
  let isResumed = fanOut.cursor === "";
  let recorded = fanOut;
  let changed = false;
  let reading = false;
  let saving: Promise<void> | undefined;
  let pending = 0;
  let superseded = false;
  let stopped = false;
  let failed = false;

  function refill(): void {
    if (reading || atEnd || stopped || superseded || failed || countUndelayed() >= REFILL_BELOW) return;
    if (open.size >= MAX_QUEUED) postponeDelayed();
    else void readPage();
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

  async function readPage(): Promise<void> {
    reading = true;
    try {
      const query = { topic, shard, now: now() };
      if (!isResumed) {
        const listed = await readListed(store, query, await readUnfinished(store, fanOut));
        isResumed = true;
        for (const subscription of listed) deliverTo(subscription);
      }
      const page = await readNext(store, { ...query, after: cursor }, MAX_ROWS);
      cursor = page.at(-1)?.id ?? cursor;
      atEnd = page.length < MAX_ROWS;
      changed = true;
      for (const subscription of page) deliverTo(subscription);
    } catch (error) {
      fault(error);
    }
    reading = false;
    if (isComplete()) recordSoon();
    else refill();
  }

  function deliverTo(subscription: Subscription): void {
    const { id } = subscription;
    if (isAcknowledged(id)) return;
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
  function follow({ id, settled }: Delivery, onUnsettled: () => void): void {
    pending++;
    settled.then((isSettled) => (isSettled ? close(id) : onUnsettled()), fault).finally(() => pending--);
  }

  /** Records a delivery as owed. It continues, but the fan-out need not wait for it. */
  function postpone(delivery: Delivery): void {
    delivery.owed = true;
    limiter.leave(delivery.ticket);
    writeAsOwed(delivery.id);
  }

  function writeAsOwed(id: string): void {
    open.set(id, undefined);
    pending++;
    writes
      .change(id, (current) => owe(current, now()))
      .then(() => close(id), fault)
      .finally(() => pending--);
  }

  function close(id: string): void {
    if (!open.delete(id)) return;
    changed = true;
    if (isComplete()) recordSoon();
    else if (open.size < REFILL_BELOW) refill();
  }

  function isComplete(): boolean {
    return atEnd && open.size === 0 && !failed;
  }

  async function saveProgress(): Promise<void> {
    if (saving !== undefined || !changed || superseded || failed) return await saving;
    changed = false;
    const recording = record();
    saving = recording.then(() => {});
    const isRecorded = await recording;
    saving = undefined;
    if (isRecorded && isComplete() && changed) await saveProgress();
  }

  /** Returns whether the progress was recorded; if not, the next call tries again. */
  async function record(): Promise<boolean> {
    const progress = { cursor, unfinished: [...open.keys()], finished: isComplete() };
    try {
      await writes.advance(recorded, progress);
      recorded = { ...recorded, cursor: progress.cursor, finished: progress.finished };
      return true;
    } catch (error) {
      changed = true;
      onFault(error);
      return false;
    }
  }

  function fault(error: unknown): void {
    failed = true;
    onFault(error);
    wake();
  }

  refill();
  return {
    fanOut,
    refill,
    saveProgress,
    supersede() {
      superseded = true;
      for (const delivery of open.values()) {
        if (delivery?.ticket.begunAt !== undefined) postpone(delivery);
        else if (delivery !== undefined) limiter.leave(delivery.ticket);
      }
    },
    stop() {
      stopped = true;
    },
    hasFailed: () => failed,
    isIdle() {
      if (reading || saving !== undefined || pending > 0) return false;
      return stopped || superseded || failed || (isComplete() && !changed);
    },
  };
}
