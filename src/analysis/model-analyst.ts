/**
 * Has the owner's language model analyse the published texts that it has not analysed yet, one review per request, so
 * that no review can influence another's analysis. Each answer is stored at once, so that the next run continues after
 * a kill.
 */
import { verifiedSourcesOf } from "../business.ts";
import type { TextAnalysis } from "../insight/text-analysis.ts";
import { isWords } from "../review.ts";
import { knownAnalysisKeys, type PublishedText, publishedTexts } from "../store/analysis-rows.ts";
import { forgetOtherModels, keepModelAnalysis, publishModelAnalyses } from "../store/model-analysis-rows.ts";
import { readBusiness, type Store } from "../store/store.ts";
import { openLanguageModel } from "./language-model/language-model.ts";
import { analyserId, modelAnalysisKey } from "./language-model/model-cache-key.ts";
import { makeReader, type NoReading, type Reader } from "./language-model/model-reader.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

export interface AnalystOptions {
  readonly url: string;
  readonly model: string;
  readonly key: string;
  readonly now: () => Date;
  readonly onProgress?: (progress: AnalystProgress) => void;
  /** Deadline per request. */
  readonly timeoutMs?: number;
  /** Waits before retries, unless the server specifies one. */
  readonly retryWaitsMs?: readonly number[];
  /** Minimum time between two editions while the model runs. */
  readonly publishEveryMs?: number;
}

/** Number of published texts, and number of those that the model has analysed. */
export interface AnalystProgress {
  readonly model: string;
  readonly analysed: number;
  readonly texts: number;
}

export interface AnalystReport extends AnalystProgress {
  /** Number of analyses stored in this run. */
  readonly made: number;
  readonly warnings: readonly string[];
  readonly revision: number;
}

const CONCURRENCY = 2;
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_RETRY_WAITS_MS = [1_000, 5_000, 20_000] as const;
const DEFAULT_PUBLISH_INTERVAL_MS = 5_000;
const TEXTS_PER_PAGE = 50;
/** Longer texts are not sent to the model, because they would fill a small model's context. */
const MAX_TEXT_CHARACTERS = 12_000;
/** The run ends after this many consecutive texts without an answer. */
const MAX_FAILURES_IN_A_ROW = 5;

/**
 * Has the model analyse the texts that it has not analysed yet. Model failures become warnings; the program's own
 * analysis is used instead.
 */
export async function analyseByModel(store: Store, options: AnalystOptions): Promise<AnalystReport> {
  const { url, model, key, now, onProgress, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { publishEveryMs = DEFAULT_PUBLISH_INTERVAL_MS } = options;
  const business = await readBusiness(store.database);
  const sources = verifiedSourcesOf(business);
  const taxonomy = taxonomyOf(business);
  const analyser = analyserId(model, taxonomy);
  const keyOf = ({ text, rating }: PublishedText) => modelAnalysisKey(text, rating, analyser);
  const count = { texts: 0, analysed: 0, made: 0, failed: 0, tooLong: 0, inARow: 0 };
  let stopped: string | undefined;
  let lastReason = "";
  let publishedAt = Number.NEGATIVE_INFINITY;

  /** The published texts page by page, without those that the model has analysed in the meantime. */
  async function* pages(): AsyncGenerator<{ readonly texts: number; readonly unread: Map<string, PublishedText[]> }> {
    for await (const page of publishedTexts(store.database, sources, TEXTS_PER_PAGE)) {
      const unread = Map.groupBy(
        page.filter(({ text }) => isWords(text)),
        keyOf,
      );
      const texts = [...unread.values()].reduce((sum, { length }) => sum + length, 0);
      for (const key of await knownAnalysisKeys(store.database, [...unread.keys()])) unread.delete(key);
      yield { texts, unread };
    }
  }

  async function* work(): AsyncGenerator<readonly [string, readonly PublishedText[]]> {
    for await (const { unread } of pages()) yield* unread;
  }

  async function readAll(tasks: ReturnType<typeof work>, read: Reader): Promise<void> {
    for (;;) {
      const { value: task } = await tasks.next();
      if (task === undefined || stopped !== undefined) return;
      const [key, reviews] = task;
      const [review] = reviews;
      if (review === undefined) continue;
      if (review.text.length > MAX_TEXT_CHARACTERS) {
        count.tooLong += reviews.length;
        continue;
      }
      const reading = await read(review);
      if ("analysis" in reading) await save(key, reading.analysis, reviews);
      else fail(reading, reviews.length);
    }
  }

  async function save(key: string, analysis: TextAnalysis, reviews: readonly PublishedText[]): Promise<void> {
    const isDue = now().getTime() - publishedAt >= publishEveryMs;
    if (isDue) publishedAt = now().getTime();
    const row = { key, body: JSON.stringify(analysis) };
    const of = { reviewIds: reviews.map(({ id }) => id), text: reviews[0]?.text ?? "" };
    await keepModelAnalysis(store, analyser, { row, of, publishedAt: isDue ? now() : undefined });
    count.made += 1;
    count.inARow = 0;
    count.analysed += reviews.length;
    onProgress?.({ model, analysed: count.analysed, texts: count.texts });
  }

  function fail({ reason, isOver }: NoReading, reviews: number): void {
    count.failed += reviews;
    count.inARow += 1;
    lastReason = reason;
    if (isOver || count.inARow >= MAX_FAILURES_IN_A_ROW) stopped ??= reason;
  }

  for await (const { texts, unread } of pages()) {
    count.texts += texts;
    count.analysed += texts - [...unread.values()].reduce((sum, { length }) => sum + length, 0);
  }
  const languageModel = openLanguageModel({ url, model, key, timeoutMs, connections: CONCURRENCY });
  try {
    onProgress?.({ model, analysed: count.analysed, texts: count.texts });
    const read = makeReader(languageModel, taxonomy, options.retryWaitsMs ?? DEFAULT_RETRY_WAITS_MS);
    const tasks = work();
    await Promise.all(Array.from({ length: CONCURRENCY }, () => readAll(tasks, read)));
  } finally {
    await languageModel.close();
  }
  const revision = await publishModelAnalyses(store, analyser, now());
  if (stopped === undefined && count.failed === 0) await forgetOtherModels(store, analyser);
  const { texts, analysed, made } = count;
  return { model, texts, analysed, made, revision, warnings: warningsOf() };

  function warningsOf(): string[] {
    const { texts, analysed, failed, tooLong } = count;
    if (stopped !== undefined) {
      return [
        `${model} has read ${analysed} of ${texts} texts, then ${stopped}. The others keep the lexicon's analysis; import again to continue.`,
      ];
    }
    const warnings: string[] = [];
    if (failed > 0) {
      const which = failed === 1 ? "1 text" : `${failed} texts`;
      warnings.push(
        `${model} gave no usable analysis of ${which} (${lastReason}). The lexicon's analysis is used; import again to retry.`,
      );
    }
    if (tooLong > 0) {
      const which = tooLong === 1 ? "1 text is" : `${tooLong} texts are`;
      warnings.push(`${which} longer than ${MAX_TEXT_CHARACTERS} characters and left to the lexicon.`);
    }
    return warnings;
  }
}
