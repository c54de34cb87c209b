/** `goodword import` and `goodword check`: bring files in, or only look at them, and report. */
import { checkPaths, type ImportReport, importPaths } from "../import/importer.ts";
import { openStore } from "../store/store.ts";
import { openProgress } from "./progress.ts";

export interface ImportFlags {
  readonly source?: string;
  readonly complete?: boolean;
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly json?: boolean;
}

/** Imports the paths into the store and prints the report. @throws Invalid for refused input. */
export async function importCommand(databaseUrl: string, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const store = await openStore(databaseUrl);
  const progress = openProgress(process.stderr);
  try {
    const report = await importPaths(store, paths, { ...flags, now: new Date(), onProgress: progress.show });
    progress.close();
    printReport(report, flags);
  } finally {
    progress.close();
    await store.close();
  }
}

/** Checks the paths without writing and prints the report. @throws Invalid for refused input. */
export async function checkCommand(paths: readonly string[], flags: ImportFlags): Promise<void> {
  const progress = openProgress(process.stderr);
  try {
    const report = await checkPaths(paths, { ...flags, now: new Date(), onProgress: progress.show });
    progress.close();
    printReport(report, { ...flags, dryRun: true });
  } finally {
    progress.close();
  }
}

const COUNTS = ["read", "added", "changed", "unchanged", "withheld", "withdrawn", "refused"] as const;

function printReport(report: ImportReport, { json = false, dryRun = false }: ImportFlags): void {
  if (json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
  const lines = COUNTS.map((name) => `${name.padEnd(10)} ${String(report[name]).padStart(9)}`);
  const business = report.business === null ? [] : [`business   ${report.business.padStart(9)}`];
  const passed = report.passed_over.map((name) => `passed over: ${name}`);
  const refusals = report.issues.map(({ message }) => `refused: ${message}`);
  const end = dryRun ? "Nothing was written." : report.revised ? `Revision ${report.revision}.` : "Nothing changed.";
  const warnings = report.warnings.map((warning) => `warning: ${warning}`);
  process.stdout.write(`${[...passed, ...refusals, ...warnings, ...lines, ...business, end].join("\n")}\n`);
}
