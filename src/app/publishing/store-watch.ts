/**
 * Notices that something is written to an embedded store, by whichever process: a hint to look at it now instead of at
 * the next interval. Where files cannot be watched there are no hints, and changes are seen a moment later.
 */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { EAGER_MS } from "../../edition/publisher.ts";
import { storeFileOf } from "../../store/engine/store-url.ts";

/** The files that are written to: the write-ahead log, the notice of a change, and the store when the log is moved to it. */
const ENDINGS = ["-wal", ".change", ""];

/** How long looking goes on after the last write that was not noticed: a commit is seen a moment after its write. */
const LOOKED_ON_MS = 150;

/**
 * How long nothing is watched after a write. A large import writes tens of thousands of times, and each would take the
 * thread from readers.
 */
export const UNWATCHED_MS = EAGER_MS - LOOKED_ON_MS;

/** When watching is tried again after it has failed: the folder may be back. */
const RETRY_MS = 1_000;

/**
 * Calls back when something is written, until it is disposed of. Writes in the `UNWATCHED_MS` after that are not noticed:
 * whoever is called looks at the store for longer.
 */
export function watchStore(url: string, onWrite: () => void): Disposable {
  const path = storeFileOf(url);
  if (path === undefined) return { [Symbol.dispose]: () => {} };
  const folder = dirname(path);
  const names = ENDINGS.map((ending) => `${basename(path)}${ending}`);
  let watcher: FSWatcher | undefined;
  let pause: NodeJS.Timeout | undefined;

  function start(): void {
    try {
      watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (!names.includes(name ?? "")) return;
        startIn(UNWATCHED_MS);
        onWrite();
      });
      watcher.on("error", () => startIn(RETRY_MS)); // the folder is gone, say
    } catch {
      startIn(RETRY_MS); // no folder yet, or no more watches
    }
  }

  function startIn(milliseconds: number): void {
    stop();
    pause = setTimeout(start, milliseconds).unref();
  }

  function stop(): void {
    watcher?.close();
    clearTimeout(pause);
  }

  start();
  return { [Symbol.dispose]: stop };
}
