/** Waits for what a program does in its own time, with a deadline, and leaves the processor to that program. */
import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 20;
/** Longer than anything takes on a busy machine. */
const DEADLINE_MS = 60_000;
/** How many times longer than the contract gives of a quiet machine: 1 to prove its times on one. */
const PATIENCE = Number(process.env.GOODWORD_TEST_PATIENCE ?? 12);

/** Asks until the answer is true, and fails after the time that the contract gives, times the patience. */
export async function within(ms: number, attempt: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms * PATIENCE;
  while (!(await attempt())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms * PATIENCE} ms: ${attempt}`);
    await pause(PAUSE_MS);
  }
}

/** Asks until the answer is true, however slow the machine is. */
export async function until(attempt: () => boolean | Promise<boolean>): Promise<void> {
  await within(DEADLINE_MS / PATIENCE, attempt);
}
