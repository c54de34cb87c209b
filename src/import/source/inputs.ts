/** The files that the named paths hold: a file itself, a folder's files in sorted order, a zip's entries. */
import { createReadStream } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { Invalid, type Issue } from "../../issue.ts";
import { decodedFile } from "./encoding.ts";
import { FILE_LIMIT_BYTES, type InputFile } from "./input-file.ts";
import { openZip, type ZipArchive } from "./zip-archive.ts";

export interface Inputs {
  readonly files: readonly InputFile[];
  /** Folders and zips that the user named. */
  readonly origins: readonly string[];
  /** What was found and left alone: links, devices. */
  readonly passedOver: readonly string[];
  /** What could not be opened. */
  readonly issues: readonly Issue[];
  close(): void;
}

/** Lists the files of the paths, each once. Archives stay open until closed. Text that is not UTF-8 is in `encoding`. */
export async function openInputs(
  paths: readonly string[],
  { encoding }: { readonly encoding?: string | undefined } = {},
): Promise<Inputs> {
  const files = new Map<string, InputFile>();
  const archives = new Map<string, ZipArchive>();
  const origins = new Set<string>();
  const passedOver: string[] = [];
  const issues: Issue[] = [];

  /** A file found twice is read once, and counts for both places. */
  function add(key: string, file: InputFile): void {
    const known = files.get(key) ?? file;
    const origins = [...new Set([...known.origins, ...file.origins])];
    files.set(key, { ...known, named: known.named || file.named, origins });
  }

  async function addFile(path: string, origin: string): Promise<void> {
    const key = await realpath(path);
    if (!(await isZip(path))) {
      const isNamed = path === origin;
      if (isNamed && (await stat(path)).size > FILE_LIMIT_BYTES) throw tooLarge(path);
      add(key, { name: path, named: isNamed, origins: isNamed ? [] : [origin], bytes: () => fileBytes(path) });
      return;
    }
    origins.add(origin);
    const archive = archives.get(key) ?? (await openZip(path));
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
  const close = () => {
    for (const archive of archives.values()) archive.close();
  };
  const found = [...files.values()].map((file) => (encoding === undefined ? file : decodedFile(file, encoding)));
  return { files: found, origins: [...origins], passedOver, issues, close };
}

async function* fileBytes(path: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FILE_LIMIT_BYTES) throw tooLarge(path);
    yield chunk;
  }
}

function tooLarge(path: string): Invalid {
  const message = `${path} has more than ${FILE_LIMIT_BYTES} bytes (200 MB), which is too large to import`;
  return new Invalid([{ code: "size", path: [path], message }]);
}

async function isZip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const magic = buffer.toString("latin1", 0, bytesRead);
  return magic === "PK\x03\x04" || magic === "PK\x05\x06";
}

function unreadable(path: string, error: unknown): Issue {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  const why: Readonly<Record<string, string>> = { ENOENT: "does not exist", EACCES: "may not be read" };
  return { code: "path", path: [path], message: `${path} ${why[code] ?? `cannot be read (${code})`}` };
}
