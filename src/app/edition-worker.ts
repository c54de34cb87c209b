/**
 * The edition worker as the publisher uses it: a thread that renders editions. The thread keeps running between editions,
 * because a change must be served within two seconds and a new thread takes longer to load the taxonomy and the trained model.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { RenderedEdition } from "../edition/render-edition.ts";
import type { EditionOrder, EditionWorkerReply, EditionWorkerSettings } from "./edition-worker-thread.ts";

export interface EditionWorker {
  /** Starts the thread before there is anything to render, so that it is ready sooner. */
  start(): void;
  /**
   * Renders the current contents of the store, or the sample for nobody's origin.
   * @throws Error when the thread fails.
   */
  render(order: EditionOrder): Promise<RenderedEdition>;
  close(): Promise<void>;
}

/** Makes the worker. Its thread starts with the first edition to render. */
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

  async function render(order: EditionOrder): Promise<RenderedEdition> {
    thread ??= startThread();
    const worker = thread;
    const ended = new AbortController();
    const { signal } = ended;
    worker.postMessage(order);
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
    render,
    close: async () => void (await thread?.terminate()),
  };
}
