/** `--watch DIR`: imports the folder at start and whenever its contents change. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { ImportReport } from "../import/importer.ts";
import { plainIssue } from "../import/plain-issue.ts";
import type { Issue } from "../issue.ts";
import { runImport } from "./import-process.ts";
import { refusalsIn } from "./source-import.ts";

const CHECK_INTERVAL_MS = 1_000;
const MAX_FAULTS = 20;

/** The watch's interval in milliseconds and its import function, which tests replace. */
export interface WatchOptions {
  readonly checkMs?: number;
  readonly importFolder?: (folder: string, log: Logger, stop: AbortSignal) => Promise<void>;
}

/**
 * Checks the folder every second until `stop` is aborted. The folder is imported once it has not changed between two
 * checks, so that no half-written file is read. A refused import is logged and retried at the next change. An unreadable
 * folder is logged once until it is readable again. No fault here stops the server.
 */
export async function watchFolder(
  folder: string,
  log: Logger,
  stop: AbortSignal,
  { checkMs = CHECK_INTERVAL_MS, importFolder = importByProcess }: WatchOptions = {},
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

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.toSorted();
}

/** The name, size and modification time of every file, as one text. Files that disappear meanwhile are omitted. */
async function fingerprint(folder: string): Promise<string> {
  const lines = await Promise.all(
    (await filesIn(folder)).map(async (file) => {
      const status = await stat(file).catch(() => undefined);
      return status === undefined ? "" : `${file}\0${status.size}\0${status.mtimeMs}`;
    }),
  );
  return lines.join("\n");
}

/** The issues, each with its file but without a word of it. An entry of an archive goes by the archive's name. */
async function faultsOf(folder: string, issues: readonly Issue[]): Promise<string[]> {
  const files = await filesIn(folder);
  return issues.map((issue) => {
    const file = files.find((name) => String(issue.path[0]).startsWith(name));
    return file === undefined ? plainIssue(issue) : `${file}: ${plainIssue(issue)}`;
  });
}

async function importByProcess(folder: string, log: Logger, stop: AbortSignal): Promise<void> {
  const { isImported, stdout } = await runImport(folder, [], stop);
  if (stop.aborted) return;
  if (!isImported) {
    const faults = await faultsOf(folder, refusalsIn(stdout).slice(0, MAX_FAULTS));
    return log.error(
      { folder, faults, advice: "goodword check quotes what is at fault" },
      "The watched folder was not imported",
    );
  }
  const { added, changed, withdrawn, withheld, revision, warnings } = JSON.parse(stdout) as ImportReport;
  const counts = { added, changed, withdrawn, withheld, warnings: warnings.length };
  log.info({ folder, ...counts, imported_revision: revision }, "Imported the watched folder");
}
