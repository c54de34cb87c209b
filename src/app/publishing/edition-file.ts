/**
 * Reads, writes and deletes the kept edition's file (`goodword.db.edition`), beside the embedded store. The file is
 * derived, so deleting it is harmless. Code that permanently removes text from the store must delete it.
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
import { basename, dirname, join, resolve } from "node:path";
import { sharedBytes } from "../../edition/column/shared-memory.ts";
import { storeFileOf } from "../../store/engine/store-url.ts";

const ENDING = ".edition";

/** Number of bytes hashed and written at a time, so that other work can run in between. */
const PIECE_BYTES = 1_000_000;

/** A partial file that is older than this was left by a killed process. */
const ABANDONED_MS = 600_000;

/** The file's bytes; undefined if there is no file or no store. */
export function readEditionFile(url: string): Uint8Array | undefined {
  const file = keptFileOf(url);
  if (file === undefined || !existsSync(file.store) || !existsSync(file.kept)) return undefined;
  const descriptor = openSync(file.kept, "r");
  try {
    const bytes = sharedBytes(fstatSync(descriptor).size);
    for (let read = 0; read < bytes.byteLength; ) {
      const count = readSync(descriptor, bytes, read, bytes.byteLength - read, read);
      if (count === 0) return undefined;
      read += count;
    }
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes the file atomically, readable only by its owner: `head`, the SHA-256 of `parts`, then `parts`. Does nothing if
 * `isCurrent` returns false, because the store has changed in the meantime, and deletes the file if that is so at the end.
 *
 * Nothing is written before `isCurrent` is asked for the first time: a partial file that is there when the store changes
 * is found by {@link deleteEditionFile}, and one that comes later stays empty. Therefore no file holds removed words once
 * the command that removed them has ended.
 */
export async function writeEditionFile(
  url: string,
  { head, parts }: { readonly head: Uint8Array; readonly parts: readonly Uint8Array[] },
  isCurrent: () => Promise<boolean>,
): Promise<void> {
  const file = keptFileOf(url);
  if (file === undefined) return;
  const part = `${file.kept}.${randomUUID()}.part`;
  for (const left of partsOf(file.kept)) {
    if (isAbandoned(left)) rmSync(left, { force: true });
  }
  try {
    if (!(await writePart(part, { head, parts }, isCurrent))) return;
    if (await isCurrent()) await rename(part, file.kept).catch(ignoreMissing);
    if (!(await isCurrent())) await rm(file.kept, { force: true });
  } finally {
    await rm(part, { force: true });
  }
}

/** Writes the partial file; false, with an empty file, if `isCurrent` returns false once the file is there. */
async function writePart(
  part: string,
  { head, parts }: { readonly head: Uint8Array; readonly parts: readonly Uint8Array[] },
  isCurrent: () => Promise<boolean>,
): Promise<boolean> {
  const hash = createHash("sha256");
  await using handle = await open(part, constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC, 0o600);
  if (!(await isCurrent())) return false;
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
 * Deletes partial files and then the file, since a server renames the one to the other. A running server saves its next
 * edition again.
 */
export function deleteEditionFile(url: string): void {
  const file = keptFileOf(url);
  if (file === undefined) return;
  for (const part of partsOf(file.kept)) rmSync(part, { force: true });
  rmSync(file.kept, { force: true });
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
  return names.map((name) => join(folder, name));
}

/** The name of the file itself: a command may name it by a link. Links among its folders lead to the same file beside it. */
function realNameOf(file: string): string {
  try {
    return realNameOf(resolve(dirname(file), readlinkSync(file)));
  } catch {
    return file; // no link, or not there yet
  }
}

function keptFileOf(url: string): { readonly store: string; readonly kept: string } | undefined {
  const named = storeFileOf(url);
  if (named === undefined) return undefined;
  const store = realNameOf(named);
  return { store, kept: `${store}${ENDING}` };
}
