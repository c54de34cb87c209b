/**
 * A bounded queue of texts to one worker thread that analyses them. The caller polls for results and never
 * waits: when it runs out of other work, it takes back unfinished batches and analyses them itself. A worker that dies, hangs or starts late therefore only costs time.
 */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { BusinessFile } from "../business.ts";
import { analyseText } from "../insight/text-analysis.ts";
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

export interface AnalysisQueue {
  /** Whether the worker has room for a batch. The first batch starts it. */
  hasRoom(): boolean;
  /** Gives the worker a batch. */
  send(texts: readonly TextToAnalyse[]): void;
  /** The analyses that the worker has finished since the last call. */
  receive(): FinishedAnalysis[];
  /** Takes back the batch that was sent last of those without an answer; undefined if all are answered. */
  takeBack(): readonly TextToAnalyse[] | undefined;
  /** Ends the worker. */
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly analyses: readonly FinishedAnalysis[];
}

/** Some 50 ms of work, so that the worker is busy while the caller runs a long statement. */
const MAX_QUEUED_BATCHES = 8;

/** Analyses texts about the business on this thread. */
export function analyseTexts(business: BusinessFile | undefined, texts: readonly TextToAnalyse[]): FinishedAnalysis[] {
  const taxonomy = taxonomyOf(business);
  return texts.map(({ key, text, rating }) => ({ key, body: JSON.stringify(analyseText(text, rating, taxonomy)) }));
}

/** Opens an empty queue for texts about the business. */
export function openAnalysisQueue(business: BusinessFile | undefined): AnalysisQueue {
  /** The batches without an answer by their ids, oldest first. */
  const queued = new Map<number, readonly TextToAnalyse[]>();
  const { port1: port, port2: workerPort } = new MessageChannel();
  let worker: Worker | undefined;
  let canStart = availableParallelism() > 1;
  let sent = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL(`./analysis-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: { port: workerPort, business },
      transferList: [workerPort],
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 160 },
    });
    started.on("error", () => {}); // the caller analyses what it leaves
    return started;
  }

  return {
    hasRoom: () => queued.size < MAX_QUEUED_BATCHES && canStart,
    send(texts) {
      try {
        worker ??= startWorker();
      } catch {
        canStart = false; // no permission, or no thread left: the caller takes the texts back
      }
      queued.set(sent, texts);
      port.postMessage({ id: sent, texts });
      sent += 1;
    },
    receive() {
      const finished: FinishedAnalysis[] = [];
      for (let answer = receiveMessageOnPort(port); answer !== undefined; answer = receiveMessageOnPort(port)) {
        const { id, analyses } = answer.message as Answer;
        if (queued.delete(id)) finished.push(...analyses);
      }
      return finished;
    },
    takeBack() {
      const last = [...queued].at(-1);
      if (last !== undefined) queued.delete(last[0]);
      return last?.[1];
    },
    async close() {
      port.close();
      await worker?.terminate();
    },
  };
}
