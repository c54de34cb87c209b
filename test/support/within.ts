/** Waits for what a program does in its own time, with a deadline, and leaves the processor to that program. */
import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 20;
/** Longer than anything takes on a busy machine. */
const DEADLINE_MS = 60_000;
/** On a machine that is not busy one attempt takes less. */
const ATTEMPT_MS = 100;

/** Asks until the answer is true, and fails after the time that the contract gives, of a machine that is not busy. */
export async function within(ms: number, attempt: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms;
  for (let attempts = 1; !(await attempt()); attempts++) {
    if (performance.now() > deadline && attempts * ATTEMPT_MS > ms) throw new Error(`Not within ${ms} ms: ${attempt}`);
    await pause(PAUSE_MS);
  }
}

/** Asks until the answer is true, however slow the machine is. */
export async function until(attempt: () => boolean | Promise<boolean>): Promise<void> {
  await within(DEADLINE_MS, attempt);
}
