/**
 * Tells V8 of the memory that editions share between threads, so that it collects those of the past, when nobody waits:
 * a collection takes tens of milliseconds of the thread that answers.
 */
import { countShared } from "../../lib/shared-memory.ts";

/**
 * How long nothing else has come before editions are counted, in milliseconds, and how many may come before. In the first
 * second readers and subscribers want the new edition.
 */
const [QUIET_MS, MOST_UNCOUNTED] = [1_250, 2];

/**
 * Returns what counts the columns of each new edition in this thread, and hence collects those of the past: once their
 * readers and subscribers have been served, or when another edition has come before that.
 */
export function sharedCount(count: (editions: readonly object[]) => void = countShared): (columns: object) => void {
  let uncounted: object[] = [];
  let timer: NodeJS.Timeout | undefined;

  function countNow(): void {
    const editions = uncounted;
    uncounted = [];
    count(editions);
  }

  return (columns) => {
    clearTimeout(timer);
    uncounted.push(columns);
    timer = setTimeout(countNow, uncounted.length < MOST_UNCOUNTED ? QUIET_MS : 0).unref();
  };
}
