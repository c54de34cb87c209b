/** A second thread for an edition with very many new reviews. It is started when an import says that it has very many. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Half } from "../../../store/review-rows.ts";
import type { HalfEdition } from "./half-edition.ts";
import type { HalfAnswer, HalfEditionSettings } from "./half-edition-thread.ts";

export interface SecondThread {
  /** Makes the half meanwhile. Undefined if it cannot. */
  makeHalf(half: Half): Promise<HalfEdition | undefined>;
  /** Ends the thread. Its memory is needed as long as it works only. */
  close(): void;
}

/** Starts the thread. */
export function openSecondThread(settings: HalfEditionSettings): SecondThread {
  const worker = new Worker(new URL("./half-edition-thread.ts", import.meta.url), { workerData: settings });
  worker.unref();
  worker.on("error", () => {}); // it ends, and the other thread does its work
  let hasEnded = false;
  worker.once("exit", () => {
    hasEnded = true;
  });
  return {
    async makeHalf(half) {
      if (hasEnded) return undefined;
      const ended = new AbortController();
      const { signal } = ended;
      worker.ref();
      worker.postMessage(half);
      try {
        const exited = once(worker, "exit", { signal }).then(() => undefined);
        const answered = once(worker, "message", { signal }).then(([answer]) => answer as HalfAnswer);
        const answer = await Promise.race([answered, exited]);
        return answer === undefined || "fault" in answer ? undefined : answer.half;
      } catch {
        return undefined; // the thread has failed
      } finally {
        ended.abort();
        worker.unref();
      }
    },
    close: () => void worker.terminate(),
  };
}
