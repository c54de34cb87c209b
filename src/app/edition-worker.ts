/**
 * The worker as the publisher uses it: a thread that renders editions. It stays, ready for the next one: a change has to
 * be served within two seconds, and a new thread needs longer than that to read the taxonomy and the model.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { RenderedEdition } from "../edition/render-edition.ts";
import type { EditionWorkerReply, EditionWorkerSettings } from "./edition-worker-thread.ts";

export interface EditionWorker {
  /** Starts the thread before there is anything to render, so that it is ready sooner. */
  start(): void;
  /** Has the thread prepare for the next edition, where the last one was not rendered by it. */
  warm(): void;
  /** Renders the edition of what the store holds now. @throws Error when the thread met a fault. */
  render(): Promise<RenderedEdition>;
  close(): Promise<void>;
}

/** Makes the worker; its thread starts with the first edition to render. */
export function openEditionWorker(settings: EditionWorkerSettings): EditionWorker {
  let thread: Worker | undefined;

  function startThread(): Worker {
    const worker = new Worker(new URL("./edition-worker-thread.ts", import.meta.url), { workerData: settings });
    worker.on("error", () => {}); // the waiting render() reports it; without a listener it would end the process
    worker.on("exit", () => {
      if (thread === worker) thread = undefined;
    });
    worker.unref();
    return worker;
  }

  async function render(): Promise<RenderedEdition> {
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
    }
  }

  return {
    start: () => {
      thread ??= startThread();
    },
    warm: () => {
      thread ??= startThread();
      thread.postMessage("warm");
    },
    render,
    close: async () => void (await thread?.terminate()),
  };
}
