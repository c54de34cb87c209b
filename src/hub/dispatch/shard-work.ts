/** The work on one claimed shard: intents are verified, owed deliveries made, fan-outs moved on chunk by chunk. */
import type { Document } from "../../edition/document.ts";
import type { FanOut } from "../../store/fan-out-rows.ts";
import type { Claim } from "../../store/shard-claim-rows.ts";
import { readOwed, readUnverified } from "../../store/subscription-rows.ts";
import { type Delivery, openDeliveryWork } from "./delivery-work.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import { type FanOutRun, openFanOutRun } from "./fan-out-run.ts";
import { ClaimLost, makeFencedWrite } from "./fenced-write.ts";
import { openVerificationWork } from "./verification-work.ts";

/** What a turn of the loop found. */
export interface Load {
  /** How far topics have come in this shard, by topic. */
  readonly fanOuts: ReadonlyMap<string, FanOut>;
  /** By topic: the newest documents of this process, of topics that have set out with just these. */
  readonly documents: ReadonlyMap<string, Document>;
}

export interface ShardWork {
  readonly claim: Claim;
  /** Takes up what is due now. */
  turn(load: Load): Promise<void>;
  /** Looks after what is under way. */
  review(load: Load): void;
  /** Whether nothing is under way. */
  isIdle(): boolean;
  /** Begins nothing more; what stands in line is left for whoever comes next. */
  stop(): void;
  /** Gives up what is under way. */
  abort(): void;
}

/** Most rows of a kind that are read at once, and that are under way in a shard. */
const MOST_ROWS = 500;

/** Opens the work on a shard under its claim. */
export function openShardWork(claim: Claim, parts: DispatchContext): ShardWork {
  const { limiter, now, store } = parts;
  const { shard } = claim;
  const abortion = new AbortController();
  const runs = new Map<string, FanOutRun>();
  /** Who has acknowledged a topic's newest tag by way of a debt, while its fan-out still travels. */
  const reached = new Map<string, { readonly tag: string; readonly ids: Set<string> }>();
  let load: Load = { fanOuts: new Map(), documents: new Map() };
  let stopped = false;

  const write = makeFencedWrite(claim, parts.groupCommit, (id, after) => {
    const delivery = deliveries.find(id);
    if (delivery !== undefined) delivery.current = after;
  });
  const { signal } = abortion;
  const verifications = openVerificationWork(parts, write, signal);
  const deliveries = openDeliveryWork(parts, write, {
    signal,
    onReached({ id, topic }, tag) {
      const fanOut = load.fanOuts.get(topic);
      if (fanOut?.tag !== tag || fanOut.finished) return;
      const known = reached.get(topic);
      const ids = known?.tag === tag ? known.ids : new Set<string>();
      reached.set(topic, { tag, ids: ids.add(id) });
    },
  });

  function review(newest: Load): void {
    load = newest;
    for (const [topic, { tag }] of reached) {
      const fanOut = load.fanOuts.get(topic);
      if (fanOut?.tag !== tag || fanOut.finished) reached.delete(topic);
    }
    for (const [topic, run] of runs) run.review(load.fanOuts.get(topic));
  }

  async function turn(newest: Load): Promise<void> {
    review(newest);
    if (stopped) return;
    const question = { shard, now: now(), busyOrigins: limiter.busyOrigins() };
    if (verifications.size < MOST_ROWS) {
      for (const each of await readUnverified(store, question, MOST_ROWS)) verifications.take(each);
    }
    if (deliveries.size < 2 * MOST_ROWS) {
      const topics = [...load.documents.keys()];
      for (const each of await readOwed(store, { ...question, topics }, MOST_ROWS)) {
        if (deliveries.find(each.id) === undefined)
          report(deliveries.deliver(each, () => load.documents.get(each.topic), true));
      }
    }
    for (const [topic, fanOut] of load.fanOuts) travelOf(topic).goOn(fanOut, load.documents.get(topic));
  }

  function travelOf(topic: string): FanOutRun {
    const isReached = (tag: string, id: string) =>
      reached.get(topic)?.tag === tag && reached.get(topic)?.ids.has(id) === true;
    const onFault = ignoreLostClaim;
    const run = runs.get(topic) ?? openFanOutRun({ ...parts, claim, write, deliveries, isReached, onFault });
    runs.set(topic, run);
    return run;
  }

  function report({ settled }: Delivery): void {
    settled.then(parts.kick).catch(ignoreLostClaim);
  }

  function ignoreLostClaim(error: unknown): void {
    if (!(error instanceof ClaimLost)) parts.log({ event: "fault", error });
  }

  return {
    claim,
    turn,
    review,
    isIdle: () => verifications.size === 0 && deliveries.size === 0 && runs.values().every((each) => each.isIdle()),
    stop() {
      stopped = true;
      for (const run of runs.values()) run.stop();
      verifications.stop();
      deliveries.stop();
    },
    abort() {
      stopped = true;
      for (const run of runs.values()) run.stop();
      abortion.abort();
    },
  };
}
