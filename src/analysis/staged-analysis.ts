/**
 * Analyses an import's texts while it reads, and nearly all others before the store is locked: the lexicon reads texts
 * without a stored analysis, and the results wait in the staging area for the transaction that applies the run. Threads
 * read the last ones while the reviews are written.
 */
import { setImmediate } from "node:timers/promises";
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import { isWords } from "../review.ts";
import { hasAnalyses, keepAnalyses, knownAnalysisKeys } from "../store/analysis-rows.ts";
import { unpackText } from "../store/staging/packed-candidate.ts";
import type { Staging } from "../store/staging/staged-review.ts";
import type { Database } from "../store/tables.ts";
import { openParallelAnalysis, type TextToAnalyse } from "./parallel-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** At 5,000 texts per second a batch takes 20 ms, so that a server can answer requests during an import. */
const BATCH = 100;
/** So many analyses are written at a time. */
const WRITTEN_AT_A_TIME = 300;
/** Threads analyse so much of all texts while the reviews are written, which takes about as long. */
const WRITING_SHARE = 20 / 100;
/** So that the store is not locked much longer where the threads have no processor of their own. */
const MOST_WHILE_WRITING = 45_000;
/**
 * This thread helps the others with more texts than these: with fewer it would hardly have the analyser compiled, which
 * takes both processors, before they are done.
 */
const TEXTS_BEFORE_HELPING = 33_000;

/** The analysis of an import's texts, from the first record that it reads. */
export interface StagedAnalysis {
  /** Has threads analyse texts that were staged, as far as they have room, while the import goes on reading. */
  lookAhead(): Promise<void>;
  /**
   * Analyses the staged texts that will be published and have no stored analysis, except those for which threads have
   * time while the reviews are written. Reviews without text need none. Reviews whose export omits the text are skipped;
   * if their stars have changed, the edition worker analyses them.
   */
  complete(onBatch: (done: number) => void): Promise<void>;
  /**
   * Moves the analyses that there are into the store, and gives threads texts meanwhile: what is written while they work
   * need not be written when they are done.
   */
  keepReady(transaction: Database): Promise<void>;
  /** Gives threads the next texts to analyse while the reviews are written. */
  goOn(transaction: Database): Promise<void>;
  /** Analyses what is left, and moves the analyses into the store, inside the transaction that applies the run. */
  keep(transaction: Database): Promise<void>;
  close(): Promise<void>;
}

/** Opens the analysis of an import. What is analysed ahead is a guess, and kept only if a staged review needs it. */
export function openStagedAnalysis(
  database: Database,
  staging: Staging,
  { business }: { readonly business: BusinessFile | undefined },
): StagedAnalysis {
  const { verified_sources } = business ?? UNNAMED_BUSINESS;
  /** The numbers of the texts that were analysed or are being analysed: one that occurs twice is analysed once. */
  const taken = new Set<number>();
  let taxonomy: Taxonomy | undefined;
  let isAnyStored: Promise<boolean> | undefined;
  /** Whether some of what was analysed ahead may be needed no more. */
  let isDoubtful = false;
  /** The number of the staged review whose text was looked at last. */
  let lookedAt = 0;
  /** The staged reviews that come after it when all are staged, and how many of them are left. */
  let rest: Iterator<readonly string[]> | undefined;
  let left = 0;
  let hasHelped = false;
  let analysed = 0;
  let onBatch: ((done: number) => void) | undefined;
  const parallel = openParallelAnalysis(business, (analyses) => {
    for (const { key, body } of analyses) staging.addAnalysis(key, body);
    analysed += analyses.length;
    onBatch?.(analysed);
  });

  /** The texts of these staged reviews that nobody has taken and of which the store has no analysis, each once. */
  async function unread(bodies: readonly string[], from: Database): Promise<TextToAnalyse[]> {
    taxonomy ??= taxonomyOf(business);
    const found: TextToAnalyse[] = [];
    for (const body of bodies) {
      const { text, rating, source, row_verified } = unpackText(body);
      const isPublished = row_verified === 1 || verified_sources.includes(source);
      if (isPublished && isWords(text)) found.push({ key: analysisKey(text, rating, taxonomy), text, rating });
    }
    if (found.length === 0) return [];
    if (isDoubtful) staging.needAnalyses(found.map(({ key }) => key));
    isAnyStored ??= hasAnalyses(from);
    const keys = found.map(({ key }) => key);
    const stored = (await isAnyStored) ? await knownAnalysisKeys(from, keys) : new Set<string>();
    return found.filter(({ key }) => {
      const number = numberOf(key);
      if (stored.has(key) || taken.has(number)) return false;
      taken.add(number);
      return true;
    });
  }

  /** The texts of the next batch, when all reviews are staged, that have to be analysed. */
  async function nextTexts(from: Database): Promise<TextToAnalyse[]> {
    const next = rest?.next();
    const bodies = next === undefined || next.done === true ? [] : next.value;
    left = bodies.length === 0 ? 0 : left - bodies.length;
    return await unread(bodies, from);
  }

  /** Has all texts but so many taken by threads. This one takes some as well where they have too many. */
  async function shareOut(from: Database, mayStay: number): Promise<void> {
    while (left > mayStay) {
      const isHelping = !parallel.isHelped() || hasHelped || left - mayStay > TEXTS_BEFORE_HELPING;
      if (!parallel.hasRoom() && !isHelping) {
        await parallel.room();
        continue;
      }
      const texts = await nextTexts(from);
      if (texts.length === 0) continue;
      if (parallel.hasRoom()) parallel.analyse(texts);
      else {
        hasHelped = true;
        parallel.analyseHere(texts);
      }
      await setImmediate(); // lets the threads' answers in
    }
  }

  async function goOn(transaction: Database): Promise<void> {
    if (parallel.isHelped()) await setImmediate(); // the statements of a transaction give the threads' answers no turn
    while (left > 0 && parallel.hasRoom()) {
      const texts = await nextTexts(transaction);
      if (texts.length > 0) parallel.analyse(texts);
    }
  }

  async function keepAnalysed(transaction: Database): Promise<void> {
    for (const batch of staging.takeAnalyses(WRITTEN_AT_A_TIME)) {
      await keepAnalyses(transaction, batch);
      await goOn(transaction);
    }
  }

  return {
    async lookAhead() {
      if (parallel.isHelped()) await setImmediate(); // lets the threads' answers in
      while (parallel.hasRoom() && staging.lastNumber() - lookedAt >= BATCH) {
        const [bodies = []] = staging.bodies(BATCH, { first: lookedAt + 1, last: lookedAt + BATCH });
        lookedAt += BATCH;
        const texts = await unread(bodies, database);
        if (texts.length > 0) parallel.analyse(texts);
      }
    },
    async complete(report) {
      isDoubtful = !staging.isAsAdded();
      onBatch = report;
      if (isDoubtful) {
        for (const { key } of parallel.forgetHeld()) taken.delete(numberOf(key));
        await parallel.finish();
        staging.doubtAnalyses();
        lookedAt = 0;
      } else if (analysed > 0) onBatch(analysed);
      const last = staging.lastNumber();
      left = last - lookedAt;
      rest = staging.bodies(BATCH, { first: lookedAt + 1, last })[Symbol.iterator]();
      await shareOut(database, parallel.isHelped() ? Math.min(MOST_WHILE_WRITING, WRITING_SHARE * last) : 0);
      if (!parallel.isHelped()) await parallel.finish();
      onBatch = undefined;
    },
    goOn,
    async keepReady(transaction) {
      if (!isDoubtful) await keepAnalysed(transaction);
    },
    async keep(transaction) {
      await shareOut(transaction, 0);
      await parallel.finish();
      await keepAnalysed(transaction);
    },
    close: () => parallel.close(),
  };
}

/**
 * The first bits of a key as a number, which takes a third of the key's memory. Of a million texts two have the same with
 * a probability of 1 in 9,000; the second is then analysed when the edition is made.
 */
function numberOf(key: string): number {
  return Number.parseInt(key.slice(0, 13), 16);
}
