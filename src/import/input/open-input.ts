/** Opens a file to import, so that no other file, no device and no store is read if its name leads elsewhere meanwhile. */
import { constants, existsSync } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { Invalid } from "../../issue.ts";
import { isStoreFile } from "../../store/engine/store-files.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Linux's flag for a descriptor that only names a file: having it waits for no pipe, and closing it ends no lock. */
const O_PATH = 0o10_000_000;
const DESCRIPTORS = "/proc/self/fd";
const canPin = process.platform === "linux" && existsSync(DESCRIPTORS);
/** Descriptors of files of a store, opened where there is no O_PATH. Closing one would end SQLite's locks. */
const neverClosed: FileHandle[] = [];

/** Where a file is. */
export interface InputPath {
  readonly path: string;
  /** For a file that was found in a folder: its path without links, which it must have. The user's own may be a link. */
  readonly foundAt?: string | undefined;
  readonly storeFile?: string | undefined;
}

/**
 * Opens the file for reading. All that is checked is asked of the file itself and not of its name, which may lead
 * elsewhere a moment later.
 * @throws Invalid if it is no regular file, is a file of the store, or was found in a folder and is not there now.
 */
export async function openInput({ path, foundAt, storeFile }: InputPath): Promise<FileHandle> {
  if (!canPin && (await isStoreFile(path, storeFile))) throw ofStore(path);
  const isFound = foundAt !== undefined;
  const flags = (canPin ? O_PATH : O_RDONLY | O_NONBLOCK) | (isFound ? O_NOFOLLOW : 0);
  const found = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" && isFound ? notThere(path) : error;
  });
  let isReturned = false;
  try {
    if (await isStoreFile(path, storeFile, found)) {
      if (!canPin) neverClosed.push(found);
      throw ofStore(path);
    }
    if (!(await found.stat()).isFile() || (isFound && !(await isAt(found, path, foundAt)))) throw notThere(path);
    if (canPin) return await open(`${DESCRIPTORS}/${found.fd}`, O_RDONLY | O_NONBLOCK);
    isReturned = true;
    return found;
  } finally {
    if (!isReturned && !neverClosed.includes(found)) await found.close();
  }
}

/** A folder's path without links. */
export async function folderPath(path: string): Promise<string> {
  if (!canPin) return await realpath(path);
  await using folder = await open(path, O_PATH);
  return await readlink(`${DESCRIPTORS}/${folder.fd}`);
}

/** Whether an open file has the path. Elsewhere than on Linux, that is the path's file a moment after it was opened. */
async function isAt(file: FileHandle, path: string, foundAt: string): Promise<boolean> {
  if (canPin) return (await readlink(`${DESCRIPTORS}/${file.fd}`)) === foundAt;
  const [own, named] = [await file.stat({ bigint: true }), await stat(path, { bigint: true })];
  return (await realpath(path)) === foundAt && own.dev === named.dev && own.ino === named.ino;
}

function ofStore(path: string): Invalid {
  return refusal(path, "is a file of the store into which it would be imported: name the files with reviews instead");
}

function notThere(path: string): Invalid {
  return refusal(
    path,
    "is not the file any more that the folder held: it was replaced during the import. Import again",
  );
}

function refusal(path: string, fault: string): Invalid {
  return new Invalid([{ code: "path", path: [path], message: `${path} ${fault}` }]);
}
