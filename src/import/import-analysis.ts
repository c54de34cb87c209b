/**
 * Analyses an import's texts before the store is locked. A worker thread begins while the import still reads; when all
 * is staged and merged, both threads analyse the rest. The analyses wait in the staging area for the transaction.
 */
import { setImmediate } from "node:timers/promises";
import { lru } from "tiny-lru";
import {
  type AnalysisQueue,
  analyseTexts,
  type FinishedAnalysis,
  openAnalysisQueue,
} from "../analysis/analysis-queue.ts";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import { isWords } from "../review.ts";
import { hasAnalyses, keepAnalyses, knownAnalysisKeys } from "../store/analysis-rows.ts";
import type { Database } from "../store/tables.ts";
import type { Candidate } from "./review/candidate.ts";
import type { StagedText, Staging } from "./staging/staging.ts";

/** The limits of a batch. At 10,000 texts a second it takes 10 ms, so that a server can answer during an import. */
const [MAX_BATCH_TEXTS, MAX_BATCH_CHARACTERS] = [100, 100_000];
/** With fewer texts, the worker would be ready too late to help: it loads the analyser for itself, for half a second. */
const MIN_TEXTS_FOR_WORKER = 1_000;
/** The keys in the memo of texts that were taken: customers repeat short texts. */
const MAX_MEMO_KEYS = 10_000;
const ROWS_AT_A_TIME = 300;

export interface ImportAnalysis {
  /** Gives the worker as many staged texts as it has room for. Call it between records. */
  prefetch(): void;
  /**
   * Analyses all staged texts that have no stored analysis, when the staging area holds what will be written. `onBatch`
   * gets the number of texts analysed so far.
   */
  drain(onBatch: (analysed: number) => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns the function that gives the key of the analysis that a review needs: none for a review without words, or one
 * that is not published. A review whose export omits the text needs none here: if its stars have changed, the edition's
 * renderer analyses it.
 */
export function analysisKeys(business: BusinessFile = UNNAMED_BUSINESS): (candidate: Candidate) => string | undefined {
  let taxonomy: Taxonomy | undefined;
  return ({ text, rating, source, row_verified }) => {
    const isPublished = row_verified === 1 || business.verified_sources.includes(source);
    if (!isPublished || !isWords(text)) return undefined;
    taxonomy ??= taxonomyOf(business);
    return analysisKey(text, rating, taxonomy);
  };
}

interface AnalysisOptions {
  readonly business: BusinessFile | undefined;
  readonly queue?: AnalysisQueue;
}

/** Opens the analysis of an import's texts. */
export async function openImportAnalysis(
  database: Database,
  staging: Staging,
  { business, queue = openAnalysisQueue(business) }: AnalysisOptions,
): Promise<ImportAnalysis> {
  const isAnyStored = await hasAnalyses(database);
  const takenKeys = lru<true>(MAX_MEMO_KEYS);
  /** The number of the staged review that was looked at last. Merged reviews are staged again, with higher numbers. */
  let last = 0;
  let analysed = 0;

  /** The next staged texts that were not taken lately; none when all have been looked at. */
  function nextBatch(): StagedText[] {
    const batch: StagedText[] = [];
    let characters = 0;
    for (const text of staging.textsAfter(last)) {
      last = text.number;
      if (takenKeys.has(text.key)) continue;
      takenKeys.set(text.key, true);
      batch.push(text);
      characters += text.text.length;
      if (batch.length === MAX_BATCH_TEXTS || characters > MAX_BATCH_CHARACTERS) return batch;
    }
    last = staging.count;
    return batch;
  }

  /** Those texts that have no stored analysis. */
  async function withoutStored(texts: readonly StagedText[]): Promise<readonly StagedText[]> {
    if (!isAnyStored) return texts;
    const stored = await knownAnalysisKeys(
      database,
      texts.map(({ key }) => key),
    );
    return texts.filter(({ key }) => !stored.has(key));
  }

  function add(analyses: readonly FinishedAnalysis[]): void {
    staging.addAnalyses(analyses);
    analysed += analyses.length;
  }

  /** Whether the worker is worth its start. Until the store is asked, all texts of a first import have to be analysed. */
  const areMany = () => (isAnyStored ? analysed : staging.count) >= MIN_TEXTS_FOR_WORKER;

  return {
    prefetch() {
      if (isAnyStored || !areMany()) return;
      add(queue.receive());
      while (queue.hasRoom()) {
        const texts = nextBatch();
        if (texts.length === 0) return;
        queue.send(texts);
      }
    },
    async drain(onBatch) {
      add(queue.receive());
      if (analysed > 0) onBatch(analysed);
      for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
        const texts = await withoutStored(batch);
        if (texts.length === 0) continue;
        if (areMany() && queue.hasRoom()) queue.send(texts);
        else add(analyseTexts(business, texts));
        add(queue.receive());
        onBatch(analysed);
        await setImmediate();
      }
      for (let texts = queue.takeBack(); texts !== undefined; texts = queue.takeBack()) {
        add(analyseTexts(business, texts));
        add(queue.receive());
        onBatch(analysed);
        await setImmediate();
      }
    },
    close: () => queue.close(),
  };
}

/** Moves the staged analyses into the store. */
export async function storeAnalyses(transaction: Database, staging: Staging): Promise<void> {
  for (const page of staging.analyses(ROWS_AT_A_TIME)) await keepAnalyses(transaction, page);
}
