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
import { keepAnalyses, knownAnalysisKeys } from "../store/analysis-rows.ts";
import type { Database } from "../store/tables.ts";
import type { Candidate } from "./review/candidate.ts";
import type { StagedText, Staging } from "./staging/staging.ts";

/** The limits of a batch. At 10,000 texts a second it takes 10 ms, so that a server can answer during an import. */
const [MAX_BATCH_TEXTS, MAX_BATCH_CHARACTERS] = [100, 100_000];
/** With fewer reviews, the worker would be ready too late: loading the analyser takes it half a second. */
const MIN_REVIEWS_FOR_WORKER = 1_000;
/** The keys in the memo of texts that were taken: customers repeat short texts. */
const MAX_MEMO_KEYS = 10_000;
const ROWS_AT_A_TIME = 300;

export interface ImportAnalysis {
  /** Gives the worker as many staged texts as it has room for. Call it between records. */
  prefetch(): Promise<void>;
  /**
   * Analyses all staged texts that have no stored analysis, when the staging area holds the reviews to write. `onBatch`
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
  return ({ text, rating, source, row_verified, hidden }) => {
    const isPublished = row_verified === 1 || business.verified_sources.includes(source);
    if (!isPublished || typeof hidden === "string" || !isWords(text)) return undefined;
    taxonomy ??= taxonomyOf(business);
    return analysisKey(text, rating, taxonomy);
  };
}

interface AnalysisOptions {
  readonly business: BusinessFile | undefined;
  readonly queue?: AnalysisQueue;
}

/** Opens the analysis of an import's texts. */
export function openImportAnalysis(
  database: Database,
  staging: Staging,
  { business, queue = openAnalysisQueue(business) }: AnalysisOptions,
): ImportAnalysis {
  const takenKeys = lru<true>(MAX_MEMO_KEYS);
  /** The number of the staged review that was looked at last. Merged reviews are staged again, with higher numbers. */
  let last = 0;
  let analysed = 0;

  /** The next staged texts that were not taken lately; none when all have been looked at. */
  function takeTexts(): StagedText[] {
    const taken: StagedText[] = [];
    let characters = 0;
    for (const text of staging.textsAfter(last)) {
      last = text.number;
      if (takenKeys.has(text.key)) continue;
      takenKeys.set(text.key, true);
      taken.push(text);
      characters += text.text.length;
      if (taken.length === MAX_BATCH_TEXTS || characters > MAX_BATCH_CHARACTERS) return taken;
    }
    last = staging.count;
    return taken;
  }

  /** The next texts without a stored analysis; undefined when all staged texts have been looked at. */
  async function nextBatch(): Promise<readonly StagedText[] | undefined> {
    for (let texts = takeTexts(); texts.length > 0; texts = takeTexts()) {
      const keys = texts.map(({ key }) => key);
      const stored = await knownAnalysisKeys(database, keys);
      if (stored.size < keys.length) return texts.filter(({ key }) => !stored.has(key));
    }
    return undefined;
  }

  function add(analyses: readonly FinishedAnalysis[]): void {
    staging.addAnalyses(analyses);
    analysed += analyses.length;
  }

  const isWorkerUseful = () => staging.count >= MIN_REVIEWS_FOR_WORKER && queue.hasRoom();

  return {
    async prefetch() {
      add(queue.receive());
      while (isWorkerUseful()) {
        const texts = await nextBatch();
        if (texts === undefined) return;
        queue.send(texts);
      }
    },
    async drain(onBatch) {
      async function finishBatch() {
        add(queue.receive());
        onBatch(analysed);
        await setImmediate();
      }
      for (let texts = await nextBatch(); texts !== undefined; texts = await nextBatch()) {
        if (isWorkerUseful()) queue.send(texts);
        else add(analyseTexts(business, texts));
        await finishBatch();
      }
      add(queue.receive());
      for (let texts = queue.takeBack(); texts !== undefined; texts = queue.takeBack()) {
        add(analyseTexts(business, texts));
        await finishBatch();
      }
    },
    close: () => queue.close(),
  };
}

/** Moves the staged analyses into the store. */
export async function storeAnalyses(transaction: Database, staging: Staging): Promise<void> {
  for (const page of staging.analyses(ROWS_AT_A_TIME)) await keepAnalyses(transaction, page);
}
