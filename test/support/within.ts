/** Waits for what a program does in its own time, with a deadline, and leaves the processor to that program. */
import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 20;
/** Longer than anything takes on a busy machine: how soon something happens is no subject of a test. */
const DEADLINE_MS = 120_000;

/** Asks until the answer is true, however slow the machine is. */
export async function until(attempt: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await attempt())) {
    if (performance.now() > deadline) throw new Error(`Not within ${DEADLINE_MS} ms: ${attempt}`);
    await pause(PAUSE_MS);
  }
}
