/** `--watch DIR`: imports the folder at start and whenever its contents change. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { runImport } from "./import-worker.ts";

const CHECK_INTERVAL_MS = 1_000;
const MAX_FAULTS = 20;

/** Imports the folder, and logs what came of it. */
type ImportFolder = (folder: string, log: Logger, stop: AbortSignal) => Promise<void>;

/**
 * Checks the folder every second until `stop` is aborted. The folder is imported once it has not changed between two
 * checks, so that no half-written file is read. A refused import is logged and retried at the next change. An unreadable
 * folder is logged once until it is readable again. No fault here stops the server.
 */
export async function watchFolder(
  folder: string,
  log: Logger,
  stop: AbortSignal,
  { importFolder, checkMs = CHECK_INTERVAL_MS }: { readonly importFolder: ImportFolder; readonly checkMs?: number },
): Promise<void> {
  let imported = "";
  let before = "";
  let isReadable = true;
  while (!stop.aborted) {
    let now = "";
    try {
      now = await fingerprint(folder);
      if (!isReadable) log.info({ folder }, "The watched folder can be read again");
      isReadable = true;
    } catch (error) {
      if (isReadable) log.error({ folder, reason: reasonOf(error) }, "The watched folder cannot be read");
      isReadable = false;
    }
    if (now !== "" && now === before && now !== imported) {
      imported = now;
      await importFolder(folder, log, stop).catch((error: unknown) => {
        if (!stop.aborted) log.error({ err: error, folder }, "The watched folder could not be imported");
      });
    }
    before = now;
    await wait(checkMs, undefined, { signal: stop }).catch(() => {});
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "There is no such folder; it is imported as soon as there is one";
  if (code === "ENOTDIR") return "It is a file: name the folder that holds it";
  if (code === "EACCES") return "This user may not read it";
  return message;
}

/** The name, size and modification time of every file, as one text. Files that disappear meanwhile are omitted. */
async function fingerprint(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const lines = await Promise.all(
    files.toSorted().map(async (file) => {
      const status = await stat(file).catch(() => undefined);
      return status === undefined ? "" : `${file}\0${status.size}\0${status.mtimeMs}`;
    }),
  );
  return lines.join("\n");
}

/** Imports the folder into the configured store, on a thread of its own. */
export function makeFolderImport(config: Config): ImportFolder {
  return async (folder, log, stop) => {
    const outcome = await runImport({ config, path: folder }, stop);
    if (stop.aborted) return;
    if (!("report" in outcome))
      return log.error({ folder, faults: outcome.faults.slice(0, MAX_FAULTS) }, "The watched folder was not imported");
    const { added, changed, withdrawn, revision, warnings } = outcome.report;
    const counts = { added, changed, withdrawn };
    log.info({ folder, ...counts, imported_revision: revision, warnings }, "Imported the watched folder");
  };
}
