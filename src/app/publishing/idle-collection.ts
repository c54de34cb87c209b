/**
 * Collects a thread's garbage once it has had nothing to do for a while. V8 collects when memory is allocated, so an idle
 * thread would keep what its last work left behind: as much again as it needs.
 */
import { type CollectNow, garbageCollector } from "../../analysis/garbage-collector.ts";

export interface IdleCollection {
  /** Work has begun: nothing is collected before it ends. */
  begin(): void;
  /** Work has ended. */
  end(): void;
}

/** Long enough that changes which follow one another do not wait for the collector. */
const IDLE_MS = 3_000;

/**
 * Opens without any work. `collect` is called twice after each period of work: what is left in pages that are nearly
 * empty is moved together only when a collection before has found them so.
 */
export function openIdleCollection(collect: () => void = collectGarbage): IdleCollection {
  let working = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      working++;
      clearTimeout(timer);
    },
    end() {
      working--;
      clearTimeout(timer);
      if (working === 0) collectIn(IDLE_MS, 2);
    },
  };

  function collectIn(waitMs: number, times: number): void {
    timer = setTimeout(() => {
      collect();
      if (times > 1) collectIn(waitMs, times - 1);
    }, waitMs).unref();
  }
}

let collectNow: CollectNow | undefined;

function collector(): CollectNow {
  collectNow ??= garbageCollector();
  return collectNow;
}

/**
 * Collects all garbage of this thread, which waits for it: some tenths of a second for a hundred thousand reviews. The
 * flavour collects again while more is freed, and gives the room back; otherwise that is left to a later collection.
 */
export function collectGarbage(): void {
  collector()({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Collects what this thread has made recently, which takes some milliseconds, so that there is room for what comes next.
 * V8 would collect when that room is full, as when an edition has just come and readers want it, and would then find that
 * the thread had been idle and go on to collect everything.
 */
export function collectYoungGarbage(): void {
  collector()({ type: "minor" });
}
