/** Brings exports of reviews and the owner's business file into the store: one transaction a run, all or nothing. */
import { UNNAMED_BUSINESS } from "../business.ts";
import { Invalid } from "../issue.ts";
import { openStaging, type Staging } from "../store/staging.ts";
import { openStore, raiseRevision, readBusiness, readRevision, type Store, writeBusiness } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { takeInBusiness } from "./business-intake.ts";
import type { ImportOptions, ImportReport, Progress } from "./import-report.ts";
import { type Inputs, openInputs } from "./inputs.ts";
import { takeInAll } from "./intake.ts";
import { redate } from "./redating.ts";
import { settleDuplicates } from "./settlement.ts";
import { openTally, type Tally } from "./tally.ts";
import { transfer, withdraw } from "./transfer.ts";

export type { ImportOptions, ImportReport, Progress, Refusal } from "./import-report.ts";

const DEFAULT_ZONE = UNNAMED_BUSINESS.time_zone;
const DEFAULT_VERIFIED_SOURCES = UNNAMED_BUSINESS.verified_sources;

/**
 * Imports files, folders and zips.
 * @throws Invalid naming every fault (bounded), the store untouched, unless `skipInvalid` is given.
 */
export async function importPaths(
  store: Store,
  paths: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> {
  const inputs = await openInputs(paths);
  try {
    return await importInputs(store, inputs, options);
  } finally {
    inputs.close();
  }
}

/** Does the same in a store of its own that is gone afterwards. */
export async function checkPaths(paths: readonly string[], options: ImportOptions): Promise<ImportReport> {
  const store = await openStore("sqlite:");
  try {
    return await importPaths(store, paths, options);
  } finally {
    await store.close();
  }
}

async function importInputs(store: Store, inputs: Inputs, options: ImportOptions): Promise<ImportReport> {
  const tally = openTally();
  const staging = openStaging();
  const report = (phase: Progress["phase"], file: string | null, written: number) =>
    options.onProgress?.({ phase, file, read: tally.read, written });
  try {
    const business = await takeInBusiness(inputs, tally);
    const stored = await readBusiness(store.database);
    const zone = (business ?? stored)?.time_zone ?? DEFAULT_ZONE;
    const circumstances = { zone, source: options.source };
    const onRead = (file: string) => report("reading", file, 0);
    await takeInAll(inputs, { staging, circumstances, tally, onRead });
    settleDuplicates(staging, tally);
    if (tally.issues.length > 0 && options.skipInvalid !== true) throw tally.invalid();
    if (options.complete === true) requireComplete(staging, tally);
    return await commit(store, options.dryRun === true, async (transaction) => {
      const before = await readBusiness(transaction);
      if (before?.time_zone !== stored?.time_zone)
        throw new Error("Another import changed the time zone meanwhile. Import again.");
      const isFileNew = business !== undefined && (await writeBusiness(transaction, business));
      const redated =
        isFileNew && zone !== (before?.time_zone ?? DEFAULT_ZONE) ? await redate(transaction, staging, zone) : 0;
      if (redated > 0)
        tally.warn(`${redated} reviews kept before have other dates now, because the time zone is ${zone}.`);
      const { added, changed, withheld } = await transfer(transaction, staging, {
        verifiedSources: (business ?? before)?.verified_sources ?? DEFAULT_VERIFIED_SOURCES,
        onBatch: (done) => report("writing", null, done),
      });
      const withdrawn = options.complete === true ? await withdraw(transaction, staging) : 0;
      const revised = isFileNew || redated + added + changed + withdrawn > 0;
      if (revised) await raiseRevision(transaction, options.now);
      for (const [source, count] of Object.entries(withheld)) tally.warn(withheldWarning(source, count));
      return {
        read: tally.read,
        added,
        changed,
        unchanged: tally.read - tally.refusedRecords - added - changed,
        withheld: Object.values(withheld).reduce((sum, count) => sum + count, 0),
        withdrawn,
        refused: tally.refused,
        withheld_sources: withheld,
        warnings: tally.warnings,
        passed_over: tally.passedOver,
        issues: tally.issues,
        business: business === undefined ? null : !isFileNew ? "unchanged" : before === undefined ? "added" : "changed",
        revision: (await readRevision(transaction)).number,
        revised,
      };
    });
  } finally {
    staging.close();
  }
}

function withheldWarning(source: string, count: number): string {
  const whose = `${count} ${count === 1 ? "review" : "reviews"} from ${source}`;
  return `${whose} kept but not published: name ${source} under verified_sources in business.yaml, or set verified on the rows.`;
}

/** Refuses to withdraw what a run lacks when the run cannot be the whole of its sources. */
function requireComplete(staging: Staging, tally: Tally): void {
  const faults: string[] = [];
  if (tally.refused > 0) faults.push("some of it was refused");
  if (staging.sources().length === 0) faults.push("it holds no reviews, so all would be withdrawn");
  for (const format of tally.partialFormats) faults.push(`the ${format} never gives all reviews`);
  if (faults.length === 0) return;
  throw new Invalid(
    faults.map((fault) => ({
      code: "incomplete",
      path: ["complete"],
      message: `The import cannot be complete: ${fault}.`,
    })),
  );
}

class DryRun extends Error {}

/** Runs the work in one transaction; a dry run takes everything back. */
async function commit<Result>(
  store: Store,
  isDryRun: boolean,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  try {
    return await store.database.transaction().execute(async (transaction) => {
      result = await work(transaction);
      if (isDryRun) throw new DryRun();
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return result as Result;
    throw error;
  }
}
