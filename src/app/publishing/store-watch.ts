/**
 * Notices that something is written to an embedded store, by whichever process: a hint to look at it now instead of at
 * the next interval. Where files cannot be watched there are no hints, and changes are seen a moment later.
 */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { storeFileOf } from "../../store/engine/store-url.ts";

/** What a write changes first: the write-ahead log, or the notice of a change. */
const ENDINGS = ["-wal", ".change"];

/** Calls back for each write until it is disposed of. */
export function watchStore(url: string, onWrite: () => void): Disposable {
  const path = storeFileOf(url);
  if (path === undefined) return { [Symbol.dispose]: () => {} };
  const names = ENDINGS.map((ending) => `${basename(path)}${ending}`);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name !== null && names.includes(name)) onWrite();
    });
    watcher.on("error", () => watcher?.close()); // the folder is gone, say
  } catch {
    // no folder yet, or no more watches
  }
  return { [Symbol.dispose]: () => watcher?.close() };
}
