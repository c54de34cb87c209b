/**
 * The files of a SQLite store. Locks of files belong to a process as a whole, and closing any descriptor of a file ends
 * them all: no part of the program may open these files but SQLite.
 */
import { type FileHandle, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ownPathOf } from "./store-url.ts";

/** Identifies a file under any of its names; undefined if there is none. */
async function fileIdentity(path: string, opened?: FileHandle): Promise<string | undefined> {
  const looking = opened === undefined ? stat(path, { bigint: true }) : opened.stat({ bigint: true });
  const { dev, ino } = (await looking.catch(() => undefined)) ?? {};
  return ino === undefined ? undefined : `${dev} ${ino}`;
}

/** What SQLite and the program add to a store's name for the files beside it. */
const BESIDE = ["", "-wal", "-shm", "-journal", "-hub-lock", "-following-lock", "-notices-lock"];

/**
 * Whether a path leads to a file of the store, under whatever name. `file` is the store's own, if it has one; `opened`: what
 * was opened at the path, which may lead elsewhere by now.
 */
export async function isStoreFile(path: string, file: string | undefined, opened?: FileHandle): Promise<boolean> {
  if (file === undefined) return false;
  const store = ownPathOf(file) ?? file;
  if (resolve(path).startsWith(`${resolve(store)}.edition`)) return true; // the cached edition, also half-written
  const wanted = await fileIdentity(path, opened);
  if (wanted === undefined) return false;
  // Looked up after the path was: what is there now is among them, also if it was made a moment ago.
  const own = await Promise.all(BESIDE.map((suffix) => fileIdentity(store + suffix)));
  return own.includes(wanted);
}
