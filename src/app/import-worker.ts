/**
 * Runs an import in a thread of its own, so that no request waits for it, with a deadline and a limit of memory. The
 * files in `deploy/` allow threads and no other processes.
 */
import type { FileHandle } from "node:fs/promises";
import type { AnalystProgress } from "../analysis/model-analyst.ts";
import type { FileSamples } from "../import/file-samples.ts";
import type { ImportInput, ImportReport, Progress } from "../import/importer.ts";
import type { Issue } from "../issue.ts";
import { entryFile } from "../lib/entry-file.ts";
import { type OwnWords, ownWords } from "../lib/own-words.ts";
import type { PreviewDocument } from "../publication/preview.ts";
import type { Config } from "./config.ts";
import type { StoredImportOptions } from "./stored-import.ts";
import { isOutOfMemory, runThread } from "./thread-run.ts";

/** The outcome of an import: the report, or why it was refused or ended early; of a check, also what helps to settle. */
export type ImportOutcome = ({ readonly report: ImportReport } | { readonly issues: readonly Issue[] }) &
  Partial<FileSamples> & { readonly preview?: readonly PreviewDocument[] };

export interface ImportRequest {
  readonly config: Config;
  /** The file or folder; the name for messages if `file` is given. */
  readonly path: string;
  /** An open file to import, which this takes over and closes. */
  readonly file?: FileHandle;
  /** What to import in place of those. The caller closes the open files among them. */
  readonly inputs?: readonly ImportInput[];
  /** Only checks, and renders a preview. */
  readonly isCheck?: boolean;
  readonly options?: Omit<StoredImportOptions, "confirm" | "onStored" | "onProgress" | "onApplied">;
  readonly onProgress?: (progress: Progress | AnalystProgress) => void;
}

export interface ImportLimits {
  /** Until the import is in the store. */
  readonly deadlineMs: number;
  /** For the language model after that. Each of its answers has a deadline, too. */
  readonly readingDeadlineMs: number;
  readonly heapMb: number;
  /** How many bytes of a file may be held in memory. */
  readonly maxWholeBytes?: number;
}

/** What the thread is given. */
export interface ImportOrder extends Omit<ImportRequest, "options" | "onProgress"> {
  readonly options: StoredImportOptions;
}

/** What the thread posts. `stored`: the import is done, and the language model reads. */
export type ImportMessage =
  | { readonly kind: "progress"; readonly progress: Progress | AnalystProgress }
  | ({ readonly kind: "stored" | "done" | "refused" } & ImportOutcome);

/**
 * JSON and web pages are held in memory, so a server takes smaller ones than the command. Their text takes up to twice
 * this, once more while it is put together, and their values twice. That is below `heapMb`: V8 ends the process, and not
 * only the thread, if a single large object does not fit.
 */
const MAX_WHOLE_BYTES = 64_000_000;
const LIMITS: ImportLimits = { deadlineMs: 900_000, readingDeadlineMs: 6 * 3_600_000, heapMb: 640 };

/** Imports a file or folder. Aborting `signal` ends the thread. @throws Error if no thread can be started. */
export async function runImport(
  { options, onProgress, ...request }: ImportRequest,
  signal: AbortSignal,
  { deadlineMs, readingDeadlineMs, heapMb, maxWholeBytes = MAX_WHOLE_BYTES } = LIMITS,
): Promise<ImportOutcome> {
  const order: ImportOrder = { ...request, options: { ...options, maxWholeBytes } };
  let outcome: ImportOutcome = failure(ownWords`The import ended early`);
  const stop = (reason: OwnWords, message: string = reason) => {
    // What is in the store stays imported, whatever becomes of the language model.
    if ("report" in outcome) outcome = { report: withWarning(outcome.report, message) };
    else outcome = failure(reason, message);
  };
  const deadline = new AbortController();
  const late = (ms: number) =>
    setTimeout(() => deadline.abort(ownWords`It was stopped, because it took longer than ${words(ms)}`), ms);
  let timer = late(deadlineMs);
  const stopping = AbortSignal.any([signal, deadline.signal]);
  const isDone = await runThread<ImportMessage>(entryFile("import-thread", import.meta.url), {
    ...{ order, heapMb, signal: stopping, transferList: request.file === undefined ? [] : [request.file] },
    onMessage(message) {
      if (message.kind === "progress") {
        onProgress?.(message.progress);
        return false;
      }
      if ("issues" in message && "report" in outcome)
        stop(AFTERWARDS, message.issues.map((one) => one.message).join(" "));
      else outcome = message;
      if (message.kind !== "stored") return true;
      clearTimeout(timer);
      timer = late(readingDeadlineMs);
      return false;
    },
    onFault: (error) => stop(...reasonsOf(error, heapMb)),
  }).finally(() => clearTimeout(timer)); // also where no thread can be started
  if (!isDone) stop(signal.aborted ? ownWords`It was stopped` : (deadline.signal.reason as OwnWords));
  return outcome;
}

const AFTERWARDS = ownWords`A fault followed`;

function failure(plain: OwnWords, message: string = plain): ImportOutcome {
  return { issues: [{ code: "failed", path: [], message, plain }] };
}

function withWarning(report: ImportReport, reason: string): ImportReport {
  return { ...report, warnings: [...report.warnings, `The language model has not read all texts. ${reason}`] };
}

/** Why the thread ended: for logs, and for the owner's terminal if that may say more. */
function reasonsOf(error: unknown, heapMb: number): [OwnWords, string?] {
  if (!isOutOfMemory(error)) return [ownWords`The import ended with an error`, (error as Error).message];
  return [
    ownWords`It needs more memory than an import of a server may take (${heapMb} MB). Import it by hand, with goodword import, or in several files`,
  ];
}

function words(ms: number): OwnWords {
  return ms < 60_000 ? ownWords`${ms / 1000} seconds` : ownWords`${ms / 60_000} minutes`;
}
