/**
 * Several server processes on one machine (`WORKERS`). They share a port and the store, and a supervisor restarts them.
 */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { shareAmongWorkers } from "./metrics/worker-metrics.ts";

/** Delay before an exited worker is replaced, so that one that cannot start does not restart in a tight loop. */
const REPLACEMENT_DELAY_MS = 1_000;

/**
 * How long a worker may take to stop before it is killed: longer than ANSWERS_STOP_MS (`serving/serve.ts`), so that requests
 * can finish, and shorter than PROCESS_STOP_MS (`stop-signal.ts`), so that the supervisor itself exits in time.
 */
const WORKER_STOP_MS = 14_000;

/** How long a worker that is being replaced continues to serve its open connections. */
const DRAIN_MS = 2_000;

/** A worker's report to the supervisor: it is serving, or the reason why it cannot start. */
type WorkerMessage =
  | { readonly goodword: "serving"; readonly port: number }
  | { readonly goodword: "fault"; readonly fault: string };

/** The supervisor's messages: to a worker that is being replaced, and to one that is held back. */
const DRAIN = "goodword drain";
const LISTEN = "goodword listen";
/** In the environment of a worker that is held back: the port on which the others serve. */
const HELD_BACK = "GOODWORD_HELD_BACK";

/** A worker that listens, on this port, only once it has an edition, or when `release` is aborted. */
export interface HeldBack {
  readonly port: number;
  readonly release: AbortSignal;
}

/**
 * Keeps `count` workers running until `stop` is aborted, then stops them and waits. A worker that exits is replaced. On
 * SIGHUP all are replaced one after another: each new worker serves before the old one stops accepting. While others
 * serve, a new worker is held back until it has an edition, so that no connection is refused.
 * @throws Error if one of the first workers cannot start, after the others have been stopped.
 */
export async function superviseWorkers(count: number, log: Logger, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return; // for example while the store was opened
  const failure = new AbortController();
  const stopping = AbortSignal.any([stop, failure.signal]);
  const runs: WorkerRun[] = [];
  const alive = new Set<WorkerRun>();
  const servedPort = () => [...alive].map((run) => run.servedPort()).find((port) => port !== undefined);
  const start = () => {
    const run = runWorker(stopping, servedPort());
    alive.add(run);
    void run.end.then(() => {
      alive.delete(run);
      if (servedPort() === undefined) for (const other of alive) other.release();
    });
    if (run.worker !== undefined) shareAmongWorkers(run.worker, () => runs.flatMap(({ worker }) => worker ?? []), log);
    return run;
  };
  for (let place = 0; place < count; place++) runs.push(start());
  let rolling: Promise<void> | undefined;

  /** Runs the worker at `index`, and its replacements, until the stop. */
  async function keepRunning(index: number): Promise<void> {
    for (let isFirst = true; ; ) {
      const run = runs[index];
      if (run === undefined) return;
      const { code, hasServed, fault, error } = await run.end;
      if (runs[index] !== run) continue; // it has been replaced
      if (stopping.aborted) return;
      if (isFirst && !hasServed)
        throw error ?? new Error(fault ?? `A worker ended before it served (exit code ${code})`);
      isFirst = false;
      log.warn({ code, ...(fault === undefined ? {} : { fault }) }, "A worker ended and is being replaced");
      await wait(REPLACEMENT_DELAY_MS, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted) return;
      if (runs[index] === run) runs[index] = start();
    }
  }

  /** Replaces the workers one after another. If a new one fails to start, the remaining old ones keep running. */
  async function roll(): Promise<void> {
    log.info("Replacing the workers one after the other");
    for (const [index, old] of runs.entries()) {
      if (stopping.aborted) return;
      const next = start();
      await Promise.race([next.served, next.end]);
      if (stopping.aborted) return void (await next.end);
      if (!next.hasServed()) {
        const { fault, code } = await next.end;
        return log.error({ code, fault }, "A new worker did not start; the old ones keep running");
      }
      runs[index] = next;
      await old.retire();
    }
    log.info("All workers were replaced");
  }

  const onHangup = () => {
    rolling ??= roll().finally(() => {
      rolling = undefined;
    });
  };
  if (!process.stderr.isTTY) process.on("SIGHUP", onHangup); // closing a terminal also sends SIGHUP
  const outcomes = await Promise.allSettled(
    runs.map((_, index) => keepRunning(index).finally(() => stop.aborted || failure.abort())),
  );
  process.off("SIGHUP", onHangup);
  await rolling;
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

interface WorkerEnd {
  readonly code: number | null;
  readonly hasServed: boolean;
  readonly fault: string | undefined;
  /** Why the system had no process for it. */
  readonly error?: unknown;
}

interface WorkerRun {
  /** Undefined if the system had no process for it. */
  readonly worker?: Worker;
  /** Resolves when the worker serves. */
  readonly served: Promise<void>;
  readonly hasServed: () => boolean;
  /** The port on which it serves; undefined before. */
  readonly servedPort: () => number | undefined;
  readonly end: Promise<WorkerEnd>;
  /** Makes the worker listen if it is held back. */
  release(): void;
  /** Makes the worker stop accepting, finish its requests and exit. Resolves after its exit. */
  retire(): Promise<void>;
}

/**
 * Runs one worker, held back if others serve on `port`. When `stopping` is aborted, it receives SIGTERM, and SIGKILL if
 * it does not exit.
 */
function runWorker(stopping: AbortSignal, port: number | undefined): WorkerRun {
  let worker: Worker;
  try {
    worker = cluster.fork(port === undefined ? {} : { [HELD_BACK]: String(port) });
  } catch (error) {
    return endedRun(error); // such as ENOMEM
  }
  const serving = Promise.withResolvers<void>();
  let servedPort: number | undefined;
  let fault: string | undefined;
  let killing: NodeJS.Timeout | undefined;
  worker.on("message", (message: WorkerMessage) => {
    if (message.goodword === "fault") fault = message.fault;
    if (message.goodword !== "serving") return;
    servedPort = message.port;
    serving.resolve();
  });
  worker.on("error", ({ message }) => {
    fault ??= message; // a process that cannot be started, or a channel that is broken
  });
  const terminate = () => {
    worker.process.kill("SIGTERM");
    killing ??= setTimeout(() => worker.process.kill("SIGKILL"), WORKER_STOP_MS);
  };
  stopping.addEventListener("abort", terminate, { once: true });
  const end = ended(worker).then((code) => {
    stopping.removeEventListener("abort", terminate);
    clearTimeout(killing);
    return { code, hasServed: servedPort !== undefined, fault };
  });
  const send = (message: string) => void (worker.isConnected() && worker.send(message, () => {}));
  return {
    worker,
    served: serving.promise,
    hasServed: () => servedPort !== undefined,
    servedPort: () => servedPort,
    end,
    release: () => send(LISTEN),
    async retire() {
      send(DRAIN);
      await wait(DRAIN_MS, undefined, { signal: stopping }).catch(() => {});
      terminate();
      await end;
    },
  };
}

/** The run of a worker that could not be started, which is tried again like one that has ended. */
function endedRun(error: unknown): WorkerRun {
  const end = Promise.resolve({ code: null, hasServed: false, fault: String(error), error });
  const served = Promise.withResolvers<void>().promise; // never
  return { served, hasServed: () => false, servedPort: () => undefined, end, release() {}, async retire() {} };
}

/** The supervisor's orders to this worker: `drain` is aborted when it must stop accepting connections. */
export function openOrders(): { readonly drain: AbortSignal; readonly heldBack: HeldBack | undefined } {
  const [drain, release] = [new AbortController(), new AbortController()];
  process.on("message", (message) => {
    if (message === DRAIN) drain.abort();
    if (message === LISTEN) release.abort();
  });
  process.on("SIGHUP", () => {}); // sent to the whole process group, but meant for the supervisor
  const port = process.env[HELD_BACK];
  return {
    drain: drain.signal,
    heldBack: port === undefined ? undefined : { port: Number(port), release: release.signal },
  };
}

/** Whether this process is a worker. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Whether this is the first worker, which prints the start message for all of them. */
export function isFirstWorker(): boolean {
  return cluster.worker?.id === 1;
}

/** Reports to the supervisor that this worker serves its first edition. */
export function reportServing(port: number): void {
  tellSupervisor({ goodword: "serving", port });
}

/** Reports to the supervisor why this worker cannot start, and waits until the message has been sent. */
export async function reportFault(fault: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  tellSupervisor({ goodword: "fault", fault }, resolve);
  await promise;
}

/** Sends a message; `done` is called when it has been sent, or cannot be because the supervisor is gone. */
function tellSupervisor(message: WorkerMessage, done: () => void = () => {}): void {
  if (process.send === undefined) done();
  else process.send(message, undefined, {}, () => done());
}

/** Closes the channel to the supervisor, so that this process can exit. */
export function disconnectWorker(): void {
  cluster.worker?.disconnect();
}

function ended(worker: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  worker.once("exit", (code) => resolve(code));
  worker.on("error", () => worker.process.pid ?? resolve(null)); // no process was started, so none exits
  return promise;
}
