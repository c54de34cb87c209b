/** The renderer: a thread that renders editions, so that no request waits for it. It runs for as long as the server. */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { addCodings } from "../edition/codings.ts";
import type { RenderedEdition } from "../edition/render-edition.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import type { EditionCacheSettings } from "./edition-cache.ts";
import type { EditionAddition, RendererReply, RendererRequest } from "./renderer-thread.ts";

export interface Renderer {
  /** Starts the thread ahead of the first edition, so that its code is loaded by then. */
  start(): void;
  /**
   * Renders the store's current contents. One at a time.
   * @throws Error if rendering fails, or the thread ends. The next call starts a new one.
   */
  render(): Promise<RenderedEdition>;
  /** Ends the thread, once it has saved what it rendered last. */
  close(): Promise<void>;
}

/** How long the thread may take to end: it finishes a rendering, and saves a large edition in a second. */
const MAX_CLOSE_MS = 4_000;

/** Readers and subscribers want a new edition in the first second. A collection takes some milliseconds. */
const COLLECT_AFTER_MS = 1_250;
/** A thorough one takes 100 ms with 100,000 reviews, so it waits until changes no longer follow one another. */
const COLLECT_THOROUGHLY_AFTER_MS = 10_000;

/**
 * Opens the renderer, whose thread starts with the first edition, or before. The thread opens the store when it is asked
 * to render, because the server migrates the tables first. `onProblem` is called with what failed after an edition.
 */
export function openRenderer(settings: EditionCacheSettings, onProblem: (problem: string) => void): Renderer {
  const collect = collectWhenIdle(COLLECT_AFTER_MS, { isThorough: false });
  const collectThoroughly = collectWhenIdle(COLLECT_THOROUGHLY_AFTER_MS, { isThorough: true });
  let thread: Worker | undefined;
  let newest: RenderedEdition | undefined;
  /** The error that ended the last thread. */
  let failure: unknown;

  function start(): Worker {
    if (thread !== undefined) return thread;
    const worker = new Worker(new URL(`./renderer-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: settings,
    });
    worker.on("message", (reply: RendererReply) => {
      if ("edition" in reply) newest = reply.edition;
      else if ("problem" in reply) onProblem(reply.problem);
      else if ("revision" in reply && newest !== undefined) complete(newest, reply);
    });
    worker.on("error", (error) => {
      failure = error;
      onProblem(`The rendering thread ended: ${error}`);
    });
    worker.on("exit", () => {
      if (thread === worker) thread = undefined;
    });
    worker.unref();
    thread = worker;
    return worker;
  }

  async function render(): Promise<RenderedEdition> {
    const worker = start();
    const answered = Promise.withResolvers<RenderedEdition>();
    const onReply = (reply: RendererReply) => {
      if ("edition" in reply) answered.resolve(reply.edition);
      else if ("fault" in reply) answered.reject(new Error(`Rendering the edition failed: ${reply.fault}`));
    };
    const onExit = () =>
      answered.reject(new Error("The rendering thread ended before it answered", { cause: failure }));
    worker.on("message", onReply).on("exit", onExit);
    worker.postMessage("render" satisfies RendererRequest);
    try {
      return await answered.promise;
    } finally {
      worker.off("message", onReply).off("exit", onExit);
      collect();
      collectThoroughly();
    }
  }

  async function close(): Promise<void> {
    const worker = thread;
    if (worker === undefined) return;
    worker.ref();
    worker.postMessage("close" satisfies RendererRequest);
    const deadline = setTimeout(() => void worker.terminate(), MAX_CLOSE_MS);
    const { promise: exited, resolve } = Promise.withResolvers<void>();
    worker.once("exit", () => resolve());
    await exited;
    clearTimeout(deadline);
  }

  return { start, render, close };
}

/** Adds to an edition what the thread made after it. */
function complete({ revision, documents, reviewIndex }: RenderedEdition, addition: EditionAddition): void {
  if (addition.revision !== revision) return; // a word index of other positions, say
  if ("wordIndex" in addition) reviewIndex.wordIndex = addition.wordIndex;
  if ("prefixTags" in addition) for (const [count, tag] of addition.prefixTags) reviewIndex.prefixTags.set(count, tag);
  if ("codings" in addition) {
    const document = documents.find(({ path }) => path === addition.path);
    if (document !== undefined) addCodings(document, addition.codings);
  }
}
