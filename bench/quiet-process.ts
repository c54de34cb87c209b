/** Waits until a process is at rest: a server goes on working for seconds after it has begun to answer. */
import { setTimeout as wait } from "node:timers/promises";
import { processorSeconds } from "./processor.ts";

/**
 * A server with 100,000 reviews prepares its rendering thread for a second, collects that thread's garbage three seconds
 * later, begins with the codings of large documents after five seconds, and collects once more: a pause of three seconds
 * is not yet rest. At rest it uses some 10 ms of each half second.
 */
const [WINDOW_MS, QUIET_WINDOWS, MOST_MS, DEADLINE_MS] = [500, 7, 40, 30_000];

/** Waits until a process has hardly worked for three and a half seconds. False if that takes too long. */
export async function untilQuiet(pid: number): Promise<boolean> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let quiet = 0; quiet < QUIET_WINDOWS; ) {
    if (performance.now() > deadline) return false;
    const before = processorSeconds(pid);
    await wait(WINDOW_MS);
    quiet = (processorSeconds(pid) - before) * 1000 > MOST_MS ? 0 : quiet + 1;
  }
  return true;
}
