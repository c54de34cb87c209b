/**
 * Analyses the texts of a large import on the machine's other processors too. The calling thread takes its share: a
 * batch goes to a thread that has room for it, and is otherwise analysed here.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { BusinessFile } from "../business.ts";
import { analyseText } from "../insight/text-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

export interface TextToAnalyse {
  readonly key: string;
  readonly text: string;
  readonly rating: number;
}

/** What a thread is sent of each text of a batch. It answers with the analyses as JSON, in the same order. */
export type TextAlone = Omit<TextToAnalyse, "key">;

/** An analysis as JSON, with its key. */
export interface StagedAnalysis {
  readonly key: string;
  readonly body: string;
}

/** Each thread loads the analyser for itself, which takes some 60 MB and half a second. */
const MOST_THREADS = 1;
const BATCHES_AHEAD = 4;
/** The number of texts seen before threads are started; with fewer, a thread would be ready too late to help. */
const TEXTS_BEFORE_THREADS = 1_000;

export interface ParallelAnalysis {
  /** Queues a batch for analysis. `onAnalysed` is called with its analyses, now or later. */
  analyse(texts: readonly TextToAnalyse[]): void;
  /** Whether it is worth finding texts to analyse ahead: a thread has room for them, or will be started after some. */
  hasRoom(): boolean;
  /** Whether threads take a share. */
  isHelped(): boolean;
  /** Gives a batch to a thread if one has room for it, and returns whether one has. */
  analyseAhead(texts: readonly TextToAnalyse[]): boolean;
  /** Resolves when every batch has been analysed. */
  finish(): Promise<void>;
  /** Ends the threads. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** The batches that it has not answered yet, oldest first. */
  readonly waiting: (readonly TextToAnalyse[])[];
}

/** Opens a parallel analysis. */
export function openParallelAnalysis(
  business: BusinessFile | undefined,
  onAnalysed: (analyses: readonly StagedAnalysis[]) => void,
): ParallelAnalysis {
  const threads: Thread[] = [];
  let seen = 0;
  let [areStarted, isClosed] = [false, false];
  let onIdle: (() => void) | undefined;

  function startThread(): Thread {
    const worker = new Worker(new URL("./analysis-thread.ts", import.meta.url), {
      workerData: business,
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 160 },
    });
    const thread: Thread = { worker, waiting: [] };
    worker.on("message", (bodies: readonly string[]) => {
      const texts = thread.waiting.shift() ?? [];
      onAnalysed(bodies.flatMap((body, index) => (texts[index] === undefined ? [] : { key: texts[index].key, body })));
      onIdle?.();
    });
    worker.on("error", () => {}); // what it leaves unfinished is analysed here
    worker.on("exit", () => {
      threads.splice(threads.indexOf(thread), 1);
      for (const texts of isClosed ? [] : thread.waiting) analyseHere(texts);
      onIdle?.();
    });
    return thread;
  }

  function analyseHere(texts: readonly TextToAnalyse[]): void {
    const taxonomy = taxonomyOf(business);
    onAnalysed(
      texts.map(({ key, text, rating }) => ({ key, body: JSON.stringify(analyseText(text, rating, taxonomy)) })),
    );
  }

  /** The thread that has most room; undefined if none has. */
  function idlestThread(): Thread | undefined {
    const [idlest] = threads.toSorted((a, b) => a.waiting.length - b.waiting.length);
    return idlest === undefined || idlest.waiting.length >= BATCHES_AHEAD ? undefined : idlest;
  }

  /** Returns whether a thread takes the batch. Starts the threads when enough texts have been seen. */
  function isTaken(texts: readonly TextToAnalyse[]): boolean {
    if (!areStarted && seen >= TEXTS_BEFORE_THREADS) {
      areStarted = true;
      for (let more = Math.min(MOST_THREADS, availableParallelism() - 1); more > 0; more--) threads.push(startThread());
    }
    seen += texts.length;
    const thread = idlestThread();
    thread?.waiting.push(texts);
    thread?.worker.postMessage(texts.map(({ text, rating }): TextAlone => ({ text, rating })));
    return thread !== undefined;
  }

  return {
    analyse(texts) {
      if (!isTaken(texts)) analyseHere(texts);
    },
    hasRoom: () => !areStarted || idlestThread() !== undefined,
    isHelped: () => threads.length > 0,
    analyseAhead: isTaken,
    async finish() {
      while (threads.some(({ waiting }) => waiting.length > 0)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onIdle = resolve;
        await promise;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
