/**
 * Analyses an import's texts while it reads, and nearly all others before the store is locked: the lexicon reads texts
 * without a stored analysis, and the results wait in the staging area for the transaction that applies the run. Threads
 * read the last ones while the reviews are written.
 */
import { setImmediate } from "node:timers/promises";
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import { isWords } from "../review.ts";
import { hasAnalyses, keepAnalyses, knownAnalysisKeys } from "../store/analysis-rows.ts";
import type { NumberRange, Staging } from "../store/staging.ts";
import type { Database } from "../store/tables.ts";
import { openParallelAnalysis, type TextAlone, type TextToAnalyse } from "./parallel-analysis.ts";
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
/** Writing a review takes less than so much of the time that an analysis takes. */
const WRITING_SHARE = 45 / 100;
/** So that the store is not locked much longer where the threads have no processor of their own. */
const MOST_WHILE_WRITING = 45_000;
/** Longer texts are not held in memory to be analysed ahead. */
const LONGEST_AHEAD = 10_000;

/** The analysis of an import's texts, from the first record that it reads. */
export interface StagedAnalysis {
  /** Notes a review that was staged with this number: its text may be analysed ahead. */
  note(review: StagedText, number: number): void;
  /** Has texts that were noted analysed by threads that have room, while the import goes on reading. */
  lookAhead(): Promise<void>;
  /**
   * Analyses the staged texts that will be published and have no stored analysis, except those for which threads have
   * time while the reviews are written. Reviews without text need none. Reviews whose export omits the text are skipped;
   * if their stars have changed, the edition worker analyses them.
   */
  complete(onBatch: (done: number) => void): Promise<void>;
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
  let noted: { readonly texts: TextAlone[]; readonly first: number; last: number } | undefined;
  /** The reviews whose texts have an analysis or will get one, in ascending order. */
  let settled: NumberRange[] = [];
  /** The numbers of the texts that were analysed or are being analysed: one that occurs twice is analysed once. */
  const taken = new Set<number>();
  let isAnyStored: Promise<boolean> | undefined;
  /** Whether some of what was analysed ahead may be needed no more. */
  let isDoubtful = false;
  /** The staged reviews that are not settled when all are staged, and how many of them are left. */
  let rest: Iterator<readonly string[]> | undefined;
  let left = 0;
  let analysed = 0;
  let onBatch: ((done: number) => void) | undefined;
  const parallel = openParallelAnalysis(business, (analyses) => {
    for (const { key, body } of analyses) staging.addAnalysis(key, body);
    analysed += analyses.length;
    onBatch?.(analysed);
  });

  /** The words and stars to analyse if this review will be published. */
  function textsOf({ row_verified, source, text, rating }: StagedText): TextAlone[] {
    const isPublished = row_verified === 1 || verified_sources.includes(source);
    return isPublished && isWords(text) ? [{ text, rating }] : [];
  }

  /** The texts that nobody has taken and of which the store has no analysis, each once. */
  async function unread(texts: readonly TextAlone[], from: Database): Promise<TextToAnalyse[]> {
    if (texts.length === 0) return [];
    const taxonomy = taxonomyOf(business);
    const keyed = new Map(
      texts.map(({ text, rating }) => {
        const key = analysisKey(text, rating, taxonomy);
        return [key, { key, text, rating }];
      }),
    );
    if (isDoubtful) staging.needAnalyses([...keyed.keys()]);
    for (const key of keyed.keys()) if (taken.has(numberOf(key))) keyed.delete(key);
    isAnyStored ??= hasAnalyses(from);
    if (await isAnyStored) for (const key of await knownAnalysisKeys(from, [...keyed.keys()])) keyed.delete(key);
    return [...keyed.values()];
  }

  function settle({ first, last }: NumberRange): void {
    const before = settled.at(-1);
    if (before?.last === first - 1) settled.splice(-1, 1, { first: before.first, last });
    else settled.push({ first, last });
  }

  function* bodiesOf(ranges: readonly NumberRange[]): Generator<readonly string[]> {
    for (const numbers of ranges) yield* staging.bodies(BATCH, numbers);
  }

  /** Has the texts of the next batch of staged reviews analysed, if they have to be. */
  async function analyseNext(from: Database): Promise<void> {
    const next = rest?.next();
    const bodies = next === undefined || next.done === true ? [] : next.value;
    left = bodies.length === 0 ? 0 : left - bodies.length;
    const texts = await unread(
      bodies.flatMap((body) => textsOf(JSON.parse(body) as StagedText)),
      from,
    );
    if (texts.length === 0) return;
    for (const { key } of texts) taken.add(numberOf(key));
    parallel.analyse(texts);
    await setImmediate(); // lets the threads' answers in
  }

  return {
    note(review, number) {
      if ((review.text?.length ?? 0) > LONGEST_AHEAD) {
        noted = undefined; // what was noted before it is left for later, too
        return;
      }
      noted ??= { texts: [], first: number, last: number };
      noted.texts.push(...textsOf(review));
      noted.last = number;
    },
    async lookAhead() {
      const batch = noted;
      noted = undefined;
      if (batch === undefined) return;
      if (batch.texts.length > 0) {
        await setImmediate(); // lets the threads' answers in
        if (!parallel.hasRoom()) return;
        const texts = await unread(batch.texts, database);
        if (texts.length > 0 && !parallel.analyseAhead(texts)) return;
        for (const { key } of texts) taken.add(numberOf(key));
      }
      settle(batch);
    },
    async complete(report) {
      await parallel.finish();
      onBatch = report;
      if (analysed > 0) onBatch(analysed);
      isDoubtful = !staging.isAsAdded();
      if (isDoubtful) {
        staging.doubtAnalyses();
        settled = [];
      }
      const gaps = gapsBetween(settled, staging.lastNumber());
      left = gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0);
      rest = bodiesOf(gaps);
      const mayStay = parallel.isHelped() ? Math.min(MOST_WHILE_WRITING, WRITING_SHARE * staging.lastNumber()) : 0;
      while (left > mayStay) await analyseNext(database);
      onBatch = undefined;
    },
    async goOn(transaction) {
      if (left > 0) await setImmediate(); // the statements of a transaction give the threads' answers no turn
      while (left > 0 && parallel.hasRoom()) await analyseNext(transaction);
    },
    async keep(transaction) {
      while (left > 0) await analyseNext(transaction);
      await parallel.finish();
      for (const batch of staging.analyses(BATCH)) await keepAnalyses(transaction, batch);
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

/** The numbers up to `most` that are in none of the ranges. */
function gapsBetween(ranges: readonly NumberRange[], most: number): NumberRange[] {
  const firsts = [1, ...ranges.map(({ last }) => last + 1)];
  const lasts = [...ranges.map(({ first }) => first - 1), most];
  return firsts.map((first, index) => ({ first, last: lasts[index] ?? 0 })).filter(({ first, last }) => first <= last);
}
