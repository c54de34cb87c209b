/**
 * Limits the memory of a long import. V8 lets garbage grow with the machine's memory; an import often runs beside a
 * server on a small machine, so it collects garbage whenever the heap has grown by a fixed amount.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const GROWTH_BYTES = 32_000_000;

/**
 * Returns a function to call between batches. It collects garbage when the heap has grown by 32 MB since the last time.
 */
export function makeHeapLimit(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let floor = getHeapStatistics().used_heap_size;
  return () => {
    if (getHeapStatistics().used_heap_size < floor + GROWTH_BYTES) return;
    collect();
    floor = getHeapStatistics().used_heap_size;
  };
}
