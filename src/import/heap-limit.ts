/**
 * Limits the memory of a long import. V8 lets garbage grow with the machine's memory; an import often runs beside a
 * server on a small machine, so it collects garbage whenever what has outlived the young generation has grown by a
 * fixed amount. Most of an import's garbage dies young, which costs next to nothing.
 */
import { getHeapSpaceStatistics } from "node:v8";
import { garbageCollector } from "../analysis/garbage-collector.ts";

const GROWTH_BYTES = 16_000_000;

/**
 * Returns a function to call between batches. It collects garbage when the old generation has grown by 16 MB since the
 * last time.
 */
export function makeHeapLimit(): () => void {
  const collect = garbageCollector();
  let floor = oldBytes();
  return () => {
    if (oldBytes() < floor + GROWTH_BYTES) return;
    collect();
    floor = oldBytes();
  };
}

function oldBytes(): number {
  return getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_used_size }) => (/^new_/.test(space_name) ? sum : sum + space_used_size),
    0,
  );
}
