/**
 * The dispatcher: a loop that asks of every topic whether it has set out with its newest document, claims shards in
 * which something is due, and has them worked on. It goes round when kicked and twice a second, and no fault ends it.
 */
import { readFanOuts } from "../../store/fan-out-rows.ts";
import { shardsWithWork } from "../../store/shard-claim-rows.ts";
import { changeSubscription, countWaiting, readEnded, type Waiting } from "../../store/subscription-rows.ts";
import { expire } from "../../subscription.ts";
import { openClaimedShards } from "./claimed-shards.ts";
import { type DispatcherContext, subjectOf } from "./dispatch-context.ts";
import { makeFanOutStart, type Standing } from "./fan-out-start.ts";
import type { Load } from "./shard-work.ts";

export interface Dispatcher {
  start(): void;
  /** Has the loop go round soon. */
  kick(): void;
  secondsSinceTurn(): number;
  /** How much waits in the store, as last counted. */
  waiting(): Waiting;
  /** Begins nothing more, lets finish what is under way, gives up the rest after the deadline, releases all claims. */
  close(deadlineMs: number): Promise<void>;
}

const IDLE_MS = 500;
const WAITING_MS = 100;
const PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 10_000;
/** How long giving up may take: the outcomes are still written. */
const GIVING_UP_MS = 2000;
const COUNT_MS = 5000;
const SWEEP_MS = 30_000;
const SWEPT_ROWS = 500;

/** Opens a dispatcher; nothing happens before `start`. */
export function openDispatcher(parts: DispatcherContext): Dispatcher {
  const { claimMs, clock, limiter, intervalMs, log, now, store, groupCommit } = parts;
  const depart = makeFanOutStart(parts);
  const held = openClaimedShards({ ...parts, kick });
  let turnedAt = clock();
  let sweptAt = clock();
  let countedAt = -COUNT_MS;
  let waiting: Waiting = { pending: 0, owed: 0 };
  let faults = 0;
  let kicked = false;
  let going = false;
  let started = false;
  let closing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let turning: Promise<void> = Promise.resolve();

  function kick(): void {
    if (going || kicked || faults > 0) kicked = true;
    else {
      kicked = true;
      schedule(Math.max(0, PAUSE_MS - (clock() - turnedAt)));
    }
  }

  function schedule(wait: number): void {
    if (closing || !started) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      turning = go();
    }, wait);
  }

  async function go(): Promise<void> {
    going = true;
    kicked = false;
    let wait = IDLE_MS;
    try {
      wait = await turn();
      faults = 0;
      turnedAt = clock();
    } catch (error) {
      faults++;
      log({ event: "fault", error });
      wait = Math.min(IDLE_MS * 2 ** Math.min(faults, 10), LONGEST_PAUSE_MS);
    }
    going = false;
    schedule(kicked && faults === 0 ? PAUSE_MS : wait);
  }

  /** Goes round once. Gives the milliseconds until it wants to again. */
  async function turn(): Promise<number> {
    limiter.tick();
    let standing = await depart();
    const { documents } = standing;
    const tags = [...documents.values()].map(({ tag }) => tag);
    const due = await shardsWithWork(store, { now: now(), topics: [...documents.keys()], tags });
    // Whoever held a shard before may have moved its fan-outs on since they were read.
    if (!closing && (await held.claim(due))) standing = { ...standing, fanOuts: await readFanOuts(store) };
    for (const work of held.works()) work.review(loadOf(work.claim.shard, standing));
    for (const shard of due) await held.work(shard)?.turn(loadOf(shard, standing));
    await held.releaseIdle();
    await keepHouse();
    return standing.waiting ? Math.min(intervalMs, WAITING_MS) : IDLE_MS;
  }

  /** What need not be done at every turn. */
  async function keepHouse(): Promise<void> {
    if (clock() - countedAt > COUNT_MS) {
      waiting = await countWaiting(store);
      countedAt = clock();
    }
    if (clock() - sweptAt > SWEEP_MS) await sweep();
  }

  /** Removes subscriptions whose lease has ended. Any process may; it is the same for all. */
  async function sweep(): Promise<void> {
    for (;;) {
      const ended = await readEnded(store, now(), SWEPT_ROWS);
      if (ended.length === 0) break;
      await groupCommit(async (transaction) => {
        for (const { id } of ended)
          await changeSubscription(transaction, id, (current) => current && expire(current, now()));
      });
      for (const subscription of ended) log({ event: "lease ended", ...subjectOf(subscription) });
    }
    sweptAt = clock();
  }

  function renewSoon(): void {
    if (!closed) renewal = setTimeout(() => void held.renew().finally(renewSoon), claimMs / 4);
  }

  return {
    start() {
      started = true;
      schedule(0);
      renewSoon();
    },
    kick,
    secondsSinceTurn: () => (clock() - turnedAt) / 1000,
    waiting: () => waiting,
    async close(deadlineMs) {
      closing = true;
      clearTimeout(timer);
      await turning;
      const works = held.works();
      for (const work of works) work.stop();
      const endsAt = clock() + deadlineMs;
      while (works.some((work) => !work.isIdle())) {
        if (clock() >= endsAt) for (const work of works) work.abort();
        if (clock() >= endsAt + GIVING_UP_MS) break;
        await pause(PAUSE_MS);
      }
      closed = true;
      clearTimeout(renewal);
      await held.releaseAll();
    },
  };
}

function loadOf(shard: number, { fanOuts, documents }: Standing): Load {
  const here = fanOuts.filter((fanOut) => fanOut.shard === shard);
  return { fanOuts: new Map(here.map((fanOut) => [fanOut.topic, fanOut])), documents };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
