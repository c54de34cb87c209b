/**
 * Analyses the texts of a large import on another of the machine's processors. The calling thread has its own work, and
 * analyses only what there is no thread for.
 */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { BusinessFile } from "../business.ts";
import { analyseText } from "../insight/text-analysis.ts";
import type { TextsToAnalyse } from "./analysis-thread.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

export interface TextToAnalyse {
  readonly key: string;
  readonly text: string;
  readonly rating: number;
}

/** An analysis as JSON, with its key. */
export interface FinishedAnalysis {
  readonly key: string;
  readonly body: string;
}

/** Each thread loads the analyser for itself, which takes some 60 MB and half a second. */
const MOST_THREADS = 1;
/** The number of texts before threads are started; with fewer, a thread would be ready too late to help. */
const TEXTS_BEFORE_THREADS = 1_000;
/** The same in characters: texts of a megabyte each are not kept until there are a thousand. */
const CHARACTERS_BEFORE_THREADS = 1_200_000;
/** A thread is given so many characters ahead, so that it has work while this one is busy with a long statement. */
const CHARACTERS_AHEAD = 300_000;

export interface ParallelAnalysis {
  /** Has a batch analysed by a thread, or keeps it until there are threads. `onAnalysed` is called later. */
  analyse(texts: readonly TextToAnalyse[]): void;
  /** Analyses a batch, and `onAnalysed` is called at once. */
  analyseHere(texts: readonly TextToAnalyse[]): void;
  /** Forgets and returns the texts that wait for threads which have not been started. */
  forgetHeld(): readonly TextToAnalyse[];
  /** Whether a batch would not wait for long: a thread has room for it, or is started when there are some more. */
  hasRoom(): boolean;
  /** Whether threads take the texts. */
  isHelped(): boolean;
  /** Resolves when a thread has room or has ended. Texts that wait for threads that were not started are analysed here. */
  room(): Promise<void>;
  /** Resolves when every batch has been analysed. */
  finish(): Promise<void>;
  /** Ends the threads. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** The batches that it has not answered yet, oldest first. */
  readonly waiting: (readonly TextToAnalyse[])[];
  characters: number;
}

/** Opens a parallel analysis. */
export function openParallelAnalysis(
  business: BusinessFile | undefined,
  onAnalysed: (analyses: readonly FinishedAnalysis[]) => void,
): ParallelAnalysis {
  const threads: Thread[] = [];
  /** What waits for threads to be started. */
  let held: (readonly TextToAnalyse[])[] = [];
  let [heldTexts, heldCharacters] = [0, 0];
  /** What went wrong in an answer, for whoever waits for it. */
  let fault: { readonly error: unknown } | undefined;
  let [areStarted, isClosed] = [false, false];
  let onAnswer: (() => void) | undefined;

  function startThread(): Thread {
    const worker = new Worker(new URL(`./analysis-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: business,
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 160 },
    });
    const thread: Thread = { worker, waiting: [], characters: 0 };
    worker.on("message", (answer: string) => {
      const texts = thread.waiting.shift() ?? [];
      thread.characters -= charactersOf(texts);
      const bodies = answer.split("\n");
      answerWith(() => onAnalysed(texts.map(({ key }, index) => ({ key, body: bodies[index] ?? "" }))));
    });
    worker.on("error", () => {}); // what it leaves unfinished is analysed here
    worker.on("exit", () => {
      threads.splice(threads.indexOf(thread), 1);
      answerWith(() => {
        for (const texts of isClosed ? [] : thread.waiting) analyseHere(texts);
      });
    });
    return thread;
  }

  function answerWith(deliver: () => void): void {
    try {
      deliver();
    } catch (error) {
      fault ??= { error }; // no room for an analysis, say
    }
    onAnswer?.();
  }

  /** @throws what went wrong in an answer. */
  function requireAnswers(): void {
    if (fault !== undefined) throw fault.error;
  }

  function analyseHere(texts: readonly TextToAnalyse[]): void {
    const taxonomy = taxonomyOf(business);
    onAnalysed(
      texts.map(({ key, text, rating }) => ({ key, body: JSON.stringify(analyseText(text, rating, taxonomy)) })),
    );
  }

  /** The thread that has least to do. */
  function idlestThread(): Thread | undefined {
    return threads.reduce<Thread | undefined>(
      (idlest, thread) => (idlest === undefined || thread.characters < idlest.characters ? thread : idlest),
      undefined,
    );
  }

  function send(thread: Thread, texts: readonly TextToAnalyse[]): void {
    thread.waiting.push(texts);
    thread.characters += charactersOf(texts);
    const message: TextsToAnalyse = {
      texts: texts.map(({ text }) => text),
      ratings: texts.map(({ rating }) => rating),
    };
    thread.worker.postMessage(message);
  }

  function takeHeld(): (readonly TextToAnalyse[])[] {
    const batches = held;
    held = [];
    [heldTexts, heldCharacters] = [0, 0];
    return batches;
  }

  async function analyseHeld(): Promise<void> {
    for (const texts of takeHeld()) {
      analyseHere(texts);
      await setImmediate();
    }
  }

  async function answered(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    onAnswer = resolve;
    await promise;
  }

  const hasRoom = () => !areStarted || threads.some(({ characters }) => characters < CHARACTERS_AHEAD);

  return {
    analyse(texts) {
      requireAnswers();
      const thread = idlestThread();
      if (thread !== undefined) return send(thread, texts);
      if (areStarted) return analyseHere(texts);
      held.push(texts);
      heldTexts += texts.length;
      heldCharacters += charactersOf(texts);
      if (heldTexts < TEXTS_BEFORE_THREADS && heldCharacters < CHARACTERS_BEFORE_THREADS) return;
      areStarted = true;
      for (let more = Math.min(MOST_THREADS, availableParallelism() - 1); more > 0; more--) threads.push(startThread());
      const [first] = threads;
      for (const batch of takeHeld())
        if (first === undefined) analyseHere(batch);
        else send(first, batch);
    },
    analyseHere,
    forgetHeld: () => takeHeld().flat(),
    hasRoom,
    isHelped: () => threads.length > 0,
    async room() {
      await analyseHeld();
      while (threads.length > 0 && !hasRoom()) await answered();
      requireAnswers();
    },
    async finish() {
      await analyseHeld();
      while (threads.some(({ waiting }) => waiting.length > 0)) await answered();
      requireAnswers();
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function charactersOf(texts: readonly TextToAnalyse[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}
