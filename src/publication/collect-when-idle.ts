/** Collects a thread's garbage while it is idle. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: Readonly<Record<string, string>>) => void;

/**
 * Returns a function to call after each piece of work. Once it has not been called for `idleMs`, V8 collects this
 * thread's garbage. V8 itself would wait until more is allocated, and it does not count memory that threads share, so
 * former editions would stay. With `isThorough` it collects until nothing is left and returns free pages to the system:
 * several collections, for when no reader waits for the thread.
 */
export function collectWhenIdle(idleMs: number, { isThorough }: { readonly isThorough: boolean }): () => void {
  let timer: NodeJS.Timeout | undefined;
  const options = { type: "major", execution: "sync", flavor: isThorough ? "last-resort" : "regular" };
  function collectLater(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const collect = garbageCollector();
      if (collect === undefined) collectLater();
      else collect(options);
    }, idleMs).unref();
  }
  return collectLater;
}

/**
 * The collector of this thread; undefined if another thread, which does the same, has set the flag back meanwhile: flags
 * are those of all threads. They are as before when it returns, because compiled code is cached for the flags that it was
 * compiled with.
 */
function garbageCollector(): Collect | undefined {
  if (globalThis.gc !== undefined) return globalThis.gc as Collect; // Node was started with --expose-gc
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as Collect | undefined;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
