/**
 * Keeps a long import small. Left alone, V8 lets garbage grow with the machine's memory rather than with the work; an
 * import runs beside a server, often on a small machine, so it collects as soon as a fixed amount has come together.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const GROWTH_BYTES = 32_000_000;

/** A function to call between batches: collects when the heap has grown by 32 MB since it last did. */
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
