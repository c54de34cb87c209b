/** `--watch DIR`: imports the folder at start and whenever its contents change. */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { ImportReport } from "../import/importer.ts";
import { plainIssue } from "../import/plain-issue.ts";
import type { Issue } from "../issue.ts";
import { storeFilesNow } from "../store/engine/store-files.ts";
import type { Config } from "./config.ts";
import { runImport } from "./import-worker.ts";

const CHECK_INTERVAL_MS = 1_000;
/** Between two checks of a folder of very many files, this many times as long as one takes. */
const MIN_REST = 4;
/** How long after a fault that is none of the files the folder is imported again; twice as long after each further one. */
const RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;
const MAX_FAULTS = 20;
const MAX_NAMES = 20;

/** Imports the folder, and logs what came of it. False if something else than its files kept it from being imported. */
type ImportFolder = (folder: string, log: Logger, stop: AbortSignal) => Promise<boolean>;

interface WatchParts {
  readonly importFolder: ImportFolder;
  readonly retryMs?: number;
  /** The store's file, which changes with each import. */
  readonly storeFile?: string | undefined;
}

/**
 * Checks the folder every second until `stop` is aborted. The folder is imported once it has not changed between two
 * checks, so that no half-written file is read. A refused import is logged and retried at the next change; one that a
 * fault ended, such as a full disk or a lack of memory, also later. An unreadable folder is logged once until it is
 * readable again. No fault here stops the server.
 */
export async function watchFolder(
  folder: string,
  log: Logger,
  stop: AbortSignal,
  { checkMs, ...parts }: WatchParts & { readonly checkMs?: number },
): Promise<void> {
  await checkAgain(makeFolderCheck(folder, log, stop, parts), stop, checkMs);
}

/** Makes the check of one folder. It resolves to the milliseconds that the look at the files took. */
export function makeFolderCheck(
  folder: string,
  log: Logger,
  stop: AbortSignal,
  { importFolder, retryMs = RETRY_MS, storeFile }: WatchParts,
): () => Promise<number> {
  let imported = "";
  let faults = 0;
  let retryAt = Number.POSITIVE_INFINITY;
  let before = "";
  let isReadable = true;
  return async () => {
    const startedAt = performance.now();
    let now = "";
    let tookMs = 0;
    try {
      now = await fingerprint(folder, storeFile);
      tookMs = performance.now() - startedAt;
      if (!isReadable) log.info({ folder }, "The watched folder can be read again");
      isReadable = true;
    } catch (error) {
      if (isReadable) log.error({ folder, reason: reasonOf(error) }, "The watched folder cannot be read");
      isReadable = false;
    }
    if (now !== imported) faults = 0;
    if (now !== "" && now === before && (now !== imported || performance.now() >= retryAt)) {
      imported = now;
      const isSettled = await importFolder(folder, log, stop).catch((error: unknown) => {
        if (!stop.aborted) log.error({ err: error, folder }, "The watched folder could not be imported");
        return false;
      });
      retryAt = isSettled
        ? Number.POSITIVE_INFINITY
        : performance.now() + Math.min(retryMs * 2 ** faults++, MAX_RETRY_MS);
    }
    before = now;
    return tookMs;
  };
}

/** Checks every second, and less often where that takes long, until `stop` is aborted. */
export async function checkAgain(
  check: () => Promise<number>,
  stop: AbortSignal,
  checkMs = CHECK_INTERVAL_MS,
): Promise<void> {
  while (!stop.aborted) {
    const tookMs = await check();
    await wait(Math.max(checkMs, tookMs * MIN_REST), undefined, { signal: stop }).catch(() => {});
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

/**
 * A hash of the name, size and modification time of every file but the store's own; empty if there is none. Files that
 * disappear meanwhile are omitted. One is looked at after the other: of ten thousands at once, the requests alone would
 * fill the memory and hold up everything else that waits for a file.
 */
async function fingerprint(folder: string, storeFile: string | undefined): Promise<string> {
  const isOfStore = await storeFilesNow(storeFile);
  const hash = createHash("sha256");
  let isEmpty = true;
  for (const file of await filesIn(folder)) {
    const status = await stat(file, { bigint: true }).catch(() => undefined);
    if (status === undefined || isOfStore(file, status)) continue;
    hash.update(`${file}\0${status.size}\0${status.mtimeNs}\n`);
    isEmpty = false;
  }
  return isEmpty ? "" : hash.digest("hex");
}

/** The issues, each with its file but without a word of it. An entry of an archive goes by the archive's name. */
function faultsOf(files: readonly string[], issues: readonly Issue[]): string[] {
  return issues.map((issue) => {
    const file = files.find((name) => String(issue.path[0]).startsWith(name));
    return file === undefined ? plainIssue(issue) : `${file}: ${plainIssue(issue)}`;
  });
}

/** What the log shows of a report: counts and names of the folder's own files, no word in them and no entry of an archive. */
function shownReport(files: readonly string[], report: ImportReport) {
  const { added, changed, withdrawn, withheld, other_places, business, business_file, revision, warnings } = report;
  const passedOver = report.passed_over.filter((name) => files.includes(name)).slice(0, MAX_NAMES);
  return {
    ...{ added, changed, withdrawn, withheld, warnings: warnings.length },
    ...(other_places === 0 ? {} : { other_places }),
    ...(business === null ? {} : { business, business_file }),
    ...(passedOver.length === 0 ? {} : { passed_over: passedOver }),
    imported_revision: revision,
  };
}

/** Imports the folder into the configured store, on a thread of its own. */
export function makeFolderImport(config: Config): ImportFolder {
  return async (folder, log, stop) => {
    const outcome = await runImport({ config, path: folder }, stop);
    if (stop.aborted) return true;
    const files = await filesIn(folder);
    if ("report" in outcome) {
      log.info({ folder, ...shownReport(files, outcome.report) }, "Imported the watched folder");
      return true;
    }
    const faults = faultsOf(files, outcome.issues.slice(0, MAX_FAULTS));
    log.error(
      { folder, faults, advice: "goodword check quotes what is at fault" },
      "The watched folder was not imported",
    );
    return outcome.issues.every(({ code }) => code !== "failed");
  };
}
