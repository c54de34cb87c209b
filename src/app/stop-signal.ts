/** Aborts a signal when the program must stop: on SIGTERM or SIGINT, or after its parent process has exited. */
import type { Logger } from "pino";
import { isWorker } from "./server-processes.ts";

/**
 * How long a stop may take before the process exits regardless of work in progress. Longer than ANSWERS_STOP_MS and
 * DATABASE_STOP_MS (`serving/serve.ts`) and WORKER_STOP_MS (`server-processes.ts`), so that it is the last resort, and
 * shorter than what the files in `deploy/` give a stop.
 */
export const PROCESS_STOP_MS = 15_000;
const PARENT_CHECK_MS = 500;

/**
 * Opens a signal that is aborted on SIGTERM and SIGINT, and when npm (or the older Node) that started this process has
 * exited. If the process is still running PROCESS_STOP_MS later, it exits with code 1.
 */
export function openStopSignal(log: Logger): AbortSignal {
  const stop = new AbortController();
  const begin = () => {
    if (stop.signal.aborted) return; // a supervisor signals a whole group: a second signal does not mean "at once"
    stop.abort();
    setTimeout(() => {
      log.error("Some work did not end in time: exiting without it");
      process.exit(1);
    }, PROCESS_STOP_MS).unref();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, begin);
  const parent = watchedParent();
  if (parent !== undefined) {
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      log.info("Stopping, because the process that started this server has ended");
      begin();
    }, PARENT_CHECK_MS);
    check.unref();
  }
  return stop.signal;
}

/**
 * The process whose exit also stops this one; undefined if there is none. npm forwards a signal to the shell that runs
 * a script, and that shell exits without forwarding it to its own child.
 */
function watchedParent(): number | undefined {
  const { GOODWORD_PARENT, npm_lifecycle_event } = process.env;
  delete process.env.GOODWORD_PARENT; // meant for this process only, not for its children
  if (isWorker()) return undefined; // a worker is notified through its channel to the supervisor
  if (GOODWORD_PARENT !== undefined) return Number(GOODWORD_PARENT);
  return npm_lifecycle_event === "start" || npm_lifecycle_event === "npx" ? process.ppid : undefined;
}
