/** Waits for what a program does in its own time, with a deadline, and leaves the processor to that program. */
import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 20;
/** Longer than anything takes on a busy machine. */
const DEADLINE_MS = 120_000;
/** Whether the machine does nothing else: only then a test says how soon something happens. */
const IS_QUIET = process.env.GOODWORD_TEST_QUIET === "1";

/** Asks until the answer is true, and on a quiet machine fails after the time that the contract gives. */
export async function within(ms: number, attempt: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = IS_QUIET ? ms : DEADLINE_MS;
  const deadline = performance.now() + deadlineMs;
  while (!(await attempt())) {
    if (performance.now() > deadline) throw new Error(`Not within ${deadlineMs} ms: ${attempt}`);
    await pause(PAUSE_MS);
  }
}

/** Asks until the answer is true, however slow the machine is. */
export async function until(attempt: () => boolean | Promise<boolean>): Promise<void> {
  await within(DEADLINE_MS, attempt);
}
