/**
 * The dispatcher: a loop that starts the fan-out of every topic whose document is new, claims the shards in which
 * something is due, and works on them. It runs when woken and twice a second, and no fault ends it.
 */
import { shardsWithWork } from "../../store/due-work-rows.ts";
import { type FanOut, readFanOuts, SHARDS } from "../../store/fan-out-rows.ts";
import { changeSubscription, countWaiting, readEnded, type Waiting } from "../../store/subscription-rows.ts";
import { expire } from "../../subscription.ts";
import { openClaimedShards } from "./claimed-shards.ts";
import type { DispatcherContext } from "./dispatch-context.ts";
import { type CurrentFanOuts, makeFanOutStart } from "./fan-out-start.ts";
import { type HubEvent, subjectOf } from "./hub-event.ts";
import { openProgressRecording } from "./progress-recording.ts";
import type { ShardFanOuts } from "./shard-work.ts";

export interface Dispatcher {
  start(): void;
  /** Has the loop look for work soon, after `afterMs` at the earliest. */
  wake(afterMs?: number): void;
  secondsSinceTurn(): number;
  /** Returns the number of waiting verifications and deliveries, as last counted. */
  waiting(): Waiting;
  /** Starts nothing more, finishes current work or aborts it after the deadline, and releases all claims. */
  close(deadlineMs: number): Promise<void>;
}

/** Time between two turns of the loop: usually, while a fan-out waits for its interval, and at least. */
const IDLE_MS = 500;
const WAITING_MS = 100;
const MIN_PAUSE_MS = 20;
/** Maximum time between two turns after faults. */
const MAX_PAUSE_MS = 10_000;
/** How often fan-outs that wait for slow hosts continue, and how often the dispatcher sees what must be recorded. */
const REFILL_INTERVAL_MS = 100;
/** How long aborting may take, because outcomes are still recorded. */
const MAX_ABORT_MS = 2000;
const COUNT_INTERVAL_MS = 5000;
const SWEEP_INTERVAL_MS = 30_000;
const MAX_SWEPT_ROWS = 500;

/** Deliveries of a topic's fan-out in this process. */
interface Count {
  readonly tag: string;
  readonly startedAt: number;
  delivered: number;
  failed: number;
}

/** Opens a dispatcher; nothing happens before `start`. */
export function openDispatcher(context: DispatcherContext): Dispatcher {
  const { claims, clock, limiter, intervalMs, now, store, groupCommit } = context;
  const counts = new Map<string, Count>();
  const startFanOuts = makeFanOutStart(context);
  const claimed = openClaimedShards({ ...context, log, wake: () => wake(), record: (when) => progress.request(when) });
  const progress = openProgressRecording({ ...context, log }, claimed.works);
  let turnedAt = clock();
  let sweptAt = clock();
  let countedAt = -COUNT_INTERVAL_MS;
  let waiting: Waiting = { pending: 0, owed: 0 };
  let faults = 0;
  let woken = false;
  let turning = false;
  let started = false;
  let closing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let refilling: NodeJS.Timeout | undefined;
  let turnEnd: Promise<void> = Promise.resolve();
  claims.onResumed(() => wake());

  function log(event: HubEvent): void {
    const count = event.topic === undefined ? undefined : counts.get(event.topic);
    if (count !== undefined && event.event === "delivered") count.delivered++;
    if (count !== undefined && event.event === "delivery failed") count.failed++;
    context.log(event);
  }

  function wake(afterMs = 0): void {
    if (!turning && !woken && faults === 0) schedule(Math.max(afterMs, MIN_PAUSE_MS - (clock() - turnedAt)));
    woken = true;
  }

  function schedule(waitMs: number): void {
    if (closing || !started) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      turnEnd = runTurn();
    }, waitMs);
  }

  async function runTurn(): Promise<void> {
    turning = true;
    woken = false;
    let waitMs = IDLE_MS;
    try {
      waitMs = await turn();
      faults = 0;
      turnedAt = clock();
    } catch (error) {
      faults++;
      log({ event: "fault", error });
      waitMs = Math.min(IDLE_MS * 2 ** Math.min(faults, 10), MAX_PAUSE_MS);
    }
    turning = false;
    schedule(woken && faults === 0 ? MIN_PAUSE_MS : waitMs);
  }

  /** Looks for work once. Returns the milliseconds until the next time. */
  async function turn(): Promise<number> {
    let current = await startFanOuts();
    const { documents } = current;
    const tags = [...documents.values()].map(({ tag }) => tag);
    const due = await shardsWithWork(store, { now: now(), topics: [...documents.keys()], tags });
    // The former owner of a shard may have recorded progress since the fan-outs were read.
    if (!closing && (await claimed.claim(due.map(({ shard }) => shard))))
      current = { ...current, fanOuts: await readFanOuts(store) };
    countFanOuts(current.fanOuts);
    for (const work of claimed.works()) work.update(shardFanOutsOf(work.claim.id, current));
    for (const each of due) await claimed.work(each.shard)?.turn(shardFanOutsOf(each.shard, current), each);
    await claimed.releaseIdle();
    await maintain();
    return current.waiting ? Math.min(intervalMs, WAITING_MS) : IDLE_MS;
  }

  /** Starts counting when a fan-out starts, and logs the counts when it finishes. */
  function countFanOuts(fanOuts: readonly FanOut[]): void {
    for (const [topic, shards] of Map.groupBy(fanOuts, (fanOut) => fanOut.topic)) {
      const [{ tag } = { tag: "" }] = shards;
      const isFinished = shards.length === SHARDS && shards.every(({ finished }) => finished);
      const count = counts.get(topic);
      if (count !== undefined && (isFinished || count.tag !== tag)) {
        counts.delete(topic);
        const seconds = Math.round(clock() - count.startedAt) / 1000;
        const { delivered, failed } = count;
        if (delivered + failed > 0) {
          const reason = count.tag === tag ? {} : { reason: "Newer content replaced it" };
          context.log({ event: "fan-out finished", topic, delivered, failed, seconds, ...reason });
        }
      }
      if (!isFinished && !counts.has(topic)) counts.set(topic, { tag, startedAt: clock(), delivered: 0, failed: 0 });
    }
  }

  /** Periodic tasks that need not run in every turn. */
  async function maintain(): Promise<void> {
    if (clock() - countedAt > COUNT_INTERVAL_MS) {
      waiting = await countWaiting(store);
      countedAt = clock();
    }
    if (clock() - sweptAt > SWEEP_INTERVAL_MS) await sweep();
  }

  /** Removes subscriptions whose lease has ended. Every process does so, with the same result. */
  async function sweep(): Promise<void> {
    for (;;) {
      const ended = await readEnded(store, now(), MAX_SWEPT_ROWS);
      if (ended.length === 0) break;
      await groupCommit(async (transaction) => {
        for (const { id } of ended)
          await changeSubscription(transaction, id, (current) => current && expire(current, now()));
      });
      for (const subscription of ended) log({ event: "lease ended", ...subjectOf(subscription) });
    }
    sweptAt = clock();
  }

  /** Continues fan-outs and records their progress, whatever the store does meanwhile. */
  function refillSoon(): void {
    if (closed) return;
    refilling = setTimeout(() => {
      limiter.tick();
      for (const work of claimed.works()) work.refill();
      progress.tick();
      refillSoon();
    }, REFILL_INTERVAL_MS);
  }

  return {
    start() {
      started = true;
      schedule(0);
      refillSoon();
    },
    wake,
    secondsSinceTurn: () => (clock() - turnedAt) / 1000,
    waiting: () => waiting,
    async close(deadlineMs) {
      closing = true;
      clearTimeout(timer);
      await turnEnd;
      const works = claimed.works();
      for (const work of works) work.stop();
      const endsAt = clock() + deadlineMs;
      while (works.some((work) => !work.isIdle())) {
        if (clock() >= endsAt) for (const work of works) work.abort();
        if (clock() >= endsAt + MAX_ABORT_MS) break;
        await pause(MIN_PAUSE_MS);
      }
      closed = true;
      clearTimeout(refilling);
      await progress.flush();
      await claimed.releaseAll().catch((error: unknown) => log({ event: "fault", error })); // they end by themselves
    },
  };
}

function shardFanOutsOf(shard: number, { fanOuts, documents }: CurrentFanOuts): ShardFanOuts {
  const here = fanOuts.filter((fanOut) => fanOut.shard === shard);
  return { fanOuts: new Map(here.map((fanOut) => [fanOut.topic, fanOut])), documents };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
