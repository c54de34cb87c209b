/**
 * The files of a SQLite store. Locks of files belong to a process as a whole, and closing any descriptor of a file ends
 * them all: no part of the program may open these files but SQLite.
 */
import { type BigIntStats, statSync } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ownPathOf } from "./store-url.ts";

/** The most that a row of a store may have: a review with its reply has 2 MB, and 4 MB as JSON. A stranger may have made it. */
export const MAX_ROW_BYTES = 16_000_000;

/** Identifies a file under any of its names; undefined if there is none. */
async function fileIdentity(path: string, opened?: FileHandle): Promise<string | undefined> {
  const looking = opened === undefined ? stat(path, { bigint: true }) : opened.stat({ bigint: true });
  return await looking.then(identityOf, () => undefined);
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/** What SQLite and the program add to a store's name for the files beside it. */
const BESIDE = ["", "-wal", "-shm", "-journal", "-hub-lock", "-following-lock", "-notices-lock"];

/**
 * Whether a path leads to a file of the store, under any name. `file`: the store's own, if it has one; `opened`: the file
 * opened at the path, which may lead elsewhere by now.
 */
export async function isStoreFile(path: string, file: string | undefined, opened?: FileHandle): Promise<boolean> {
  if (file === undefined) return false;
  if (isCachedEdition(path, file)) return true;
  const wanted = await fileIdentity(path, opened);
  if (wanted === undefined) return false;
  // Looked up after the path, so a file made a moment ago is among them.
  return (await identitiesOf(file)).has(wanted);
}

/** Tells the files that are the store's now, each by its path and status, without a look at the disk for each. */
export async function storeFilesNow(file: string | undefined): Promise<(path: string, status: BigIntStats) => boolean> {
  if (file === undefined) return () => false;
  const own = await identitiesOf(file);
  return (path, status) => own.has(identityOf(status)) || isCachedEdition(path, file);
}

async function identitiesOf(file: string): Promise<ReadonlySet<string | undefined>> {
  const store = ownPathOf(file) ?? file;
  return new Set(await Promise.all(BESIDE.map((suffix) => fileIdentity(store + suffix))));
}

/** Whether it is the cached edition, also half-written. */
function isCachedEdition(path: string, file: string): boolean {
  return resolve(path).startsWith(`${resolve(ownPathOf(file) ?? file)}.edition`);
}

/** @throws Error for a pipe or a device: opening one would wait without an end. */
export function requireStoreFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw new Error(
    `The store ${path} is a pipe or a device, and no file. Nothing was changed. Set DATABASE_URL to sqlite:PATH with the path of a file`,
  );
}
