/**
 * Analyses an import's texts before the store is locked: the lexicon reads texts without a stored analysis, and the
 * results wait in the staging area for the transaction that applies the run.
 */
import { setImmediate } from "node:timers/promises";
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import { keepAnalyses, knownAnalysisKeys } from "../store/analysis-rows.ts";
import type { Staging } from "../store/staging.ts";
import type { Database } from "../store/tables.ts";
import { openParallelAnalysis } from "./parallel-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** The fields of a staged review that decide whether and how it is analysed. */
interface StagedText {
  readonly text?: string | null;
  readonly rating: number;
  readonly source: string;
  readonly row_verified: number | boolean | undefined;
}

/** At 5,000 texts per second a batch takes 20 ms, so that a server can answer requests during an import. */
const BATCH = 100;

/**
 * Analyses the staged texts that will be published and have no stored analysis. Reviews without text need none. Reviews
 * whose export omits the text are skipped; if their stars have changed, the edition worker analyses them.
 */
export async function analyseStaged(
  database: Database,
  staging: Staging,
  { business, onBatch }: { readonly business: BusinessFile | undefined; readonly onBatch?: (done: number) => void },
): Promise<void> {
  const { verified_sources } = business ?? UNNAMED_BUSINESS;
  let analysed = 0;
  const analysis = openParallelAnalysis(business, (analyses) => {
    for (const { key, body } of analyses) staging.addAnalysis(key, body);
    analysed += analyses.length;
    onBatch?.(analysed);
  });
  try {
    for (const bodies of staging.bodies(BATCH)) {
      const texts = bodies
        .map((body) => JSON.parse(body) as StagedText)
        .filter(({ row_verified, source }) => row_verified === 1 || verified_sources.includes(source))
        .flatMap(({ text, rating }) => (hasWords(text) ? [{ text, rating }] : []));
      if (texts.length === 0) continue;
      const taxonomy = taxonomyOf(business);
      const keyed = new Map(
        texts.map(({ text, rating }) => {
          const key = analysisKey(text, rating, taxonomy);
          return [key, { key, text, rating }];
        }),
      );
      for (const key of staging.analysed([...keyed.keys()])) keyed.delete(key);
      for (const key of await knownAnalysisKeys(database, [...keyed.keys()])) keyed.delete(key);
      if (keyed.size === 0) continue;
      analysis.analyse([...keyed.values()]);
      await setImmediate();
    }
    await analysis.finish();
  } finally {
    await analysis.close();
  }
}

/** Moves the staged analyses into the store, inside the transaction that applies the run. */
export async function keepStagedAnalyses(transaction: Database, staging: Staging): Promise<void> {
  for (const batch of staging.analyses(BATCH)) await keepAnalyses(transaction, batch);
}

/** Whether a review has text, not only stars. */
export function hasWords(text: string | null | undefined): text is string {
  return typeof text === "string" && text.trim() !== "";
}
