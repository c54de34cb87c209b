/** The tag of the program's files: data that another version derived is not used. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the program lies, with its data. */
export const PROGRAM_FOLDER = fileURLToPath(new URL("../../..", import.meta.url));

const FOLDERS = ["src", "dist", "taxonomies", "models", "sample"];

let tag: string | undefined;

/** Changes with the program's files. Computed from their sizes and times, which takes milliseconds. */
export function programTag(): string {
  if (tag !== undefined) return tag;
  const hash = createHash("sha256");
  for (const file of ["package.json", ...FOLDERS.flatMap(filesIn)]) {
    if (file.endsWith(".test.ts")) continue;
    const { size, mtimeMs } = statSync(join(PROGRAM_FOLDER, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  tag = hash.digest("base64url");
  return tag;
}

function filesIn(folder: string): string[] {
  const path = join(PROGRAM_FOLDER, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .map((name) => join(folder, String(name)))
    .toSorted();
}
