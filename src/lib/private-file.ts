/** A temporary file without a name: nothing of it is left when it is closed, or when the process ends in whatever way. */
import { randomUUID } from "node:crypto";
import { constants, read, unlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Linux's flag for a file that never has a name. It includes the flag for folders, because a folder is opened. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY;
const CHUNK_BYTES = 65_536;

/** Opens an empty file in the folder for reading and writing. @throws Error if none can be made there. */
export async function openPrivateFile(folder = tmpdir()): Promise<FileHandle> {
  if (process.platform !== "linux") return await openUnlinked(folder);
  try {
    return await open(folder, constants.O_RDWR | O_TMPFILE, 0o600);
  } catch {
    return await openUnlinked(folder); // the folder's disk has no such files
  }
}

/** Opens a private file that holds these bytes. */
export async function privateFileOf(bytes: Uint8Array): Promise<FileHandle> {
  const file = await openPrivateFile();
  await writeWhole(file, bytes, 0);
  return file;
}

/** Takes the name away at once. A process that is killed between the two calls leaves an empty file. */
async function openUnlinked(folder: string): Promise<FileHandle> {
  const path = join(folder, `goodword-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  unlinkSync(path);
  return file;
}

/** Writes all of the bytes at a position. */
export async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
}

const readAt = promisify(read);

/** Reads the bytes of an open file from one position up to another or the end. Any thread of the process may do so. */
export async function* bytesOf(descriptor: number, from = 0, to = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const length = Math.min(CHUNK_BYTES, to - at);
    const { bytesRead, buffer } = await readAt(descriptor, Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
