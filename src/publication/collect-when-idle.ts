/** Collects a thread's garbage while it is idle. */
import { garbageCollector } from "../analysis/garbage-collector.ts";

/** The last resort also gives free pages back to the system. */
const EVERYTHING = { type: "major", execution: "sync", flavor: "last-resort" };

/**
 * Returns a function to call after each piece of work. Once it has not been called for `idleMs`, V8 collects this
 * thread's garbage. V8 itself would wait until more is allocated, and it does not count memory that threads share, so
 * former editions would stay.
 */
export function collectWhenIdle(idleMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const collect = garbageCollector();
      collect(EVERYTHING);
      collect(EVERYTHING);
    }, idleMs).unref();
  };
}
