/** Several processes on one machine: each serves on the same port, everything but the store being derived. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";

/** A worker that ended by itself is replaced after this wait, so that one that cannot start does not spin. */
const REPLACE_MILLISECONDS = 1_000;

/**
 * Keeps `count` workers running until `stop` is aborted, then tells them to stop and waits. A worker that ends early
 * is replaced, unless none ever began to listen: then the fault is in the settings. @throws Error in that case.
 */
export async function superviseWorkers(count: number, log: Logger, stop: AbortSignal): Promise<void> {
  let listened = false;
  cluster.on("listening", () => {
    listened = true;
  });

  async function keep(): Promise<void> {
    while (!stop.aborted) {
      const worker = cluster.fork();
      const tell = () => worker.process.kill("SIGTERM");
      stop.addEventListener("abort", tell, { once: true });
      const code = await ended(worker);
      stop.removeEventListener("abort", tell);
      if (stop.aborted) return;
      if (!listened) throw new Error("The first worker ended before it listened; its own message says why");
      log.warn({ worker: worker.process.pid, code }, "A worker ended and is replaced");
      await wait(REPLACE_MILLISECONDS, undefined, { signal: stop }).catch(() => {});
    }
  }

  await Promise.all(Array.from({ length: count }, keep));
}

/** Whether this process is one of the workers. */
export function isWorker(): boolean {
  return cluster.isWorker;
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
