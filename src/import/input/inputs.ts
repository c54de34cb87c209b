/** Finds the files to import: named files, files in folders in sorted order, and archive entries. */
import { createReadStream } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Invalid, type Issue } from "../../issue.ts";
import { decodedFile } from "./encoding.ts";
import { type InputFile, MAX_FILE_BYTES } from "./input-file.ts";
import { gunzipped, isTarInside, openTar, packingOf, type TarArchive } from "./tar-archive.ts";
import { officeKind, openZip, type ZipArchive } from "./zip-archive.ts";

const HEAD_BYTES = 512;

export interface Inputs {
  readonly files: readonly InputFile[];
  /** The folders and archives named by the user. */
  readonly origins: readonly string[];
  /** Links and devices, which are never read. */
  readonly passedOver: readonly string[];
  /** The issues of paths that could not be opened. */
  readonly issues: readonly Issue[];
  close(): Promise<void>;
}

/**
 * Lists the files at the paths, each once. Archives stay open until closed. Text that is not UTF-8 is decoded from
 * `encoding`.
 */
export async function openInputs(
  paths: readonly string[],
  { encoding }: { readonly encoding?: string | undefined } = {},
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

  async function addFile(path: string, origin: string): Promise<void> {
    const key = await realpath(path);
    const opened = archives.get(key);
    if (opened !== undefined) return addArchive(key, opened, origin);
    const head = await firstOf(path);
    const packing = packingOf(head);
    if (isZip(head)) {
      const archive = await openZip(path);
      if (officeKind(archive.names) === undefined) return addArchive(key, archive, origin);
      archive.close();
    } else if (packing === "tar" || (packing === "gzip" && (await isTarInside(path)))) {
      return addArchive(key, await openTar(path, packing), origin);
    }
    const isNamed = path === origin;
    if (isNamed && (await stat(path)).size > MAX_FILE_BYTES) throw tooLarge(path);
    const bytes = packing === "gzip" ? () => gunzipped(path) : () => fileBytes(path);
    const isBusinessFile = isNamed ? /\.ya?ml$/i.test(path) : path === join(origin, "business.yaml");
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

  for (const path of paths) {
    await noting(path, async () => {
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
  const found = [...files.values()].map((file) => (encoding === undefined ? file : decodedFile(file, encoding)));
  return { files: found, origins: [...origins], passedOver, issues, close };
}

async function* fileBytes(path: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw tooLarge(path);
    yield chunk;
  }
}

function tooLarge(path: string): Invalid {
  const message = `${path} has more than ${MAX_FILE_BYTES} bytes (200 MB), which is too large to import`;
  return new Invalid([{ code: "size", path: [path], message }]);
}

async function firstOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
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
