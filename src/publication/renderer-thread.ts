/**
 * The renderer's thread. It renders an edition of a site when asked to; then it makes, in this order, what readers of the
 * edition need next, and saves it for the next start.
 */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { type Coded, type Coding, compress, isCompressedEarly } from "../edition/codings.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import { prefixTags } from "../edition/review-index.ts";
import { buildWordIndex, MIN_INDEXED_REVIEWS, type WordIndex } from "../edition/word-index.ts";
import { openStore, readRevision, type Store } from "../store/store.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import { saveEditionCache } from "./edition-cache.ts";
import { isCachedInRow, saveEditionRow } from "./edition-row.ts";
import { type LastEdition, renderStore } from "./publication.ts";
import type { EditionCacheSettings } from "./serialised-edition.ts";

/** Renders a site's store; or saves what was rendered last and closes the site; or ends the thread after that, too. */
export type RendererRequest = "render" | "close" | "end";

interface SiteRequest {
  readonly site: number;
  readonly settings: EditionCacheSettings;
  readonly request: RendererRequest;
}

/** The reply to a request: an edition or an error, or that the site is closed. After an edition come additions to it. */
export type RendererReply =
  | { readonly edition: RenderedEdition }
  | { readonly fault: unknown }
  | { readonly problem: unknown }
  | { readonly closed: true }
  | EditionAddition;

/** What the edition of a revision gets after its publication. */
export type EditionAddition = { readonly revision: number } & (
  | { readonly prefixTags: ReadonlyMap<number, string> }
  | { readonly path: string; readonly codings: ReadonlyMap<Coding, Coded> }
  | { readonly wordIndex: WordIndex }
);

/** Pause before the word index and the cache are made, so that readers and a next change come first. */
const FOLLOW_UP_DELAY_MS = 1_500;
const COLLECT_AFTER_MS = 3_000;

if (parentPort === null) throw new Error("This file runs as a thread of the server");
const port = parentPort;
const collect = collectWhenIdle(COLLECT_AFTER_MS, { isThorough: true });
const sites = new Map<number, SiteRendering>();
/** Settled when the last edition that was asked for is there. One is rendered at a time, each site's in its turn. */
let rendered: Promise<unknown> = Promise.resolve();
/** Settled when what completes editions may take its next step. */
let stepped: Promise<unknown> = Promise.resolve();
/** Settled when every site is closed that was to be. */
let closed: Promise<unknown> = Promise.resolve();

port.on("message", ({ site: number, settings, request }: SiteRequest) => {
  collect(); // later
  const post = (reply: RendererReply) => port.postMessage({ site: number, ...reply });
  const site = sites.get(number) ?? openRendering(settings, post);
  sites.set(number, site);
  if (request === "render") return void site.render();
  sites.delete(number);
  closed = Promise.all([closed, site.close().then(() => post({ closed: true }))]);
  if (request === "end") void closed.then(() => port.close()); // nothing else keeps the thread running
});

/** Gives nothing, so that no promise holds an edition. */
const done = () => {};

/**
 * Waits until a step of what completes an edition may be taken: one at a time, whatever the site, and after all editions
 * that were asked for meanwhile. Otherwise each query of a rendering would wait for a step of every edition before it.
 */
function untilStep(): Promise<unknown> {
  stepped = stepped.then(async () => {
    await setImmediate(); // lets a request in
    await rendered;
  });
  return stepped;
}

interface SiteRendering {
  render(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the rendering of a site: its store, its last edition, and the steps still due after that. */
function openRendering(settings: EditionCacheSettings, post: (reply: RendererReply) => void): SiteRendering {
  const last: LastEdition = {};
  /** Tags of the documents whose codings the server has. */
  let compressed = new Set<string>();
  /** Aborted by the next request. */
  let current = new AbortController();
  let unsaved: RenderedEdition | undefined;
  let saving = Promise.resolve();
  let opening: Promise<Store> | undefined;

  async function render(): Promise<void> {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    try {
      const next = rendered.then(async () => await renderStore(await open(), settings, last));
      rendered = next.then(done, done);
      const edition = await next;
      post({ edition });
      unsaved = edition;
      await finish(edition, signal).catch((error: unknown) => post({ problem: error }));
    } catch (error) {
      post({ fault: error });
    }
    collect();
  }

  /** Makes what an edition needs once it is published, until `signal` is aborted. */
  async function finish(edition: RenderedEdition, signal: AbortSignal): Promise<void> {
    const { revision, reviewIndex } = edition;
    post({ revision, prefixTags: prefixTags(reviewIndex) });
    await compressDocuments(edition, signal);
    await wait(FOLLOW_UP_DELAY_MS, undefined, { signal }).catch(() => {});
    if (!signal.aborted) await indexWords(edition, signal);
    if (!signal.aborted) await save();
  }

  /** Builds the word index of a large edition. Without one, searches read all texts. */
  async function indexWords({ revision, reviewIndex }: RenderedEdition, signal: AbortSignal): Promise<void> {
    if (reviewIndex.count < MIN_INDEXED_REVIEWS) return;
    const steps = buildWordIndex(reviewIndex);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return post({ revision, wordIndex: step.value });
      await untilStep();
      if (signal.aborted) return;
    }
  }

  async function compressDocuments({ revision, documents }: RenderedEdition, signal: AbortSignal): Promise<void> {
    compressed = compressed.intersection(new Set(documents.map(({ tag }) => tag)));
    for (const { path, tag, body } of documents) {
      await untilStep();
      if (signal.aborted) return;
      if (!isCompressedEarly(body) || compressed.has(tag)) continue;
      post({ revision, path, codings: compress(body) });
      compressed.add(tag);
    }
  }

  /** Saves the last edition if it is unsaved, once a save in progress has ended. */
  function save(): Promise<void> {
    saving = saving.catch(() => {}).then(saveUnsaved); // the problem was posted
    return saving;
  }

  async function saveUnsaved(): Promise<void> {
    const edition = unsaved;
    unsaved = undefined;
    if (edition === undefined) return;
    const { database } = await open();
    try {
      if (isCachedInRow(settings)) await saveEditionRow(edition, settings, database);
      else await saveEditionCache(edition, settings, () => readRevision(database));
    } catch (error) {
      throw new Error("The edition could not be cached: it is rendered again when it is next needed", { cause: error });
    }
  }

  async function close(): Promise<void> {
    current.abort();
    try {
      await rendered;
      await save();
      await (await opening)?.close();
    } catch (error) {
      post({ problem: error });
    }
  }

  /** Opens the store with the first edition, because the server migrates its tables first. */
  function open(): Promise<Store> {
    opening ??= openStore(settings.databaseUrl).catch((error: unknown) => {
      opening = undefined; // the next request tries again
      throw error;
    });
    return opening;
  }

  return { render, close };
}
