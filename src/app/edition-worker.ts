/** The press as the publisher uses it: asks the thread for an edition, and starts a new thread when one has died. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Edition, openEdition } from "../edition/edition.ts";
import type { EditionWorkerReply, EditionWorkerSettings } from "./edition-worker-thread.ts";

export interface EditionWorker {
  /** Prints the edition of what the store holds now. @throws Error when the thread met a fault. */
  print(): Promise<Edition>;
  close(): Promise<void>;
}

/** Starts the press's thread. */
export function openEditionWorker(settings: EditionWorkerSettings): EditionWorker {
  let thread = start();
  let last: Edition | undefined;

  function start(): Worker {
    const worker = new Worker(new URL("./edition-worker-thread.ts", import.meta.url), { workerData: settings });
    worker.on("error", () => {}); // the waiting print() reports it; without a listener it would end the process
    worker.unref();
    return worker;
  }

  async function print(): Promise<Edition> {
    if (thread.threadId === -1) thread = start();
    const ended = new AbortController();
    const { signal } = ended;
    const worker = thread;
    worker.postMessage("print");
    try {
      const answered = once(worker, "message", { signal }) as Promise<[EditionWorkerReply]>;
      const exited = once(worker, "exit", { signal }).then(() => {
        throw new Error("The printing thread ended before it answered");
      });
      const [answer] = await Promise.race([answered, exited]);
      if ("fault" in answer) throw new Error(`Rendering the edition failed: ${answer.fault}`);
      last = openEdition(answer.printing, last);
      return last;
    } finally {
      ended.abort();
    }
  }

  return { print, close: async () => void (await thread.terminate()) };
}
