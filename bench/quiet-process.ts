/** Waits until a process is at rest: a server goes on working for seconds after it has begun to answer. */
import { setTimeout as wait } from "node:timers/promises";
import { processorSeconds } from "./processor.ts";

/**
 * With 100,000 reviews a server pauses for up to three seconds between rendering, collecting garbage and compressing
 * large documents. At rest it uses some 10 ms of each window.
 */
const [WINDOW_MS, MAX_BUSY_MS, TIMEOUT_MS] = [500, 40, 30_000];
export const QUIET_WINDOWS = 7;

/** For a server that readers go on asking, 140 times a second: {@link MAX_BUSY_MS} with their requests. */
export const MAX_BUSY_WITH_READERS_MS = 100;

/** Waits for consecutive windows in which the process hardly worked. False after 30 seconds without them. */
export async function untilQuiet(pid: number, windows = QUIET_WINDOWS, maxBusyMs = MAX_BUSY_MS): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let quiet = 0; quiet < windows; ) {
    if (performance.now() > deadline) return false;
    const before = processorSeconds(pid);
    await wait(WINDOW_MS);
    quiet = (processorSeconds(pid) - before) * 1000 > maxBusyMs ? 0 : quiet + 1;
  }
  return true;
}
