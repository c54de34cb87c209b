/** A folder of static files written by this program. Its manifest lists them, so that outdated ones can be removed. */
import { closeSync, openSync, realpathSync, writeSync } from "node:fs";
import { constants, type FileHandle, lstat, open, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { z } from "zod";
import { makeFolder } from "../../lib/make-folder.ts";
import { readSmallFile } from "../../lib/small-file.ts";
import { origin } from "../config.ts";

/** The file that lists the exported files. */
const MANIFEST = ".goodword-export.json";
/** A line for each file of an export that is under way, so that the next one knows what an interrupted one has left. */
const BEGUN = ".goodword-export.begun";
/** A review takes some 50 bytes of it. */
const MAX_MANIFEST_BYTES = 200_000_000;
/** The end of a file's name until it is whole. */
const PART = ".part";
const ADDRESS_BYTES = 4_096;
const ADDRESS = /^\{\s*"base_url": ("[^"\\]*")/;

const manifestSchema = z.object({
  base_url: z.string(),
  /** Whether the bundled sample was exported. */
  sample: z.boolean(),
  /** Paths below the folder, with slashes, sorted. */
  files: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

export interface SiteFile {
  /** Path below the folder, with slashes. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Reads the folder's state: empty, foreign files, or an earlier export. */
export async function readSite(folder: string): Promise<"empty" | "foreign" | Manifest> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    if (error.code === "ENOTDIR")
      throw new Error(`${folder} is a file. Name a folder for the export.`, { cause: error });
    throw error;
  });
  if (names.length === 0) return "empty";
  if (!names.includes(MANIFEST)) return "foreign";
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readOwn(folder, MANIFEST)));
    const begun = names.includes(BEGUN) ? await readOwn(folder, BEGUN) : "";
    return { ...manifest, files: [...new Set([...manifest.files, ...begun.split("\n").flatMap(pathOf)])] };
  } catch (error) {
    throw new Error(
      `${join(folder, MANIFEST)} is damaged, so it cannot be told which files an earlier export wrote. Delete it, or export to a new folder.`,
      { cause: error },
    );
  }
}

/** A path by its line. The last line may have been cut off, before its file was written. */
function pathOf(line: string): string | [] {
  try {
    return String(JSON.parse(line));
  } catch {
    return [];
  }
}

/** @throws Error for what is no regular file of the folder, or too large. */
async function readOwn(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  if (!(await lstat(path)).isFile()) throw new Error(`${name} is no regular file`);
  return readSmallFile(path, folder, MAX_MANIFEST_BYTES) ?? "";
}

/** An export of before: its address, and when it was written. */
export interface EarlierExport {
  readonly address: string;
  readonly writtenAt: Date;
}

/**
 * What an earlier export was written for, and when; undefined if none can be told. Only the manifest's beginning is read,
 * because it lists every file, and nothing is waited for.
 */
export async function earlierExport(folder: string): Promise<EarlierExport | undefined> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let manifest: FileHandle | undefined;
  try {
    manifest = await open(join(folder, MANIFEST), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const status = await manifest.stat();
    if (!status.isFile()) return undefined;
    const { buffer, bytesRead } = await manifest.read(Buffer.alloc(ADDRESS_BYTES), 0, ADDRESS_BYTES, 0);
    const text = ADDRESS.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
    const address = text === undefined ? undefined : origin(String(JSON.parse(text)));
    return address === undefined ? undefined : { address, writtenAt: status.mtime };
  } catch {
    return undefined;
  } finally {
    await manifest?.close();
  }
}

/**
 * Writes files below a folder, each atomically, and removes files from an earlier export that are not in this one.
 * Other files are unchanged, and no link in the folder is followed. With `within`, the folder itself must lie in that one
 * and be no link. Returns the numbers of written and removed files.
 */
export async function writeSite(
  given: string,
  files: AsyncIterable<SiteFile> | Iterable<SiteFile>,
  about: Omit<Manifest, "files">,
  within?: string,
): Promise<{ readonly written: number; readonly removed: number }> {
  const before = await readSite(given);
  const previous = typeof before === "string" ? [] : before.files;
  makeFolder(given);
  const folder = realpathSync(given); // a link that comes into its place from now on is refused
  if (within !== undefined && folder !== join(realpathSync(within), basename(given))) throw linkFault(given);
  const written: string[] = [];
  let begun: Begun | undefined;
  try {
    for await (const { path, body } of files) {
      if (!isBelow(path)) throw new Error(`${JSON.stringify(path)} does not lie below ${folder}. It was not written.`);
      if (begun === undefined) await writeManifest(folder, { ...about, files: previous });
      begun ??= await openBegun(folder);
      begun.add(path);
      await writeWhole(folder, path, body);
      written.push(path);
    }
  } finally {
    begun?.close();
  }
  const current = new Set(written);
  const stale = previous.filter((path) => !current.has(path) && isBelow(path));
  for (const path of stale) await removeFile(folder, path);
  await writeManifest(folder, { ...about, files: written });
  await rm(join(folder, BEGUN), { force: true });
  return { written: written.length, removed: stale.length };
}

interface Begun {
  add(path: string): void;
  close(): void;
}

/** Begins the list of what an export writes. The manifest already has what the list of an interrupted one held. */
async function openBegun(folder: string): Promise<Begun> {
  await refuseLinks(folder, BEGUN);
  await rm(join(folder, BEGUN), { force: true });
  const descriptor = openSync(join(folder, BEGUN), "wx"); // never through a link of this name
  return {
    add: (path) => void writeSync(descriptor, `${JSON.stringify(path)}\n`),
    close: () => closeSync(descriptor),
  };
}

async function writeManifest(folder: string, { base_url, sample, files }: Manifest): Promise<void> {
  const manifest: Manifest = { base_url, sample, files: files.toSorted() };
  await writeWhole(folder, MANIFEST, Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`));
}

async function writeWhole(folder: string, path: string, body: Uint8Array): Promise<void> {
  await refuseLinks(folder, path);
  const file = join(folder, path);
  makeFolder(dirname(file));
  const part = `${file}${PART}`;
  await rm(part, { force: true });
  await writeFile(part, body, { flag: "wx" }); // never through a link of this name
  await rename(part, file);
}

/** @throws Error if the folder, or one on the way to a file, is a link: the file would lie elsewhere. */
async function refuseLinks(folder: string, path: string): Promise<void> {
  let at = folder;
  for (const name of [".", ...dirname(normalize(path)).split(sep)]) {
    at = join(at, name);
    const found = await lstat(at).catch(() => undefined);
    if (found?.isSymbolicLink() === true) throw linkFault(at);
  }
}

function linkFault(path: string): Error {
  return new Error(`${path} is a link out of the export. Delete the link, or export to a new folder.`);
}

/**
 * Whether a path is inside the folder. It is checked because a manifest may have been edited, and a backup may contain
 * foreign ids.
 */
function isBelow(path: string): boolean {
  const plain = normalize(path);
  return !isAbsolute(plain) && plain !== "." && plain.split(sep)[0] !== "..";
}

/** Removes a file, and the folders that become empty. */
async function removeFile(folder: string, path: string): Promise<void> {
  await refuseLinks(folder, path);
  for (const ending of ["", PART]) await rm(join(folder, `${path}${ending}`), { force: true });
  for (let at = dirname(join(folder, path)); relative(folder, at) !== ""; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return; // not empty
    }
  }
}
