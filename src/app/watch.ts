/** `--watch DIR`: imports the folder at the start and whenever what lies in it has changed. */
import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";

const BIN = fileURLToPath(new URL("../../bin/goodword.js", import.meta.url));
const LOOK_MILLISECONDS = 1_000;

/**
 * Looks at the folder every second until `stop` is aborted. It is imported once it has stood unchanged between two
 * looks, so that a file is not read while it is being written; by a process of its own, so that no reader waits for it.
 * A refused import is logged, and tried again at the next change.
 */
export async function watchFolder(folder: string, log: Logger, stop: AbortSignal): Promise<void> {
  let imported = "";
  let before = "";
  while (!stop.aborted) {
    const now = await fingerprint(folder).catch((error: unknown) => {
      log.error({ err: error, folder }, "The watched folder cannot be read");
      return "";
    });
    if (now !== "" && now === before && now !== imported) {
      imported = now;
      await importFolder(folder, log, stop);
    }
    before = now;
    await wait(LOOK_MILLISECONDS, undefined, { signal: stop }).catch(() => {});
  }
}

/** Name, size and time of every file, as one text. */
async function fingerprint(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const lines = await Promise.all(
    files.toSorted().map(async (file) => {
      const { size, mtimeMs } = await stat(file);
      return `${file}\0${size}\0${mtimeMs}`;
    }),
  );
  return lines.join("\n");
}

async function importFolder(folder: string, log: Logger, stop: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [BIN, "import", folder, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    signal: stop,
  });
  child.on("error", () => {}); // its exit code says it, and being stopped is no fault
  const closed = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (stop.aborted) return;
  if (child.exitCode !== 0) {
    log.error({ folder, faults: stderr.trim().split("\n").slice(0, 20) }, "The watched folder was not imported");
    return;
  }
  const { added, changed, withdrawn, revision } = JSON.parse(stdout) as Record<string, unknown>;
  log.info({ folder, added, changed, withdrawn, imported_revision: revision }, "Imported the watched folder");
}
