/**
 * The files of a SQLite store. Locks of files belong to a process as a whole, and closing any descriptor of a file ends
 * them all: no part of the program may open these files but SQLite.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ownPathOf } from "./store-url.ts";

/** Identifies a file under any of its names; undefined if there is none. */
export async function fileIdentity(path: string): Promise<string | undefined> {
  const { dev, ino } = (await stat(path, { bigint: true }).catch(() => undefined)) ?? {};
  return ino === undefined ? undefined : `${dev} ${ino}`;
}

/** The identities of a store's file and of those beside it (log, locks, cached edition); none without a file. */
export async function storeFiles(file: string | undefined): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set();
  const path = ownPathOf(file) ?? file;
  const names = await readdir(dirname(path)).catch(() => [basename(path)]);
  const own = names.filter((name) => name.startsWith(basename(path))).map((name) => join(dirname(path), name));
  const identities = await Promise.all(own.map(fileIdentity));
  return new Set(identities.filter((identity) => identity !== undefined));
}
