/** `goodword import` and `goodword check`: import files, or only validate them, and report. */
import type { AnalystReport } from "../../analysis/model-analyst.ts";
import type { ColumnMapping, DateOrder, ImportReport } from "../../import/importer.ts";
import type { Invalid } from "../../issue.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import type { Config } from "../config.ts";
import { issuesOfFault } from "../fault-message.ts";
import { checkAgainstStore, combinedReport, importIntoStore } from "../stored-import.ts";
import { openProgress } from "../terminal/progress.ts";
import { reportLines } from "../terminal/report-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { askToConfirm, canAsk, Declined, OWN_TERMINAL, type Terminal } from "./confirmation.ts";

export interface ImportFlags {
  readonly source?: string;
  readonly overrideSource?: string;
  readonly location?: string;
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
  { as, ...flags }: ImportFlags,
  terminal: Terminal = OWN_TERMINAL,
): Promise<void> {
  if (flags.dryRun === true && !isStoreThere(config.DATABASE_URL)) return await checkCommand(config, paths, flags);
  const progress = openProgress(process.stderr);
  async function confirm(question: Invalid): Promise<void> {
    progress.close();
    terminal.output.write(`${question.message}\n`);
    if (!(await askToConfirm("Import it all the same?", terminal)))
      throw new Declined("Nothing was imported: you did not confirm it.", { cause: question });
  }
  try {
    const imported = await importIntoStore(config, paths, {
      ...flags,
      ...(as === undefined ? {} : { files: [as] }),
      ...(flags.json !== true && canAsk(terminal) ? { confirm } : {}),
      onProgress: progress.show,
    });
    progress.close();
    printReport(combinedReport(imported), flags, imported.reading);
  } catch (error) {
    progress.close();
    printRefusal(error, flags);
    throw error;
  }
}

/**
 * Reports what an import of the paths would do, without writing, compared with the store, or with an empty one if none
 * exists.
 * @throws Invalid if the input is refused.
 */
export async function checkCommand(config: Config, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const progress = openProgress(process.stderr);
  try {
    const report = await checkAgainstStore(config, paths, { ...flags, onProgress: progress.show });
    progress.close();
    printReport(report, { ...flags, dryRun: true });
  } catch (error) {
    printRefusal(error, flags);
    throw error;
  } finally {
    progress.close();
  }
}

/** Prints the issues for scripts, in the format of an HTTP error response. People read them on stderr. */
function printRefusal(error: unknown, { json = false }: ImportFlags): void {
  if (!json) return;
  process.stdout.write(`${JSON.stringify({ error: "Nothing was imported", issues: issuesOfFault(error) })}\n`);
}

function printReport(report: ImportReport, { json = false, dryRun = false }: ImportFlags, reading?: AnalystReport) {
  if (json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
  const notes =
    reading === undefined ? [] : [`${reading.model} has read ${reading.analysed} of ${reading.texts} texts.`];
  process.stdout.write(asTyped(`${reportLines(report, { isDry: dryRun, notes }).join("\n")}\n`));
}
