/**
 * The renderer: one thread that renders the editions of all sites, so that no request waits for it. It starts with the
 * first edition that is needed, and ends when the last of its sites is closed.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { addCodings } from "../edition/codings.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import type { EditionAddition, RendererReply, RendererRequest } from "./renderer-thread.ts";
import type { EditionCacheSettings } from "./serialised-edition.ts";

export interface Renderer {
  /**
   * Opens the rendering of a site. The thread opens its store when it is asked to render, because the server migrates the
   * tables first. `onProblem` is called with what failed after an edition.
   */
  open(settings: EditionCacheSettings, onProblem: (problem: Error) => void): SiteRenderer;
}

interface SiteRenderer {
  /** Starts the thread ahead of the first edition, so that its code is loaded by then. */
  start(): void;
  /**
   * Renders the store's current contents. One at a time.
   * @throws Error if rendering fails, or the thread ends. The next call starts a new one.
   */
  render(): Promise<RenderedEdition>;
  /** Has the thread save what it rendered last and close the store. The thread ends with its last site. */
  close(): Promise<void>;
}

/** How long closing may take: the thread finishes a rendering, and saves a large edition in a second. */
const MAX_CLOSE_MS = 4_000;

/** Readers and subscribers want a new edition in the first second. A collection takes some milliseconds. */
const COLLECT_AFTER_MS = 1_250;
/** A thorough one takes 100 ms with 100,000 reviews, so it waits until changes no longer follow one another. */
const COLLECT_THOROUGHLY_AFTER_MS = 10_000;

/** A site as the main thread sees it. */
interface RenderedSite {
  newest?: RenderedEdition;
  readonly onProblem: (problem: Error) => void;
  /** Settles the call of `render` that waits. */
  settle?: ((reply: RenderedEdition | Error) => void) | undefined;
  onClosed?: () => void;
}

/** Opens the renderer without a thread. */
export function openRenderer(): Renderer {
  const collect = collectWhenIdle(COLLECT_AFTER_MS, { isThorough: false });
  const collectThoroughly = collectWhenIdle(COLLECT_THOROUGHLY_AFTER_MS, { isThorough: true });
  const sites = new Map<number, RenderedSite>();
  let lastNumber = 0;
  let openSites = 0;
  let thread: Worker | undefined;

  function start(): Worker {
    if (thread !== undefined) return thread;
    const worker = new Worker(new URL(`./renderer-thread${extname(import.meta.url)}`, import.meta.url));
    /** The error that ends the thread. */
    let failure: unknown;
    worker.on("message", ({ site: number, ...reply }: RendererReply & { readonly site: number }) => {
      const site = sites.get(number);
      if (site !== undefined) take(site, reply as RendererReply);
    });
    worker.on("error", (error) => {
      failure = error;
      for (const { onProblem } of sites.values()) onProblem(failedBecause("The rendering thread ended", error));
    });
    worker.on("exit", () => {
      for (const { onClosed } of sites.values()) onClosed?.();
      if (thread !== worker) return;
      thread = undefined;
      const fault = new Error("The rendering thread ended before it answered", { cause: failure });
      for (const { settle } of sites.values()) settle?.(fault);
    });
    worker.unref();
    thread = worker;
    return worker;
  }

  function take(site: RenderedSite, reply: RendererReply): void {
    if ("edition" in reply) {
      site.newest = reply.edition;
      site.settle?.(reply.edition);
    } else if ("fault" in reply) site.settle?.(failedBecause("Rendering the edition failed", reply.fault));
    else if ("problem" in reply) site.onProblem(failedBecause("The edition is served", reply.problem));
    else if ("closed" in reply) site.onClosed?.();
    else if (site.newest !== undefined) complete(site.newest, reply);
  }

  return {
    open(settings, onProblem) {
      const number = ++lastNumber;
      openSites++;
      const site: RenderedSite = { onProblem };
      sites.set(number, site);
      const post = (worker: Worker, request: RendererRequest) =>
        worker.postMessage({ site: number, settings, request });
      return {
        start() {
          try {
            start();
          } catch {
            // the system has no thread at the moment: render() tries again, and says so
          }
        },
        async render() {
          const worker = start();
          const { promise, resolve, reject } = Promise.withResolvers<RenderedEdition>();
          site.settle = (reply) => (reply instanceof Error ? reject(reply) : resolve(reply));
          post(worker, "render");
          try {
            return await promise;
          } finally {
            site.settle = undefined;
            collect();
            collectThoroughly();
          }
        },
        async close() {
          const isLast = --openSites === 0;
          const worker = thread;
          if (isLast) thread = undefined; // another site that is opened meanwhile gets a thread of its own
          if (worker !== undefined) {
            const { promise: closed, resolve } = Promise.withResolvers<void>();
            const deadline = setTimeout(() => (isLast ? void worker.terminate() : resolve()), MAX_CLOSE_MS);
            if (isLast) worker.once("exit", () => resolve()).ref();
            else site.onClosed = resolve;
            post(worker, isLast ? "end" : "close");
            await closed;
            clearTimeout(deadline);
          }
          site.settle?.(new Error("The rendering was closed before it answered"));
          sites.delete(number);
        },
      };
    },
  };
}

/** The cause stays an error of its own, because the log leaves out what may quote a review by the kind of error. */
function failedBecause(what: string, cause: unknown): Error {
  return new Error(what, { cause });
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
