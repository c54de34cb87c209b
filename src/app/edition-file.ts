/**
 * The file beside the embedded store in which a server keeps the edition that it published last, so that the next start
 * serves at once. It is derived: deleting it is harmless. Whoever takes words out of the store for good must delete it.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, globSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";

const ENDING = ".edition";

/** So many bytes are hashed and written at a time: other work goes on in between. */
const PIECE_BYTES = 1_000_000;

/** A file that nobody has written to for so long was left by a process that was killed. */
const ABANDONED_MS = 600_000;

/** The bytes of the kept file, or undefined when there is none or there is no store beside it. */
export function readKeptEdition(url: string): Uint8Array | undefined {
  const file = keptFileOf(url);
  if (file === undefined || !existsSync(file.store) || !existsSync(file.kept)) return undefined;
  const descriptor = openSync(file.kept, "r");
  try {
    const bytes = new Uint8Array(fstatSync(descriptor).size);
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
 * Writes the kept file whole or not at all, readable by its owner alone: `head`, the SHA-256 of `parts`, then `parts`.
 * When `isCurrent` says at the end that the store has moved on meanwhile, nothing is left.
 */
export async function writeKeptEdition(
  url: string,
  { head, parts }: { readonly head: Uint8Array; readonly parts: readonly Uint8Array[] },
  isCurrent: () => Promise<boolean>,
): Promise<void> {
  const file = keptFileOf(url);
  if (file === undefined) return;
  const part = `${file.kept}.${process.pid}.part`;
  for (const left of globSync(`${file.kept}.*.part`)) {
    if (Date.now() - statSync(left).mtimeMs > ABANDONED_MS) rmSync(left, { force: true });
  }
  const hash = createHash("sha256");
  const handle = await open(part, constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC, 0o600);
  try {
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
  } finally {
    await handle.close();
  }
  if (await isCurrent()) await rename(part, file.kept);
  if (!(await isCurrent())) await rm(file.kept, { force: true });
  await rm(part, { force: true });
}

/** Deletes the kept edition and what a server may be writing of one. A server that runs keeps its next edition again. */
export function forgetKeptEdition(url: string): void {
  const file = keptFileOf(url);
  if (file === undefined) return;
  rmSync(file.kept, { force: true });
  for (const part of globSync(`${file.kept}.*.part`)) rmSync(part, { force: true });
}

function keptFileOf(url: string): { readonly store: string; readonly kept: string } | undefined {
  const store = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : "";
  return store === "" || store === ":memory:" ? undefined : { store, kept: `${store}${ENDING}` };
}
