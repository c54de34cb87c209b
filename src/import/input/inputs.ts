/** Finds the files to import: named files, files in folders in sorted order, and archive entries. */
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Invalid, type Issue } from "../../issue.ts";
import { isStoreFile } from "../../store/engine/store-files.ts";
import { decodedFile } from "./encoding.ts";
import { type ImportInput, type InputFile, MAX_FILE_BYTES, nameOf, readFrom } from "./input-file.ts";
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

/** Lists the files at the paths, and those that are open, each once. Archives stay open until closed. */
export async function openInputs(
  inputs: readonly ImportInput[],
  { encoding, maxWholeBytes, storeFile }: InputOptions = {},
): Promise<Inputs> {
  const files = new Map<string, InputFile>();
  const archives = new Map<string, ZipArchive | TarArchive>();
  const origins = new Set<string>();
  const passedOver: string[] = [];
  const issues: Issue[] = [];

  /** Adds a file. A file that is found twice is read once and belongs to both origins. */
  function add(key: string, file: InputFile): void {
    const first = files.get(key) ?? file;
    const origins = [...new Set([...first.origins, ...file.origins])];
    const named = first.named || file.named;
    files.set(key, { ...first, named, isBusinessFile: first.isBusinessFile || file.isBusinessFile, origins });
  }

  async function addFile(input: ImportInput, origin: string): Promise<void> {
    const path = nameOf(input);
    if (typeof input === "string" && (await isStoreFile(input, storeFile))) {
      if (path === origin) throw ofStore(path);
      return void passedOver.push(path);
    }
    const key = typeof input === "string" ? await realpath(input) : path;
    const opened = archives.get(key);
    if (opened !== undefined) return addArchive(key, opened, origin);
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
    if (isNamed && typeof input === "string" && (await stat(input)).size > MAX_FILE_BYTES) throw tooLarge(path);
    const bytes = packing === "gzip" ? () => gunzipped(input) : () => fileBytes(input);
    const mayDescribe = isNamed ? /\.ya?ml$/i.test(path) : path === join(origin, "business.yaml");
    const isBusinessFile = typeof input === "string" && mayDescribe;
    add(key, { name: path, named: isNamed, isBusinessFile, origins: isNamed ? [] : [origin], bytes });
  }

  function addArchive(key: string, archive: ZipArchive | TarArchive, origin: string): void {
    origins.add(origin);
    if (!archives.has(key) && "passedOver" in archive) passedOver.push(...archive.passedOver);
    archives.set(key, archive);
    for (const file of archive.files) add(`${key}!${file.name}`, { ...file, origins: [origin] });
  }

  async function walk(folder: string, origin: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path, origin);
      else if (entry.isFile()) await noting(path, () => addFile(path, origin));
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
      if (typeof path !== "string") return await addFile(path, path.name);
      const found = await stat(path);
      if (found.isDirectory()) {
        origins.add(path);
        await walk(path, path);
      } else if (found.isFile()) await addFile(path, path);
      else issues.push({ code: "path", path: [path], message: `${path} is neither a file nor a folder` });
    });
  }
  const close = async () => {
    for (const archive of archives.values()) await archive.close();
  };
  const found = [...files.values()].map((file) =>
    encoding === undefined ? { ...file, maxWholeBytes } : decodedFile({ ...file, maxWholeBytes }, encoding),
  );
  return { files: found, origins: [...origins], passedOver, issues, close };
}

async function* fileBytes(input: ImportInput): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of readFrom(input)) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw tooLarge(nameOf(input));
    yield chunk;
  }
}

function ofStore(path: string): Invalid {
  const message = `${path} is a file of the store into which it would be imported: name the files with reviews instead`;
  return new Invalid([{ code: "path", path: [path], message }]);
}

function tooLarge(path: string): Invalid {
  const message = `${path} has more than ${MAX_FILE_BYTES} bytes (200 MB), which is too large to import`;
  return new Invalid([{ code: "size", path: [path], message }]);
}

async function firstOf(input: ImportInput): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readFrom(input, HEAD_BYTES)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function isZip(head: Buffer): boolean {
  const magic = head.toString("latin1", 0, 4);
  return magic === "PK\x03\x04" || magic === "PK\x05\x06";
}

function unreadable(path: string, error: unknown): Issue {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  const place = isAbsolute(path) ? "" : ` in ${process.cwd()}`;
  const why: Readonly<Record<string, string>> = {
    ENOENT: `does not exist${place}. Check its name, or give the whole path`,
    EACCES: "may not be read by you: change its permissions, or copy it into a folder of your own",
  };
  return { code: "path", path: [path], message: `${path} ${why[code] ?? `cannot be read (${code})`}` };
}
