/**
 * Locks of a SQLite store. Each is a group of numbers, for which the process holds an exclusive transaction on a small,
 * empty file beside the store. The kernel ends it when the process dies, and only then.
 */
import { chownSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { ProcessLocks } from "./process-locks.ts";
import { createPrivateFile, isBusy } from "./sqlite.ts";
import { ownPathOf } from "./store-url.ts";

/** A lock that is held, with the numbers that were taken of its group. */
interface HeldGroup {
  readonly end: () => void;
  readonly ids: Set<number>;
}

/**
 * Opens the locks of a store in `file`, or in memory. `groupOf` names the group of a number: numbers of a group are held
 * by one process together. `store` identifies a store in memory.
 */
export function openFileLocks(
  { file, store }: { readonly file: string | undefined; readonly store: object },
  groupOf: (id: number) => string,
): ProcessLocks {
  const held = new Map<string, HeldGroup>();

  function lock(group: string): HeldGroup | undefined {
    const path = file === undefined ? undefined : (ownPathOf(file) ?? file);
    const end = path === undefined ? lockInMemory(store, group) : lockFile(`${path}-${group}-lock`, path);
    if (end === undefined) return undefined;
    const ids = new Set<number>();
    held.set(group, { end, ids });
    return { end, ids };
  }

  return {
    async take(ids) {
      const taken: number[] = [];
      for (const [group, wanted] of Map.groupBy(ids, groupOf)) {
        const { ids: own } = held.get(group) ?? lock(group) ?? {};
        for (const id of own === undefined ? [] : wanted.filter((each) => !own.has(each))) {
          own?.add(id);
          taken.push(id);
        }
      }
      return { session: 0, ids: taken };
    },
    async release(ids) {
      for (const id of ids) {
        const group = held.get(groupOf(id));
        if (!group?.ids.delete(id) || group.ids.size > 0) continue;
        held.delete(groupOf(id));
        group.end();
      }
    },
    session: () => 0,
    async beat() {},
    async close() {
      for (const { end } of held.values()) end();
      held.clear();
    },
  };
}

/**
 * Locks a file beside the store without waiting. Returns the function that ends the lock; undefined if another connection
 * holds it. The file belongs to the store's owner, as SQLite's own do: a command of root's must not shut out the server.
 */
function lockFile(path: string, store: string): (() => void) | undefined {
  createPrivateFile(path);
  const { uid, gid } = statSync(store);
  if (process.getuid?.() === 0 && statSync(path).uid !== uid) chownSync(path, uid, gid);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec("pragma journal_mode = memory; begin exclusive"); // no second file for a journal
    return () => connection.close();
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** The groups that are locked in each store in memory. */
const lockedInMemory = new WeakMap<object, Set<string>>();

function lockInMemory(store: object, group: string): (() => void) | undefined {
  const locked = lockedInMemory.getOrInsertComputed(store, () => new Set());
  if (locked.has(group)) return undefined;
  locked.add(group);
  return () => locked.delete(group);
}
