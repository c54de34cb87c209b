/**
 * An import into the configured store, with all that follows it: removed words are erased, the owner's language model
 * reads the new texts, and the outcome is counted.
 */
import { type AnalystProgress, type AnalystReport, analyseByModel } from "../analysis/model-analyst.ts";
import {
  checkPaths,
  type ImportInput,
  type ImportOptions,
  type ImportReport,
  importPaths,
  type Progress,
  UNCONFIRMED,
} from "../import/importer.ts";
import { Invalid } from "../issue.ts";
import { isStoreThere } from "../store/engine/store-url.ts";
import { type ImportOutcome, noteImportOutcome } from "../store/history/import-outcome-rows.ts";
import { openStore, type Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import { faultAfter } from "./fault-message.ts";
import { eraseRemovedWords } from "./removed-words.ts";

export interface StoredImportOptions
  extends Omit<ImportOptions, "baseUrl" | "isReadByModel" | "makeStore" | "memoryMb" | "now" | "onProgress"> {
  readonly now?: Date;
  readonly onProgress?: (progress: Progress | AnalystProgress) => void;
  /** Asks whether to withdraw or add as much as the import would. Throws if not. Without it, such an import is refused. */
  readonly confirm?: (question: Invalid) => Promise<void>;
  /** Called when the import is done and only the language model has work left. */
  readonly onStored?: (report: ImportReport) => void;
}

/** The report of the import, and of the language model if it has read. */
export interface StoredImport {
  readonly report: ImportReport;
  readonly reading: AnalystReport | undefined;
}

/** The combined report, as `--json` prints it. */
export interface CombinedReport extends ImportReport {
  readonly language_model?: Omit<AnalystReport, "warnings" | "revision">;
}

export function combinedReport({ report, reading }: StoredImport): CombinedReport {
  if (reading === undefined) return report;
  const { warnings, revision, ...language_model } = reading;
  const revised = report.revised || revision > report.revision;
  return { ...report, warnings: [...report.warnings, ...warnings], revision, revised, language_model };
}

/**
 * Imports files into the store.
 * @throws Invalid if the input is refused. If there is no store, none is made then.
 */
export async function importIntoStore(
  config: Config,
  inputs: readonly ImportInput[],
  { confirm, onStored, onProgress = () => {}, ...given }: StoredImportOptions,
): Promise<StoredImport> {
  const { DATABASE_URL, ANALYZER_URL: url, ANALYZER_MODEL: model, ANALYZER_KEY: key, MEMORY_MB: memoryMb } = config;
  let made: Store | undefined;
  let isDeclined = false;
  const makeStore = async () => (made ??= await openStore(DATABASE_URL));
  const there = isStoreThere(DATABASE_URL) ? await makeStore() : undefined;
  const store = there ?? (await openStore("sqlite:"));

  async function confirmed(error: unknown): Promise<ImportOptions> {
    if (confirm === undefined || !isQuestion(error)) throw error;
    isDeclined = true;
    await confirm(error);
    isDeclined = false;
    return { ...options, yes: true, asked: error.issues.map(({ message }) => message) };
  }

  /** Imports, and counts what came of it: what follows is no part of the import. */
  async function imported(): Promise<ImportReport> {
    const isStored = given.dryRun !== true;
    try {
      const report = await importPaths(store, inputs, options).catch(
        async (error) => await importPaths(store, inputs, await confirmed(error)),
      );
      if (isStored) await noteOutcome(await makeStore(), inputs, report.revised ? "imported" : "unchanged");
      return report;
    } catch (error) {
      if (made !== undefined && isStored && !isDeclined)
        await noteOutcome(made, inputs, error instanceof Invalid ? "refused" : "failed");
      throw error;
    }
  }

  async function followUp(report: ImportReport): Promise<AnalystReport | undefined> {
    const written = await makeStore();
    await eraseRemovedWords(DATABASE_URL, written);
    if (url === "") return undefined;
    onStored?.(report);
    return await analyseByModel(written, { url, model, key, now: () => new Date(), onProgress });
  }

  const site = config.BASE_URL === "" ? {} : { baseUrl: config.BASE_URL };
  const isReadByModel = url !== "";
  const { now = new Date() } = given;
  const options: ImportOptions = { ...given, ...site, isReadByModel, makeStore, memoryMb, now, onProgress };
  try {
    const report = await imported();
    if (given.dryRun === true) return { report, reading: undefined };
    const reading = await followUp(report).catch((error: unknown) => {
      throw report.revised ? faultAfter(`The import is done, as revision ${report.revision}`, error) : error;
    });
    return { report, reading };
  } finally {
    if (there === undefined) await store.close();
    await made?.close();
  }
}

/**
 * Reports what an import would do, without writing, compared with the store, or with an empty one if none exists.
 * @throws Invalid if the input is refused.
 */
export async function checkAgainstStore(
  { DATABASE_URL, MEMORY_MB: memoryMb }: Config,
  inputs: readonly ImportInput[],
  given: Omit<ImportOptions, "now">,
): Promise<ImportReport> {
  const options = { memoryMb, ...given, dryRun: true, now: new Date() };
  if (!isStoreThere(DATABASE_URL)) return await checkPaths(inputs, options);
  await using store = await openStore(DATABASE_URL);
  return await importPaths(store, inputs, options);
}

/** Whether the import failed only for lack of confirmation. */
function isQuestion(error: unknown): error is Invalid {
  return error instanceof Invalid && error.issues.every(({ code }) => code === UNCONFIRMED);
}

/** Counts the import for the metrics. What prevents that, such as a full disk, has been said or harms nothing. */
async function noteOutcome(store: Store, inputs: readonly ImportInput[], outcome: ImportOutcome): Promise<void> {
  const isFollowed = inputs.some((input) => typeof input !== "string"); // the follower opens the file
  await noteImportOutcome(store, outcome, { now: new Date(), isFollowed }).catch(() => {});
}
