/**
 * The dispatcher: a loop that asks of every topic whether it has set out with its newest document, claims shards in
 * which something is due, and has them worked on. It goes round when kicked and twice a second, and no fault ends it.
 */
import type { Document } from "../edition/document.ts";
import { TOPIC_PATHS } from "../edition/topic.ts";
import { beginFanOut, type Cargo, type FanOut, readFanOuts, setOut } from "../store/fan-out-rows.ts";
import { claimShards, releaseClaims, renewClaims, shardsWithWork } from "../store/shard-claim-rows.ts";
import { changeSubscription, countWaiting, hastenOwed, readEnded, type Waiting } from "../store/subscription-rows.ts";
import { type DispatchParts, subjectOf } from "./dispatch-parts.ts";
import { departure } from "./setting-out.ts";
import { type Load, openShardWork, type ShardWork } from "./shard-work.ts";
import { expire } from "./subscription.ts";

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

export interface DispatcherParts extends Omit<DispatchParts, "kick"> {
  /** Tells this process from others. */
  readonly owner: string;
  /** A topic sets out at most once in this time. */
  readonly intervalMs: number;
  /** A claim holds for this long unless renewed: the delay that a killed process can cause. */
  readonly claimMs: number;
  /** Counts milliseconds and never jumps. */
  readonly clock: () => number;
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

interface Held {
  readonly work: ShardWork;
  /** On the clock. */
  until: number;
  idleSince: number | undefined;
}

/** Opens a dispatcher; nothing happens before `start`. */
export function openDispatcher(parts: DispatcherParts): Dispatcher {
  const { claimMs, clock, gate, intervalMs, log, newest, now, owner, store, writeTogether } = parts;
  const renewMs = claimMs / 4;
  /** A shard with nothing to do is kept for this long, for something often follows. */
  const lingerMs = claimMs / 4;
  const held = new Map<number, Held>();
  const seen = new Map<string, { readonly revision: number; readonly tags: Set<string> }>();
  let turnedAt = clock();
  let sweptAt = clock();
  let countedAt = -COUNT_MS;
  let waiting: Waiting = { pending: 0, owed: 0 };
  let due: number[] = [];
  let faults = 0;
  let kicked = false;
  let going = false;
  let started = false;
  let closing = false;
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
    gate.tick();
    let fanOuts = await readFanOuts(store);
    const departures = await Promise.all(TOPIC_PATHS.map((topic) => depart(topic, fanOuts)));
    if (departures.includes("changed")) fanOuts = await readFanOuts(store);
    const documents = deliverable(fanOuts);
    await claimWork(documents);
    for (const { work } of held.values()) work.review(loadOf(work.claim.shard, fanOuts, documents));
    for (const shard of due) await held.get(shard)?.work.turn(loadOf(shard, fanOuts, documents));
    await releaseIdle();
    if (clock() - countedAt > COUNT_MS) {
      waiting = await countWaiting(store);
      countedAt = clock();
    }
    if (clock() - sweptAt > SWEEP_MS) await sweep();
    return departures.includes("wait") ? Math.min(intervalMs, WAITING_MS) : IDLE_MS;
  }

  /** Sets a topic out with its newest document where that is due. */
  async function depart(topic: string, fanOuts: readonly FanOut[]): Promise<"changed" | "wait" | "none"> {
    const own = newest(topic)?.cargo;
    if (own === undefined) return "none";
    const stored = fanOuts.find((fanOut) => fanOut.topic === topic);
    const tags = seenTags(topic, own, stored);
    const decision = departure({ stored, own, seen: tags, now: now(), intervalMs });
    if (decision === "begin") {
      await writeTogether((transaction) => beginFanOut(transaction, topic, own, now()));
      return "changed";
    }
    if (decision !== "set out" || stored === undefined) return decision === "wait" ? "wait" : "none";
    const { tag, revision } = stored;
    const hasSetOut = await writeTogether(async (transaction) => {
      const done = await setOut(transaction, topic, { previous: { tag, revision }, next: own, now: now() });
      if (done) await hastenOwed(transaction, topic, now());
      return done;
    });
    if (hasSetOut) {
      tags.add(own.tag);
      log({ event: "set out", topic });
    }
    return "changed";
  }

  /** The tags that the topic was seen to have set out with at the revision of `own`. */
  function seenTags(topic: string, own: Cargo, stored: Cargo | undefined): Set<string> {
    const known = seen.get(topic);
    const tags = known?.revision === own.revision ? known.tags : new Set<string>();
    if (stored?.revision === own.revision) tags.add(stored.tag);
    seen.set(topic, { revision: own.revision, tags });
    return tags;
  }

  function deliverable(fanOuts: readonly FanOut[]): Map<string, Document> {
    const documents = new Map<string, Document>();
    for (const topic of TOPIC_PATHS) {
      const document = newest(topic)?.document;
      const stored = fanOuts.find((fanOut) => fanOut.topic === topic);
      if (document !== undefined && document.tag === stored?.tag) documents.set(topic, document);
    }
    return documents;
  }

  function loadOf(shard: number, fanOuts: readonly FanOut[], documents: ReadonlyMap<string, Document>): Load {
    const own = fanOuts.filter((fanOut) => fanOut.shard === shard);
    return { fanOuts: new Map(own.map((fanOut) => [fanOut.topic, fanOut])), documents };
  }

  /** Finds the shards with work, and claims those that nobody holds. */
  async function claimWork(documents: ReadonlyMap<string, Document>): Promise<void> {
    const tags = [...documents.values()].map(({ tag }) => tag);
    due = await shardsWithWork(store, { now: now(), topics: [...documents.keys()], tags });
    const unheld = due.filter((shard) => !held.has(shard));
    if (closing || unheld.length === 0) return;
    const until = clock() + claimMs;
    const claims = await claimShards(store, unheld, { owner, now: now(), until: after(claimMs) });
    for (const claim of claims) {
      held.set(claim.shard, { work: openShardWork(claim, { ...parts, kick }), until, idleSince: undefined });
    }
  }

  async function releaseIdle(): Promise<void> {
    const time = clock();
    const idle: Held[] = [];
    for (const each of held.values()) {
      each.idleSince = each.work.isIdle() ? (each.idleSince ?? time) : undefined;
      if (each.idleSince !== undefined && time - each.idleSince >= lingerMs) idle.push(each);
    }
    if (idle.length === 0) return;
    for (const { work } of idle) held.delete(work.claim.shard);
    await releaseClaims(
      store,
      idle.map(({ work }) => work.claim),
    );
  }

  /** Extends the claims that are in use. One that was lost, or cannot be extended in time, is given up at once. */
  async function renew(): Promise<void> {
    const inUse = [...held.values()].filter(({ idleSince }) => idleSince === undefined);
    const until = clock() + claimMs;
    try {
      const claims = inUse.map(({ work }) => work.claim);
      const renewed = claims.length === 0 ? [] : await renewClaims(store, claims, after(claimMs));
      for (const each of inUse) {
        if (renewed.some(({ shard }) => shard === each.work.claim.shard)) each.until = until;
        else giveUp(each);
      }
    } catch (error) {
      log({ event: "fault", error });
    }
    for (const each of held.values()) if (each.until <= clock()) giveUp(each);
  }

  function giveUp({ work }: Held): void {
    if (held.get(work.claim.shard)?.work === work) held.delete(work.claim.shard);
    work.abort();
  }

  /** Removes subscriptions whose lease has ended. Any process may; it is the same for all. */
  async function sweep(): Promise<void> {
    for (;;) {
      const ended = await readEnded(store, now(), SWEPT_ROWS);
      if (ended.length === 0) break;
      await writeTogether(async (transaction) => {
        for (const { id } of ended)
          await changeSubscription(transaction, id, (current) => current && expire(current, now()));
      });
      for (const subscription of ended) log({ event: "lease ended", ...subjectOf(subscription) });
    }
    sweptAt = clock();
  }

  function after(ms: number): Date {
    return new Date(now().getTime() + ms);
  }

  function renewSoon(): void {
    renewal = setTimeout(() => void renew().finally(renewSoon), renewMs);
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
      const works = [...held.values()].map(({ work }) => work);
      for (const work of works) work.stop();
      const endsAt = clock() + deadlineMs;
      while (works.some((work) => !work.isIdle())) {
        if (clock() >= endsAt) for (const work of works) work.abort();
        if (clock() >= endsAt + GIVING_UP_MS) break;
        await pause(PAUSE_MS);
      }
      clearTimeout(renewal);
      await releaseClaims(
        store,
        works.map(({ claim }) => claim),
      );
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
