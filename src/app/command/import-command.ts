/** `goodword import` and `goodword check`: import files, or only validate them, and report. */
import { type AnalystReport, analyseByModel } from "../../analysis/model-analyst.ts";
import {
  type ColumnMapping,
  checkPaths,
  type DateOrder,
  type ImportReport,
  importPaths,
  UNCONFIRMED,
} from "../../import/importer.ts";
import { Invalid } from "../../issue.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { type ImportOutcome, noteImportOutcome } from "../../store/history/import-outcome-rows.ts";
import { openStore, type Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { eraseRemovedWords } from "../removed-words.ts";
import { faultAfter } from "../terminal/fault-message.ts";
import { openProgress } from "../terminal/progress.ts";
import { reportLines } from "../terminal/report-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { askToConfirm, canAsk, Declined, OWN_TERMINAL, type Terminal } from "./confirmation.ts";

export interface ImportFlags {
  readonly source?: string;
  readonly overrideSource?: string;
  readonly columns?: ColumnMapping;
  readonly dates?: DateOrder;
  readonly encoding?: string;
  readonly complete?: boolean;
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly reviewsOnly?: boolean;
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
  /** A name for the files in the history. */
  readonly as?: string;
}

/**
 * Imports the paths into the store, has the owner's language model analyse the new texts, and prints the report.
 * @throws Invalid if the input is refused. If there is no store, none is made then.
 */
export async function importCommand(
  config: Config,
  paths: readonly string[],
  flags: ImportFlags,
  terminal: Terminal = OWN_TERMINAL,
): Promise<void> {
  const { DATABASE_URL, ANALYZER_URL: url, ANALYZER_MODEL: model, ANALYZER_KEY: key } = config;
  if (flags.dryRun === true && !isStoreThere(DATABASE_URL)) return await checkCommand(config, paths, flags);
  let made: Store | undefined;
  const makeStore = async () => (made ??= await openStore(DATABASE_URL));
  const there = isStoreThere(DATABASE_URL) ? await makeStore() : undefined;
  const store = there ?? (await openStore("sqlite:"));
  const progress = openProgress(process.stderr);
  try {
    const named = flags.as === undefined ? {} : { files: [flags.as] };
    const site = config.BASE_URL === "" ? {} : { baseUrl: config.BASE_URL };
    const options = { ...flags, ...named, ...site, makeStore, now: new Date(), onProgress: progress.show };
    const report = await importPaths(store, paths, options).catch(async (error) => {
      progress.close();
      if (!isQuestion(error, flags, terminal)) throw error;
      terminal.output.write(`${error.message}\n`);
      if (!(await askToConfirm("Withdraw them?", terminal)))
        throw new Declined("Nothing was imported: you did not confirm it.", { cause: error });
      return await importPaths(store, paths, { ...options, yes: true });
    });
    const finish = async () => {
      if (flags.dryRun === true) return undefined;
      const written = await makeStore();
      await eraseRemovedWords(DATABASE_URL, written);
      const now = () => new Date();
      if (url === "") return undefined;
      return await analyseByModel(written, { url, model, key, now, onProgress: progress.show });
    };
    const reading = await finish().catch((error: unknown) => {
      throw report.revised ? faultAfter(`The import is done, as revision ${report.revision}`, error) : error;
    });
    progress.close();
    printReport(report, flags, reading);
    if (flags.dryRun !== true) await noteOutcome(await makeStore(), report.revised ? "imported" : "unchanged");
  } catch (error) {
    printRefusal(error, flags);
    const written = made;
    if (written !== undefined && flags.dryRun !== true && !(error instanceof Declined))
      await noteOutcome(written, error instanceof Invalid ? "refused" : "failed");
    throw error;
  } finally {
    progress.close();
    if (there === undefined) await store.close();
    await made?.close();
  }
}

/** Counts the import for the metrics. What prevents that, such as a full disk, has been said or harms nothing. */
async function noteOutcome(store: Store, outcome: ImportOutcome): Promise<void> {
  await noteImportOutcome(store, outcome, new Date()).catch(() => {});
}

/**
 * Reports what an import of the paths would do, without writing, compared with the store, or with an empty one if none
 * exists.
 * @throws Invalid if the input is refused.
 */
export async function checkCommand(config: Config, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const store = isStoreThere(config.DATABASE_URL) ? await openStore(config.DATABASE_URL) : undefined;
  const progress = openProgress(process.stderr);
  try {
    const options = { ...flags, dryRun: true, now: new Date(), onProgress: progress.show };
    const report = store === undefined ? await checkPaths(paths, options) : await importPaths(store, paths, options);
    progress.close();
    printReport(report, { ...flags, dryRun: true });
  } catch (error) {
    printRefusal(error, flags);
    throw error;
  } finally {
    progress.close();
    await store?.close();
  }
}

/** Whether the import failed only for lack of confirmation, and a person at the terminal can confirm it. */
function isQuestion(error: unknown, { json = false }: ImportFlags, terminal: Terminal): error is Invalid {
  const isUnconfirmed = error instanceof Invalid && error.issues.every(({ code }) => code === UNCONFIRMED);
  return isUnconfirmed && !json && canAsk(terminal);
}

/** Prints the issues for scripts, in the format of an HTTP error response. People read them on stderr. */
function printRefusal(error: unknown, { json = false }: ImportFlags): void {
  if (!json || !(error instanceof Invalid)) return;
  process.stdout.write(`${JSON.stringify({ error: "Nothing was imported", issues: error.issues })}\n`);
}

function printReport(imported: ImportReport, { json = false, dryRun = false }: ImportFlags, reading?: AnalystReport) {
  const report = reading === undefined ? imported : withReading(imported, reading);
  if (json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
  const notes =
    reading === undefined ? [] : [`${reading.model} has read ${reading.analysed} of ${reading.texts} texts.`];
  process.stdout.write(asTyped(`${reportLines(report, { isDry: dryRun, notes }).join("\n")}\n`));
}

/** The combined report of the import and the language model. */
function withReading(report: ImportReport, { warnings, revision, ...language_model }: AnalystReport) {
  const revised = report.revised || revision > report.revision;
  return { ...report, warnings: [...report.warnings, ...warnings], revision, revised, language_model };
}
