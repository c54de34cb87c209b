/** The files that the named paths hold: the file itself, a folder's in sorted order. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { InputFile } from "./input-file.ts";

export interface Inputs {
  readonly files: readonly InputFile[];
  close(): void;
}

export async function openInputs(paths: readonly string[]): Promise<Inputs> {
  const files: InputFile[] = [];
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) await walk(path, path, files);
    else files.push({ name: path, named: true, origin: path, bytes: () => createReadStream(path) });
  }
  return { files, close: () => {} };
}

async function walk(folder: string, origin: string, files: InputFile[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await walk(path, origin, files);
    else if (entry.isFile()) files.push({ name: path, named: false, origin, bytes: () => createReadStream(path) });
  }
}
