/** Brings exports of reviews and the owner's business file into the store: one transaction a run, all or nothing. */
import type { Issue } from "../issue.ts";
import { openStaging } from "../store/staging.ts";
import { openStore, raiseRevision, readBusiness, readRevision, type Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { type Inputs, openInputs } from "./inputs.ts";
import { takeIn } from "./intake.ts";
import { settleDuplicates } from "./settlement.ts";
import { openTally } from "./tally.ts";
import { transfer, withdraw } from "./transfer.ts";

export interface ImportOptions {
  /** The source of all reviews of the run, whatever the exports say. */
  readonly source?: string;
  /** These are the whole exports of their sources: reviews that they lack are withdrawn. */
  readonly complete?: boolean;
  /** Report what would be done, and leave the store as it is. */
  readonly dryRun?: boolean;
  /** Import what is valid although some is not. */
  readonly skipInvalid?: boolean;
  /** The time of the revision that a change makes. */
  readonly now: Date;
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a run is: records read so far, or reviews compared with the store so far. */
export interface Progress {
  readonly phase: "reading" | "writing";
  readonly file: string | null;
  readonly read: number;
  readonly written: number;
}

/** One thing refused: `path` is the file, the line or index in it, and the field. */
export type Refusal = Issue;

/** What a run did. `read` = `added` + `changed` + `unchanged` + `refused` wherever no file was refused whole. */
export interface ImportReport {
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly withheld: number;
  readonly withdrawn: number;
  readonly refused: number;
  readonly withheld_sources: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly passed_over: readonly string[];
  readonly issues: readonly Refusal[];
  readonly business: "added" | "changed" | "unchanged" | null;
  readonly revision: number;
  readonly revised: boolean;
}

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
  const store = await openStore("sqlite::memory:");
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
    const stored = await readBusiness(store.database);
    const business = stored;
    const circumstances = { zone: business?.time_zone ?? "UTC", source: options.source };
    for (const file of inputs.files) {
      report("reading", file.name, 0);
      await takeIn(file, { staging, circumstances, tally, onRead: (name) => report("reading", name, 0) });
    }
    settleDuplicates(staging, tally);
    if (tally.issues.length > 0 && options.skipInvalid !== true) throw tally.invalid();
    return await commit(store, options.dryRun === true, async (transaction) => {
      const { added, changed, withheld } = await transfer(transaction, staging, {
        verifiedSources: business?.verified_sources ?? ["google"],
        onBatch: (done) => report("writing", null, done),
      });
      const withdrawn = options.complete === true ? await withdraw(transaction, staging) : 0;
      const revised = added + changed + withdrawn > 0;
      if (revised) await raiseRevision(transaction, options.now);
      return {
        read: tally.read,
        added,
        changed,
        unchanged: tally.read - tally.refused - added - changed,
        withheld: Object.values(withheld).reduce((sum, count) => sum + count, 0),
        withdrawn,
        refused: tally.refused,
        withheld_sources: withheld,
        warnings: tally.warnings,
        passed_over: tally.passedOver,
        issues: tally.issues,
        business: null,
        revision: (await readRevision(transaction)).number,
        revised,
      };
    });
  } finally {
    staging.close();
  }
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
