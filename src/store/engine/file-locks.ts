/**
 * Locks of a SQLite store. Each is a group of numbers, for which the process holds an exclusive transaction on a small,
 * empty file beside the store. The kernel ends it when the process dies, and only then.
 */
import { lstatSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { ProcessLocks } from "./process-locks.ts";
import { createPrivateFile, isBusy } from "./sqlite.ts";
import { ownPathOf } from "./store-url.ts";

/** A lock that is held, with the numbers that were taken of its group. */
interface HeldGroup {
  readonly end: () => void;
  /** Whether the locked file is still the one that other processes find. */
  readonly isThere: () => boolean;
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
  let session = 0;

  function lock(group: string): HeldGroup | undefined {
    const path = file === undefined ? undefined : (ownPathOf(file) ?? file);
    const locked = path === undefined ? lockInMemory(store, group) : lockFile(`${path}-${group}-lock`, path);
    if (locked === undefined) return undefined;
    const taken = { ...locked, ids: new Set<number>() };
    held.set(group, taken);
    return taken;
  }

  function release(ids: readonly number[]): void {
    for (const id of ids) {
      const group = held.get(groupOf(id));
      if (!group?.ids.delete(id) || group.ids.size > 0) continue;
      held.delete(groupOf(id));
      group.end();
    }
  }

  return {
    async take(ids) {
      const taken: number[] = [];
      try {
        for (const [group, wanted] of Map.groupBy(ids, groupOf)) {
          const { ids: own } = held.get(group) ?? lock(group) ?? {};
          for (const id of own === undefined ? [] : wanted.filter((each) => !own.has(each))) {
            own?.add(id);
            taken.push(id);
          }
        }
      } catch (error) {
        release(taken); // the caller knows of none of them, and would ask for them in vain from then on
        throw error;
      }
      return { session, ids: taken };
    },
    release: async (ids) => release(ids),
    session: () => session,
    async beat() {
      if ([...held.values()].every(({ isThere }) => isThere())) return;
      // A lock file was deleted, so another process can lock a new one: start again, with all of them.
      for (const { end } of held.values()) end();
      held.clear();
      session++;
    },
    async close() {
      for (const { end } of held.values()) end();
      held.clear();
    },
  };
}

type Lock = Pick<HeldGroup, "end" | "isThere">;

/**
 * Locks a file beside the store without waiting. Undefined if another connection holds it. The file belongs to the store's owner, as SQLite's own do: a command of root's must not shut out the server.
 */
function lockFile(path: string, store: string): Lock | undefined {
  createPrivateFile(path, statSync(store));
  if (!lstatSync(path).isFile()) throw new Error(`${path} is no file of its own, but a link or a folder: remove it`);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec("pragma journal_mode = memory; begin exclusive"); // no second file for a journal
    const { dev, ino } = statSync(path);
    const isThere = () => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.ino === ino && found.dev === dev;
    };
    return { end: () => connection.close(), isThere };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** The groups that are locked in each store in memory. */
const lockedInMemory = new WeakMap<object, Set<string>>();

function lockInMemory(store: object, group: string): Lock | undefined {
  const locked = lockedInMemory.getOrInsertComputed(store, () => new Set());
  if (locked.has(group)) return undefined;
  locked.add(group);
  return { end: () => locked.delete(group), isThere: () => true };
}
