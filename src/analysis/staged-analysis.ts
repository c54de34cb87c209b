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
import { openParallelAnalysis, type TextToAnalyse } from "./parallel-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** The fields of a staged review that decide whether and how it is analysed. */
interface StagedText {
  readonly text?: string | null | undefined;
  readonly rating: number;
  readonly source: string;
  readonly row_verified?: number | undefined;
}

/** At 5,000 texts per second a batch takes 20 ms, so that a server can answer requests during an import. */
const BATCH = 100;
/** After so many batches most of whose texts were known already, no more are looked at ahead. */
const MOST_IN_VAIN = 10;
/** Longer texts are not held in memory to be analysed ahead. */
const LONGEST_AHEAD = 10_000;

/** The analysis of an import's texts, from the first record that it reads. */
export interface StagedAnalysis {
  /** Notes a review that was staged: its text may be analysed ahead. */
  note(review: StagedText): void;
  /** Has texts that were noted analysed by threads that have room, while the import goes on reading. */
  lookAhead(): Promise<void>;
  /**
   * Analyses the staged texts that will be published and have no stored analysis. Reviews without text need none.
   * Reviews whose export omits the text are skipped; if their stars have changed, the edition worker analyses them.
   */
  complete(onBatch: (done: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** Opens the analysis of an import. What is analysed ahead is a guess, and kept only if a staged review needs it. */
export function openStagedAnalysis(
  database: Database,
  staging: Staging,
  { business }: { readonly business: BusinessFile | undefined },
): StagedAnalysis {
  const { verified_sources } = business ?? UNNAMED_BUSINESS;
  let noted: Pick<TextToAnalyse, "text" | "rating">[] = [];
  let [analysed, inVain] = [0, 0];
  let onBatch: ((done: number) => void) | undefined;
  const parallel = openParallelAnalysis(business, (analyses) => {
    for (const { key, body } of analyses) staging.addAnalysis(key, body, onBatch !== undefined);
    analysed += analyses.length;
    onBatch?.(analysed);
  });

  /** The words and stars to analyse if this review will be published. */
  function textsOf({ row_verified, source, text, rating }: StagedText): Pick<TextToAnalyse, "text" | "rating">[] {
    const isPublished = row_verified === 1 || verified_sources.includes(source);
    return isPublished && hasWords(text) ? [{ text, rating }] : [];
  }

  /** The texts of which the store has no analysis, and of which none was made that is told as `made`. */
  async function unread(texts: typeof noted, made: (keys: readonly string[]) => string[]): Promise<TextToAnalyse[]> {
    if (texts.length === 0) return [];
    const taxonomy = taxonomyOf(business);
    const keyed = new Map(
      texts.map(({ text, rating }) => {
        const key = analysisKey(text, rating, taxonomy);
        return [key, { key, text, rating }];
      }),
    );
    for (const key of made([...keyed.keys()])) keyed.delete(key);
    for (const key of await knownAnalysisKeys(database, [...keyed.keys()])) keyed.delete(key);
    return [...keyed.values()];
  }

  return {
    note(review) {
      if (noted.length < BATCH && inVain < MOST_IN_VAIN && (review.text?.length ?? 0) <= LONGEST_AHEAD)
        noted.push(...textsOf(review));
    },
    async lookAhead() {
      const texts = noted;
      noted = [];
      if (texts.length === 0) return;
      await setImmediate(); // lets the threads' answers in
      if (!parallel.hasRoom()) return;
      const unknown = await unread(texts, () => []);
      if (unknown.length < texts.length / 2) inVain += 1;
      if (unknown.length > 0) parallel.analyseAhead(unknown);
    },
    async complete(report) {
      await parallel.finish();
      onBatch = report;
      if (analysed > 0) onBatch(analysed);
      for (const bodies of staging.bodies(BATCH)) {
        const texts = await unread(
          bodies.flatMap((body) => textsOf(JSON.parse(body) as StagedText)),
          staging.needAnalyses,
        );
        if (texts.length === 0) continue;
        parallel.analyse(texts);
        await setImmediate();
      }
      await parallel.finish();
      await parallel.close();
    },
    close: () => parallel.close(),
  };
}

/** Moves the staged analyses into the store, inside the transaction that applies the run. */
export async function keepStagedAnalyses(transaction: Database, staging: Staging): Promise<void> {
  for (const batch of staging.analyses(BATCH)) await keepAnalyses(transaction, batch);
}

/** Whether a review has text, not only stars. */
export function hasWords(text: string | null | undefined): text is string {
  return typeof text === "string" && text.trim() !== "";
}
