/** Makes a folder and those above it. Node's recursive mkdir never ends below a folder that takes none, such as /proc. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./own-words.ts";

/** Makes a folder that is not there yet, readable as `mode` says. @throws Error of `mkdir` if it cannot be made. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    makeFolderIn(path, mode);
  }
}

/** Makes a folder in one that is there, unless another process has just made it. */
function makeFolderIn(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
