/** Reads the small files by which a folder says what it is. Somebody else may have written it. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { sep } from "node:path";

/** Files of settings and businesses have some kilobytes. */
const MEGABYTE = 1_000_000;

/** The text of a small file without its byte order mark, read as `readSmallBytes` does; undefined if there is none. */
export function readSmallFile(path: string, within?: string, maxBytes?: number): string | undefined {
  return readSmallBytes(path, within, maxBytes)
    ?.toString("utf8")
    .replace(/^\uFEFF/, "");
}

/**
 * The bytes of a small file; undefined if there is none. Nothing is waited for: a named pipe
 * in its place would have the whole process wait. `within` is the folder that it must lie in: whoever may write there can
 * put a link in its place at any moment, so the file that was opened is judged. `maxBytes`: the most that it may have.
 * @throws Error if it cannot be read, is no regular file, is larger than a megabyte, or lies elsewhere.
 */
export function readSmallBytes(path: string, within?: string, maxBytes = MEGABYTE): Buffer | undefined {
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
    if (within !== undefined && !liesIn(within, { path, descriptor, status }))
      throw new Error(`${path} leads out of the site's folder. Put the file itself in its place`);
    if (status.size > maxBytes) {
      const most = maxBytes === MEGABYTE ? "a megabyte" : `${maxBytes / MEGABYTE} megabytes`;
      throw new Error(`${path} is larger than ${most}, the most that it may have`);
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

interface OpenedFile {
  readonly path: string;
  readonly descriptor: number;
  readonly status: Stats;
}

/** Whether the opened file is the one in the folder of this name, or one that a link there leads to within the folder. */
function liesIn(folder: string, { path, descriptor, status }: OpenedFile): boolean {
  const isSame = (other: Stats) => other.ino === status.ino && other.dev === status.dev;
  const named = lstatSync(path);
  if (!named.isSymbolicLink()) return isSame(named);
  const real = pathOf(descriptor) ?? realpathSync(path);
  return real.startsWith(`${realpathSync(folder)}${sep}`) && isSame(lstatSync(real));
}

/** Where an open file is; undefined where the system does not tell. */
function pathOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
