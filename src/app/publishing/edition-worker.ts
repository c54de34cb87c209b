/**
 * The edition worker as used by the publisher: a thread that renders editions. It is started when a change is imminent,
 * and ends after being idle for a while unless `isKept` returns true.
 */
import { on, once } from "node:events";
import { extname } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { type Coding, type Encode, encodeOnPool, MOST_ENCODED_HERE } from "../../edition/codings.ts";
import type { RenderedEdition } from "../../edition/render-edition.ts";
import { countShared } from "../../lib/shared-memory.ts";
import type {
  EditionAddition,
  EditionAnswer,
  EditionOrder,
  EditionWorkerReply,
  EditionWorkerSettings,
} from "./edition-worker-thread.ts";
import { collectYoungGarbage } from "./idle-collection.ts";
import { sharedCount } from "./shared-count.ts";

export interface EditionWorker {
  /** Starts the thread before there is anything to render, so that it is ready sooner. */
  start(): void;
  /** Starts the thread, if it is not running, and has it render the store's current contents: the next edition is faster. */
  warm(): void;
  /**
   * Renders the store's current contents, or the sample for a placeholder origin.
   * @throws Error if the thread fails.
   */
  render(order: "stored" | "sample"): Promise<RenderedEdition>;
  /** Compresses on the thread, if it has nothing else to do and the body is small, and on the thread pool otherwise. */
  readonly encode: Encode;
  close(): Promise<void>;
}

/** How long the thread may take for a body, in milliseconds. */
const ENCODING_MS = 10_000;

/** The thread's next edition or fault. */
async function nextAnswer(worker: Worker, signal: AbortSignal): Promise<EditionAnswer> {
  for await (const [reply] of on(worker, "message", { signal }) as AsyncIterable<[EditionWorkerReply]>) {
    if ("edition" in reply || "fault" in reply) return reply;
  }
  throw new Error("The rendering thread said nothing");
}

/** Completes an edition after its publication. The word index of another revision has other positions. */
function complete({ revision, reviewIndex }: RenderedEdition, addition: EditionAddition): void {
  if ("wordIndex" in addition) {
    if (addition.revision === revision) reviewIndex.wordIndex = addition.wordIndex;
  } else for (const [count, tag] of addition.prefixTags) reviewIndex.prefixTags.set(count, tag);
}

/** All columns of an edition, some of which threads share. */
function columnsOf({ reviewIndex, documents }: RenderedEdition): object {
  return [...Object.values({ ...reviewIndex, ...reviewIndex.wordIndex }), ...documents.map(({ body }) => body)];
}

/** How long an idle thread is kept, in milliseconds. */
const IDLE_MS = 60_000;

export interface EditionWorkerParts {
  /** Whether an idle thread is kept: with many reviews it is slow to start. */
  readonly isKept: () => boolean;
  /** The edition that was published last. */
  readonly last: () => RenderedEdition | undefined;
  /** How long the thread may take to compress a body, in milliseconds. */
  readonly encodingMs?: number;
}

/** Makes the worker. */
export function openEditionWorker(
  settings: EditionWorkerSettings,
  { isKept, last, encodingMs = ENCODING_MS }: EditionWorkerParts,
): EditionWorker {
  const count = sharedCount((editions) => {
    collectYoungGarbage();
    countShared(editions);
  });
  let thread: Worker | undefined;
  /** The thread once it has rendered something: until then it is busy with its start. */
  let ready: Worker | undefined;
  let waiting = 0;
  let ending: NodeJS.Timeout | undefined;
  const kept = last();
  if (kept !== undefined) count(columnsOf(kept));

  /** Ends the thread after a delay, unless a request arrives. */
  function endWhenIdle(): void {
    clearTimeout(ending);
    ending = setTimeout(() => {
      if (waiting === 0 && !isKept()) void thread?.terminate();
    }, IDLE_MS).unref();
  }

  function startThread(): Worker {
    const worker = new Worker(new URL(`./edition-worker-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: settings,
    });
    let newest = last(); // it is warmed with this one
    worker.on("message", (reply: EditionWorkerReply) => {
      if ("edition" in reply) newest = reply.edition;
      else if (newest !== undefined && !("fault" in reply)) complete(newest, reply);
      if ("wordIndex" in reply) count(reply.wordIndex);
    });
    worker.on("error", () => {}); // render() reports the error; without a listener it would end the process
    worker.on("exit", () => {
      if (thread === worker) thread = undefined;
      if (ready === worker) ready = undefined;
    });
    worker.unref();
    return worker;
  }

  async function render(order: "stored" | "sample"): Promise<RenderedEdition> {
    thread ??= startThread();
    const worker = thread;
    waiting++;
    const ended = new AbortController();
    const { signal } = ended;
    worker.postMessage(order);
    try {
      const exited = once(worker, "exit", { signal }).then(() => {
        throw new Error("The rendering thread ended before it answered");
      });
      const answer = await Promise.race([nextAnswer(worker, signal), exited]);
      if ("fault" in answer) throw new Error(`Rendering the edition failed: ${answer.fault}`);
      ready = worker;
      const { edition } = answer;
      count(columnsOf(edition));
      return edition;
    } finally {
      ended.abort();
      waiting--;
      endWhenIdle();
    }
  }

  async function encode(body: Uint8Array, coding: Coding): Promise<Uint8Array> {
    if (ready === undefined || waiting > 0 || body.byteLength > MOST_ENCODED_HERE)
      return await encodeOnPool(body, coding);
    const { port1, port2 } = new MessageChannel();
    const coded = new Promise<Uint8Array | undefined>((resolve) => {
      port1.once("message", resolve);
      port1.once("close", () => resolve(undefined)); // the thread has ended, or takes too long
    });
    const deadline = setTimeout(() => port1.close(), encodingMs).unref();
    const copy = new Uint8Array(body); // a view would send the whole edition
    ready.postMessage({ encode: copy, coding, answerTo: port2 } satisfies EditionOrder, [port2, copy.buffer]);
    const answered = await coded;
    clearTimeout(deadline);
    return answered ?? (await encodeOnPool(body, coding));
  }

  return {
    start: () => {
      thread ??= startThread();
    },
    warm: () => {
      if (thread !== undefined) return endWhenIdle();
      thread = startThread();
      thread.postMessage("warm" satisfies EditionOrder);
      endWhenIdle();
    },
    render,
    encode,
    close: async () => {
      clearTimeout(ending);
      await thread?.terminate();
    },
  };
}
