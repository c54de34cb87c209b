/** The fingerprint of the program's files. Data that another version derived is not used. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../program-folder.ts";

/** The folder of the running code: the sources, or what was built of them. */
const CODE = import.meta.filename.endsWith(".ts") ? "src" : "dist";
const FOLDERS = [CODE, "src/page/asset", "taxonomies", "models", "sample"];

let fingerprint: string | undefined;

/** A hash that changes with the program's files. It is computed from their sizes and times, in some milliseconds. */
export function programFingerprint(): string {
  if (fingerprint !== undefined) return fingerprint;
  let files = "";
  for (const file of ["package.json", ...FOLDERS.flatMap(filesIn)]) {
    if (file.endsWith(".test.ts")) continue;
    const { size, mtimeMs } = statSync(join(PROGRAM_FOLDER, file));
    files += `${file}\0${size}\0${mtimeMs}\n`;
  }
  fingerprint = createHash("sha256").update(files).digest("base64url");
  return fingerprint;
}

function filesIn(folder: string): string[] {
  const path = join(PROGRAM_FOLDER, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .map((name) => join(folder, String(name)))
    .toSorted();
}
