/**
 * The worker as the publisher uses it: a thread that renders editions. It is started when one is to be rendered, and
 * ends some seconds after the last one: what it holds meanwhile is needed for the next edition only.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { RenderedEdition } from "../edition/render-edition.ts";
import type { EditionWorkerReply, EditionWorkerSettings } from "./edition-worker-thread.ts";

export interface EditionWorker {
  /** Starts the thread before there is anything to render, so that it is ready sooner. */
  start(): void;
  /** Renders the edition of what the store holds now. @throws Error when the thread met a fault. */
  render(): Promise<RenderedEdition>;
  close(): Promise<void>;
}

/** A burst of imports is rendered by one thread; at rest there is none. */
const LINGER_MS = 5_000;

/** Makes the worker; its thread starts with the first edition to render. */
export function openEditionWorker(settings: EditionWorkerSettings): EditionWorker {
  let thread: Worker | undefined;
  let ending: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const worker = new Worker(new URL("./edition-worker-thread.ts", import.meta.url), { workerData: settings });
    worker.on("error", () => {}); // the waiting render() reports it; without a listener it would end the process
    worker.on("exit", () => {
      if (thread === worker) thread = undefined;
    });
    worker.unref();
    return worker;
  }

  function endLater(worker: Worker): void {
    ending = setTimeout(() => {
      if (thread === worker) thread = undefined;
      worker.postMessage("end");
    }, LINGER_MS);
    ending.unref();
  }

  async function render(): Promise<RenderedEdition> {
    clearTimeout(ending);
    thread ??= startThread();
    const worker = thread;
    const ended = new AbortController();
    const { signal } = ended;
    worker.postMessage("render");
    try {
      const answered = once(worker, "message", { signal }) as Promise<[EditionWorkerReply]>;
      const exited = once(worker, "exit", { signal }).then(() => {
        throw new Error("The rendering thread ended before it answered");
      });
      const [answer] = await Promise.race([answered, exited]);
      if ("fault" in answer) throw new Error(`Rendering the edition failed: ${answer.fault}`);
      return answer.edition;
    } finally {
      ended.abort();
      endLater(worker);
    }
  }

  return {
    start: () => {
      thread ??= startThread();
    },
    render,
    close: async () => {
      clearTimeout(ending);
      await thread?.terminate();
    },
  };
}
