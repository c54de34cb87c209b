/** Runs V8's garbage collector on request. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects at once: all of this thread's garbage, unless the options ask for less. */
export type CollectNow = (options?: Readonly<Record<string, string>>) => void;

/**
 * The collector of this thread. V8's settings are as before when it returns: code that is kept is only used with the
 * settings that it was made with, and they are those of all threads.
 */
export function garbageCollector(): CollectNow {
  if (globalThis.gc !== undefined) return globalThis.gc as CollectNow; // Node was started with --expose-gc
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectNow;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
