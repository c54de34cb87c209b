/** Reads the small files by which a folder says what it is. Somebody else may have written it. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Files of settings and businesses have some kilobytes. */
const MAX_BYTES = 1_000_000;

/**
 * The text of a small file without its byte order mark; undefined if there is none. Nothing is waited for: a named pipe
 * in its place would have the whole process wait.
 * @throws Error if it cannot be read, is no regular file, or is larger than a megabyte.
 */
export function readSmallFile(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`${path} is no file. Put a file in its place, or remove it`);
    if (status.size > MAX_BYTES) throw new Error(`${path} is larger than a megabyte, the most that it may have`);
    return readFileSync(descriptor, "utf8").replace(/^\uFEFF/, "");
  } finally {
    closeSync(descriptor);
  }
}
