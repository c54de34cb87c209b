/**
 * Reads, writes and deletes the kept edition's file (`goodword.db.edition`), beside the embedded store. The file is
 * derived, so deleting it is harmless. Code that permanently removes text from the store must delete it.
 *
 * The store may be named by a link, or by one that leads to another. The file is beside the store itself; beside the
 * links there may be one from before the store was moved, and it is deleted with it.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute } from "node:path";
import { sharedBytes } from "../../lib/shared-memory.ts";
import { storeFileOf } from "../../store/engine/store-url.ts";

const ENDING = ".edition";

/** Number of bytes hashed and written at a time, so that other work can run in between. */
const PIECE_BYTES = 1_000_000;

/** A partial file that is older than this was left by a killed process. */
const ABANDONED_MS = 600_000;

/**
 * The file's bytes; undefined if there is no file or no store. Opening does not wait, because a named pipe would have it
 * wait for somebody who writes.
 * @throws Error if what has the name is no file, or cannot be read.
 */
export function readEditionFile(url: string): Uint8Array | undefined {
  const file = keptFileOf(url);
  if (file === undefined || !existsSync(file.store) || !existsSync(file.kept)) return undefined;
  const descriptor = openSync(file.kept, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // Windows has none
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new Error("it is no file");
    const bytes = sharedBytes(found.size);
    for (let read = 0; read < bytes.byteLength; ) {
      const count = readSync(descriptor, bytes, read, bytes.byteLength - read, read);
      if (count === 0) throw new Error("it is damaged: it breaks off");
      read += count;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * When the store's file was made, in nanoseconds. It tells stores apart before they are opened, unless they were made
 * within a few milliseconds, and stays the same for as long as the store stays on its disk, whatever is written to it.
 * "0" on a file system that does not record it; "" without a file.
 */
export function birthOfStore(url: string): string {
  const store = realNameOf(url);
  const found = store === undefined ? undefined : statSync(store, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : String(found.birthtimeNs);
}

/**
 * Writes the file atomically, readable only by its owner: `head`, the SHA-256 of `parts`, then `parts`. Does nothing if
 * `isKeepable` returns false, because the store has changed in the meantime, and deletes the file if that is so at the end.
 * It must be false from the commit of a removal on, for good.
 *
 * Nothing is written before `isKeepable` is asked for the first time: a partial file that is there when the store changes
 * is found by {@link deleteEditionFile}, and one that comes later stays empty. Therefore no file holds removed words once
 * the command that removed them has ended.
 */
export async function writeEditionFile(
  url: string,
  { head, parts }: { readonly head: Uint8Array; readonly parts: readonly Uint8Array[] },
  isKeepable: () => Promise<boolean>,
): Promise<void> {
  const file = keptFileOf(url);
  if (file === undefined) return;
  const part = `${file.kept}.${randomUUID()}.part`;
  for (const left of partsOf(file.kept)) {
    if (isAbandoned(left)) rmSync(left, { force: true });
  }
  try {
    if (!(await writePart(part, { head, parts }, isKeepable))) return;
    if (await isKeepable()) await rename(part, file.kept).catch(ignoreMissing);
    if (!(await isKeepable())) await rm(file.kept, { force: true });
  } finally {
    await rm(part, { force: true });
  }
}

/** Writes the partial file; false, with an empty file, if `isKeepable` returns false once the file is there. */
async function writePart(
  part: string,
  { head, parts }: { readonly head: Uint8Array; readonly parts: readonly Uint8Array[] },
  isKeepable: () => Promise<boolean>,
): Promise<boolean> {
  const hash = createHash("sha256");
  await using handle = await open(part, constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC, 0o600);
  if (!(await isKeepable())) return false;
  let at = head.byteLength + 32;
  for (const bytes of parts) {
    for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      hash.update(piece);
      await handle.write(piece, 0, piece.byteLength, at);
      at += piece.byteLength;
    }
  }
  await handle.write(Buffer.concat([head, hash.digest()]), 0, undefined, 0);
  return true;
}

/**
 * Deletes the file, beside the store and beside every link to it. A running server saves its next edition again.
 * @throws Error that names what cannot be deleted.
 */
export function deleteEditionFile(url: string): void {
  deleteEditionFilesOfLinks(url);
  const file = keptFileOf(url);
  if (file !== undefined) deleteAll(partsOf(file.kept), file.kept);
}

/**
 * Deletes what was left beside the links of the store. A command that names the store itself cannot find that, so a
 * server that is started by a link does.
 */
export function deleteEditionFilesOfLinks(url: string): void {
  for (const name of namesOf(url).slice(0, -1)) {
    const kept = `${name}${ENDING}`;
    deleteAll(partsIfSeen(kept), existsSync(kept) ? kept : undefined); // what cannot be seen is not this user's
  }
}

/**
 * Deletes partial files first, since a server renames one to the file. A folder of that name is deleted with everything
 * in it.
 * @throws Error that names what cannot be deleted.
 */
function deleteAll(parts: readonly string[], kept: string | undefined): void {
  for (const file of [...parts, ...(kept === undefined ? [] : [kept])]) {
    try {
      rmSync(file, { force: true, recursive: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${file} cannot be deleted, and may hold words of reviews (${reason})`, { cause: error });
    }
  }
}

/** Ignores that the partial file is gone: a command has deleted it. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Whether a partial file was left long ago; false if it is gone by now. */
function isAbandoned(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

/** The partial files beside the kept edition's. */
function partsOf(kept: string): string[] {
  const [folder, start] = [dirname(kept), `${basename(kept)}.`];
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(".part"));
  return names.map((name) => `${folder}/${name}`);
}

/** The same of a folder that this user may not be allowed to list, because a link in it is enough. */
function partsIfSeen(kept: string): string[] {
  try {
    return partsOf(kept);
  } catch {
    return [];
  }
}

/** As many links as Linux follows from one name. More of them, or a circle, lead to no file. */
const MOST_LINKS = 40;

/** The names of the store: the given one, that of each link after it, and last that of the file itself. */
function namesOf(url: string): string[] {
  const names: string[] = [];
  for (let name = storeFileOf(url); name !== undefined && names.length <= MOST_LINKS; name = linkedFrom(name)) {
    names.push(name);
  }
  return names;
}

/** The name of the store's file itself. */
function realNameOf(url: string): string | undefined {
  return namesOf(url).at(-1);
}

/**
 * What a link leads to; undefined if there is no link of that name. The path is not simplified, because the system takes
 * `..` from the real folder. Folders that are links stay as they are: the program may not be allowed to read the folder
 * by its real name, as in a systemd unit with `DynamicUser`.
 */
function linkedFrom(name: string): string | undefined {
  try {
    const to = readlinkSync(name);
    return isAbsolute(to) ? to : `${dirname(name)}/${to}`;
  } catch {
    return undefined;
  }
}

function keptFileOf(url: string): { readonly store: string; readonly kept: string } | undefined {
  const store = realNameOf(url);
  return store === undefined ? undefined : { store, kept: `${store}${ENDING}` };
}
