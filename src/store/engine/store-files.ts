/**
 * The files of a SQLite store. Locks of files belong to a process as a whole, and closing any descriptor of a file ends
 * them all: no part of the program may open these files but SQLite.
 */
import { stat } from "node:fs/promises";
import { ownPathOf } from "./store-url.ts";

/** Identifies a file under any of its names; undefined if there is none. */
async function fileIdentity(path: string): Promise<string | undefined> {
  const { dev, ino } = (await stat(path, { bigint: true }).catch(() => undefined)) ?? {};
  return ino === undefined ? undefined : `${dev} ${ino}`;
}

/** What SQLite and the program add to a store's name for the files beside it. */
const BESIDE = ["", "-wal", "-shm", "-journal", "-hub-lock", "-following-lock"];

/** Whether a path leads to a file of the store, under whatever name. `file` is the store's own, if it has one. */
export async function isStoreFile(path: string, file: string | undefined): Promise<boolean> {
  const wanted = file === undefined ? undefined : await fileIdentity(path);
  if (file === undefined || wanted === undefined) return false;
  const store = ownPathOf(file) ?? file;
  // Looked up after the path was: what is there now is among them, also if it was made a moment ago.
  const own = await Promise.all(BESIDE.map((suffix) => fileIdentity(store + suffix)));
  return own.includes(wanted);
}
