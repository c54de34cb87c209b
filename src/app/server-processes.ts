/** Several processes on one machine: each serves on the same port, everything but the store being derived. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";

/** A worker that ended by itself is replaced after this wait, so that one that cannot start does not spin. */
const REPLACE_MS = 1_000;

/** How long a worker may take to stop before it is killed. */
const LONGEST_STOP_MS = 14_000;

/** What a worker tells the supervising process: that it serves, or why it cannot. */
type WorkerMessage = { readonly goodword: "serving" } | { readonly goodword: "fault"; readonly fault: string };

/**
 * Keeps `count` workers running until `stop` is aborted, then tells them to stop and waits. A worker that ends later is
 * replaced.
 * @throws Error when one of the first workers cannot start, after all others have been stopped.
 */
export async function superviseWorkers(count: number, log: Logger, stop: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const stopping = AbortSignal.any([stop, failure.signal]);

  async function keep(): Promise<void> {
    for (let isFirst = true; !stopping.aborted; isFirst = false) {
      const { code, hasServed, fault } = await runWorker(stopping);
      if (stopping.aborted) return;
      if (isFirst && !hasServed) throw new Error(fault ?? `A worker ended before it served (exit code ${code})`);
      log.warn({ code, ...(fault === undefined ? {} : { fault }) }, "A worker ended and is replaced");
      await wait(REPLACE_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }

  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, () => keep().finally(() => stop.aborted || failure.abort())),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

interface WorkerEnd {
  readonly code: number | null;
  readonly hasServed: boolean;
  readonly fault: string | undefined;
}

/** Runs one worker to its end. When `stopping` is aborted it is told to stop, and killed if it does not. */
async function runWorker(stopping: AbortSignal): Promise<WorkerEnd> {
  const worker = cluster.fork();
  let hasServed = false;
  let fault: string | undefined;
  worker.on("message", (message: WorkerMessage) => {
    if (message.goodword === "serving") hasServed = true;
    else fault = message.fault;
  });
  let killing: NodeJS.Timeout | undefined;
  const tell = () => {
    worker.process.kill("SIGTERM");
    killing = setTimeout(() => worker.process.kill("SIGKILL"), LONGEST_STOP_MS);
  };
  stopping.addEventListener("abort", tell, { once: true });
  const code = await ended(worker);
  stopping.removeEventListener("abort", tell);
  clearTimeout(killing);
  return { code, hasServed, fault };
}

/** Whether this process is one of the workers. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Whether this is the first worker: the one that speaks for all of them. */
export function isFirstWorker(): boolean {
  return cluster.worker?.id === 1;
}

/** Tells the supervising process that this worker serves. */
export function tellServing(): void {
  process.send?.({ goodword: "serving" } satisfies WorkerMessage);
}

/** Tells the supervising process why this worker cannot start, and waits until that is sent. */
export async function tellFault(fault: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!process.connected) return;
  process.send?.({ goodword: "fault", fault } satisfies WorkerMessage, undefined, {}, () => resolve());
  await promise;
}

/** Lets go of the supervising process: the channel to it would keep this one alive. */
export function leave(): void {
  cluster.worker?.disconnect();
}

function ended(worker: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  worker.once("exit", (code) => resolve(code));
  return promise;
}
