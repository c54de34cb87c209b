/** Finds the files to import: named files, files in folders in sorted order, and archive entries. */
import { fstatSync } from "node:fs";
import { type FileHandle, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Invalid, type Issue } from "../../issue.ts";
import { bytesOf } from "../../lib/private-file.ts";
import { decodedFile } from "./encoding.ts";
import { type ImportInput, type InputFile, MAX_FILE_BYTES, nameOf, type OpenedFile } from "./input-file.ts";
import { folderPath, type InputPath, openInput } from "./open-input.ts";
import { gunzipped, isTarInside, openTar, packingOf, type TarArchive } from "./tar-archive.ts";
import { officeKind, openZip, type ZipArchive } from "./zip-archive.ts";

const HEAD_BYTES = 512;

export interface Inputs {
  readonly files: readonly InputFile[];
  /** The folders and archives named by the user. */
  readonly origins: readonly string[];
  /** Links, devices and the store's own files, which are never read. */
  readonly passedOver: readonly string[];
  /** The issues of paths that could not be opened. */
  readonly issues: readonly Issue[];
  close(): Promise<void>;
}

export interface InputOptions {
  /** The encoding of text that is not UTF-8. */
  readonly encoding?: string | undefined;
  /** How many bytes of a file may be held in memory. */
  readonly maxWholeBytes?: number | undefined;
  /** The file of the store: it and those beside it are never opened. */
  readonly storeFile?: string | undefined;
}

type Reader = (input: OpenedFile) => AsyncIterable<Buffer>;

interface Found {
  /** Its path without links, or its name if it has no path. */
  readonly key: string;
  readonly origin: string;
  /** Opens the file at its path again to read it. Absent for one that was given open. */
  readonly reread?: (read: Reader) => AsyncIterable<Buffer>;
}

/** Lists the files at the paths, and those that are open, each once. Archives stay open until closed. */
export async function openInputs(
  inputs: readonly ImportInput[],
  { encoding, maxWholeBytes, storeFile }: InputOptions = {},
): Promise<Inputs> {
  const files = new Map<string, InputFile>();
  const archives = new Map<string, ZipArchive | TarArchive>();
  const origins = new Set<string>();
  const opened: FileHandle[] = [];
  const passedOver: string[] = [];
  const issues: Issue[] = [];

  /** Adds a file. A file that is found twice is read once and belongs to both origins. */
  function add(key: string, file: InputFile): void {
    const first = files.get(key) ?? file;
    const origins = [...new Set([...first.origins, ...file.origins])];
    const named = first.named || file.named;
    files.set(key, { ...first, named, isBusinessFile: first.isBusinessFile || file.isBusinessFile, origins });
  }

  /** Adds the file at a path. It is opened for each reading, so that a folder of many files takes few descriptors. */
  async function addPath(at: InputPath, origin: string): Promise<void> {
    const { path, foundAt = await realpath(path) } = at;
    const file = await openInput(at).catch((error: unknown) => {
      if (path !== origin && error instanceof Invalid) return void passedOver.push(path);
      throw error;
    });
    if (file === undefined) return;
    const reread = async function* (read: Reader) {
      await using again = await openInput(at);
      try {
        yield* read({ name: path, descriptor: again.fd });
      } catch (error) {
        throw isEndless(error) ? new Invalid([unreadable(path, error)]) : error;
      }
    };
    try {
      const isKept = await addFile({ name: path, descriptor: file.fd }, { key: foundAt, origin, reread });
      if (isKept) opened.push(file);
    } finally {
      if (!opened.includes(file)) await file.close();
    }
  }

  /** Returns whether the descriptor has to stay open, as for the entries of a zip. */
  async function addFile(input: OpenedFile, { key, origin, reread }: Found): Promise<boolean> {
    const known = archives.get(key);
    if (known !== undefined) return addArchive(key, known, origin);
    const path = input.name;
    const head = await firstOf(input);
    const packing = packingOf(head);
    if (isZip(head)) {
      const archive = await openZip(input);
      if (officeKind(archive) === undefined) return addArchive(key, archive, origin);
      archive.close();
    } else if (packing === "tar" || (packing === "gzip" && (await isTarInside(input)))) {
      return addArchive(key, await openTar(input, packing), origin);
    }
    const isNamed = path === origin;
    const { size, mtime: modifiedAt } = fstatSync(input.descriptor);
    if (isNamed && reread !== undefined && size > MAX_FILE_BYTES) throw tooLarge(path);
    const read = packing === "gzip" ? gunzipped : fileBytes;
    const bytes = () => reread?.(read) ?? read(input);
    const mayDescribe = isNamed ? /\.ya?ml$/i.test(path) : path === join(origin, "business.yaml");
    const isBusinessFile = mayDescribe && (reread !== undefined || input.isBusinessFile === true);
    add(key, { name: path, named: isNamed, isBusinessFile, origins: isNamed ? [] : [origin], modifiedAt, bytes });
    return false;
  }

  function addArchive(key: string, archive: ZipArchive | TarArchive, origin: string): boolean {
    origins.add(origin);
    const isNew = !archives.has(key);
    if (isNew && "passedOver" in archive) passedOver.push(...archive.passedOver);
    archives.set(key, archive);
    for (const file of archive.files) add(`${key}!${file.name}`, { ...file, origins: [origin] });
    return isNew && "entries" in archive;
  }

  /** Adds the files below a folder, whose path without links is `real`. */
  async function walk(folder: string, real: string, origin: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const foundAt = join(real, entry.name);
      if (entry.isDirectory()) await walk(path, foundAt, origin);
      else if (entry.isFile()) await noting(path, () => addPath({ path, foundAt, storeFile }, origin));
      else passedOver.push(path);
    }
  }

  async function noting(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      issues.push(...(error instanceof Invalid ? error.issues : [unreadable(path, error)]));
    }
  }

  for (const path of inputs) {
    await noting(nameOf(path), async () => {
      if (typeof path !== "string") return void (await addFile(path, { key: path.name, origin: path.name }));
      const found = await stat(path);
      if (found.isDirectory()) {
        origins.add(path);
        await walk(path, await folderPath(path), path);
      } else if (found.isFile()) await addPath({ path, storeFile }, path);
      else issues.push({ code: "path", path: [path], message: `${path} is neither a file nor a folder` });
    });
  }
  const close = async () => {
    for (const each of [...archives.values(), ...opened]) await each.close();
  };
  const found = [...files.values()].map((file) =>
    encoding === undefined ? { ...file, maxWholeBytes } : decodedFile({ ...file, maxWholeBytes }, encoding),
  );
  return { files: found, origins: [...origins], passedOver, issues, close };
}

async function* fileBytes(input: OpenedFile): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytesOf(input.descriptor)) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw tooLarge(input.name);
    yield chunk;
  }
}

function tooLarge(path: string): Invalid {
  const message = `${path} has more than ${MAX_FILE_BYTES} bytes (200 MB), which is too large to import`;
  return new Invalid([{ code: "size", path: [path], message }]);
}

async function firstOf(input: OpenedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(input.descriptor, 0, HEAD_BYTES)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function isZip(head: Buffer): boolean {
  const magic = head.toString("latin1", 0, 4);
  return magic === "PK\x03\x04" || magic === "PK\x05\x06";
}

/** The code of a read that would wait for what comes, as one of `/proc/kmsg` does. */
const ENDLESS = "EAGAIN";

function isEndless(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === ENDLESS;
}

function unreadable(path: string, error: unknown): Issue {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  const place = isAbsolute(path) ? "" : ` in ${process.cwd()}`;
  const why: Readonly<Record<string, string>> = {
    ENOENT: `does not exist${place}. Check its name, or give the whole path`,
    [ENDLESS]: "has no end that could be waited for, as a device has none: copy what is in it into a file",
    EACCES: "may not be read by you: change its permissions, or copy it into a folder of your own",
  };
  return { code: "path", path: [path], message: `${path} ${why[code] ?? `cannot be read (${code})`}` };
}
