/** Runs `goodword import` in a separate process, so that no request waits for it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { PROGRAM_FOLDER } from "../program-folder.ts";

const BIN = join(PROGRAM_FOLDER, "bin", "goodword.js");

/** The outcome: the report, or the issues of a refusal, as JSON. */
interface ImportOutput {
  readonly isImported: boolean;
  readonly stdout: string;
}

/** Imports a file or folder. Aborting `signal` ends the process. */
export async function runImport(path: string, options: readonly string[], signal: AbortSignal): Promise<ImportOutput> {
  const child = spawn(process.execPath, [BIN, "import", path, "--json", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
    signal,
  });
  child.on("error", () => {}); // reported by the exit code; an abort is not an error
  const closed = new Promise((resolve) => child.once("close", resolve));
  const [stdout] = await Promise.all([text(child.stdout), closed]);
  return { isImported: child.exitCode === 0, stdout };
}
