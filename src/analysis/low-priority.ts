/** Gives what runs beside the thread that answers a lower priority, so that readers wait less for it. */
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** By how much: beside one other thread, it gets a quarter of a processor. */
const NICENESS = 5;

/**
 * Lowers the priority of the calling thread. Linux has one for each thread; elsewhere this does nothing, because there
 * it would be that of the whole process.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isInteger(thread) && thread !== process.pid) setPriority(thread, Math.min(19, getPriority() + NICENESS));
  } catch {
    // no Linux, or no /proc: the thread competes with the others as they do with each other
  }
}
