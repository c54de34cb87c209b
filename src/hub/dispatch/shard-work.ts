/** The work on a claimed shard: verifications, owed deliveries, and the fan-outs of all topics. */
import type { Document } from "../../edition/document.ts";
import type { Claim } from "../../store/claims.ts";
import type { DueWork } from "../../store/due-work-rows.ts";
import type { FanOut } from "../../store/fan-out-rows.ts";
import { clientAtOrigin, readDueIntents } from "../../store/intent-rows.ts";
import { readDueDeliveries } from "../../store/subscription-rows.ts";
import { firstOfEach, MAX_ROWS } from "./backlog.ts";
import { openDeliveries } from "./delivery.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import { type FanOutRun, openFanOutRun } from "./fan-out-run.ts";
import { ClaimLost, makeFencedWrite } from "./fenced-write.ts";
import { openFreshReads } from "./fresh-read.ts";
import type { ProgressStep } from "./progress-recording.ts";
import { openVerifications } from "./verification.ts";

/** The fan-outs of a shard. */
export interface ShardFanOuts {
  /** Progress in this shard, by topic. */
  readonly fanOuts: ReadonlyMap<string, FanOut>;
  /** Documents to deliver, by topic: those of this process that the topics' fan-outs deliver. */
  readonly documents: ReadonlyMap<string, Document>;
}

export interface ShardWork {
  readonly claim: Claim;
  /** Starts what is due now. */
  turn(current: ShardFanOuts, due: Omit<DueWork, "shard">): Promise<void>;
  /** Ends the fan-outs that newer ones have replaced. */
  update(current: ShardFanOuts): void;
  /** Continues fan-outs that wait for slow hosts. */
  refill(): void;
  /** Returns the progress of the fan-outs since the last call, to be recorded. */
  takeProgress(): ProgressStep[];
  /** Whether nothing is in progress. */
  isIdle(): boolean;
  /** Starts nothing more; waiting work is left to the next owner of the shard. */
  stop(): void;
  /** Aborts current work. */
  abort(): void;
}

/** Opens the work on a shard under its claim. No delivery begins while that is not certain. */
export function openShardWork(claim: Claim, context: DispatchContext): ShardWork {
  const { groupCommit, log, now, store, wake } = context;
  const { id: shard } = claim;
  const aborter = new AbortController();
  const { signal } = aborter;
  const runs = new Map<string, FanOutRun>();
  /** Replaced runs that still have deliveries in progress. */
  const replaced = new Set<FanOutRun>();
  let current: ShardFanOuts = { fanOuts: new Map(), documents: new Map() };
  let stopped = false;

  const write = makeFencedWrite(claim, {
    ...{ groupCommit, signal },
    onChange(id, after) {
      reads.note(id);
      const delivery = deliveries.find(id);
      if (delivery !== undefined) delivery.current = after;
    },
    onFault: report,
  });
  const reads = openFreshReads();
  const verifications = openVerifications(context, write, signal);
  const deliveries = openDeliveries(context, write, { signal, isHeld: claim.isCertain });

  function update(newest: ShardFanOuts): void {
    current = newest;
    for (const [topic, run] of runs) {
      const fanOut = current.fanOuts.get(topic);
      const isReplaced = fanOut?.tag !== run.fanOut.tag || fanOut.revision !== run.fanOut.revision;
      if (isReplaced) {
        run.supersede();
        replaced.add(run);
      }
      if (isReplaced || (run.isIdle() && fanOut.finished)) runs.delete(topic);
    }
    for (const run of replaced) if (run.isIdle()) replaced.delete(run);
  }

  async function turn(newest: ShardFanOuts, due: Omit<DueWork, "shard">): Promise<void> {
    update(newest);
    if (stopped) return;
    if (due.verifications) await verifyDue().catch(ignoreLostClaim);
    if (due.deliveries) await deliverOwed().catch(ignoreLostClaim);
    for (const fanOut of current.fanOuts.values()) continueFanOut(fanOut);
  }

  async function verifyDue(): Promise<void> {
    const exceptClients = await verifications.trimBacklog();
    if (exceptClients === undefined) return;
    const due = await readDueIntents(store, { shard, now: now(), exceptClients }, MAX_ROWS);
    for (const each of firstOfEach(due, clientAtOrigin)) verifications.verify(each);
  }

  async function deliverOwed(): Promise<void> {
    const exceptOrigins = await deliveries.trimBacklog();
    if (exceptOrigins === undefined) return;
    const topics = [...current.documents.keys()];
    const query = { shard, now: now(), topics, exceptOrigins };
    const leave = async () => []; // to the next turn
    const due = await reads.read(() => readDueDeliveries(store, query, MAX_ROWS), leave);
    for (const each of firstOfEach(due, ({ origin }) => origin)) {
      if (deliveries.find(each.id) !== undefined) continue;
      const { settled } = deliveries.deliver(each, () => current.documents.get(each.topic), true);
      settled.then(wake).catch(report);
    }
  }

  function continueFanOut(fanOut: FanOut): void {
    const { topic } = fanOut;
    const document = current.documents.get(topic);
    if (stopped || fanOut.finished || runs.has(topic)) return;
    if (document?.tag !== fanOut.tag) return; // the fan-out is newer than what this process has
    runs.set(topic, openFanOutRun(fanOut, document, context, { write, reads, deliveries, onFault: report }));
  }

  function report(error: unknown): void {
    if (!(error instanceof ClaimLost)) log({ event: "fault", error });
  }

  function isIdle(): boolean {
    if (verifications.size + deliveries.size > 0) return false;
    return [...runs.values(), ...replaced].every((run) => run.isIdle());
  }

  function stop(): void {
    stopped = true;
    for (const run of runs.values()) run.stop();
    verifications.stop();
    deliveries.stop();
  }

  return {
    claim,
    turn,
    update,
    refill() {
      for (const run of runs.values()) run.refill();
    },
    takeProgress: () => [...runs.values()].flatMap((run) => run.takeProgress() ?? []),
    isIdle,
    stop,
    abort() {
      stop();
      aborter.abort();
      for (const run of runs.values()) run.abandon();
    },
  };
}

/** Another process continues the work on the shard, so nothing is lost. */
function ignoreLostClaim(error: unknown): void {
  if (!(error instanceof ClaimLost)) throw error;
}
