/** Runs a worker thread with a limit of memory, so that no request waits for its work. */
import { setTimeout as wait } from "node:timers/promises";
import { type Transferable, Worker } from "node:worker_threads";

export interface ThreadRun<Message> {
  /** What the thread is given. */
  readonly order: unknown;
  readonly heapMb: number;
  readonly transferList?: Transferable[];
  /** Aborting it ends the thread. */
  readonly signal: AbortSignal;
  /** Returns whether the message was the thread's last. */
  readonly onMessage: (message: Message) => boolean;
  readonly onFault: (error: unknown) => void;
}

const YOUNG_HEAP_MB = 48;
/** How long a thread may take to end: a statement of SQLite that has begun runs to its end. */
const END_MS = 5_000;

/** Resolves when the thread has posted its last message or has ended; to false if the signal ended it. @throws Error if no thread can be started. */
export async function runThread<Message>(file: URL, run: ThreadRun<Message>): Promise<boolean> {
  const { order, heapMb, transferList = [], signal, onMessage, onFault } = run;
  const worker = new Worker(file, {
    workerData: order,
    transferList,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
  worker.on("message", (message: Message) => {
    if (onMessage(message)) end(true);
  });
  worker.on("error", (error) => {
    onFault(error);
    end(true);
  });
  worker.once("exit", () => end(true));
  const abort = () => end(false);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const isDone = await ended;
  signal.removeEventListener("abort", abort);
  await Promise.race([worker.terminate(), wait(END_MS, undefined, { ref: false })]);
  return isDone;
}

/** Whether the error is that of a thread which needed more memory than it may have. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
}
