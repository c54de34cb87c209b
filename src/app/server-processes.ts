/** Several server processes on one machine (`WORKERS`): they share a port and the store, and a supervisor restarts them. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";

/** The delay before a worker that has ended is replaced, so that one that cannot start does not restart in a tight loop. */
const REPLACE_MS = 1_000;

/**
 * How long a worker may take to stop before it is killed: longer than ANSWERS_STOP_MS (`serve.ts`), so that answers can
 * finish, and shorter than PROCESS_STOP_MS (`stop-signal.ts`), so that the supervisor itself ends in time.
 */
const WORKER_STOP_MS = 14_000;

/** A worker's report to the supervisor: it is serving, or it cannot start and why. */
type WorkerMessage = { readonly goodword: "serving" } | { readonly goodword: "fault"; readonly fault: string };

/**
 * Keeps `count` workers running until `stop` is aborted, then stops them and waits. A worker that ends is replaced.
 * @throws Error when one of the first workers cannot start, after the others have been stopped.
 */
export async function superviseWorkers(count: number, log: Logger, stop: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const stopping = AbortSignal.any([stop, failure.signal]);

  async function keep(): Promise<void> {
    for (let isFirst = true; !stopping.aborted; isFirst = false) {
      const { code, hasServed, fault } = await runWorker(stopping);
      if (stopping.aborted) return;
      if (isFirst && !hasServed) throw new Error(fault ?? `A worker ended before it served (exit code ${code})`);
      log.warn({ code, ...(fault === undefined ? {} : { fault }) }, "A worker ended and is being replaced");
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

/** Runs one worker until it ends. When `stopping` is aborted, it gets SIGTERM, and SIGKILL if it does not end in time. */
async function runWorker(stopping: AbortSignal): Promise<WorkerEnd> {
  const worker = cluster.fork();
  let hasServed = false;
  let fault: string | undefined;
  worker.on("message", (message: WorkerMessage) => {
    if (message.goodword === "serving") hasServed = true;
    else fault = message.fault;
  });
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    worker.process.kill("SIGTERM");
    killing = setTimeout(() => worker.process.kill("SIGKILL"), WORKER_STOP_MS);
  };
  stopping.addEventListener("abort", end, { once: true });
  const code = await ended(worker);
  stopping.removeEventListener("abort", end);
  clearTimeout(killing);
  return { code, hasServed, fault };
}

/** Whether this process is one of the workers. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Whether this is the first worker, which prints the start message for all of them. */
export function isFirstWorker(): boolean {
  return cluster.worker?.id === 1;
}

/** Reports to the supervisor that this worker is serving. */
export function tellServing(): void {
  process.send?.({ goodword: "serving" } satisfies WorkerMessage);
}

/** Reports to the supervisor why this worker cannot start, and waits until the message has been sent. */
export async function tellFault(fault: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!process.connected) return;
  process.send?.({ goodword: "fault", fault } satisfies WorkerMessage, undefined, {}, () => resolve());
  await promise;
}

/** Closes the channel to the supervisor, which would keep this process alive. */
export function leave(): void {
  cluster.worker?.disconnect();
}

function ended(worker: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  worker.once("exit", (code) => resolve(code));
  return promise;
}
