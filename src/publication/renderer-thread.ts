/**
 * The renderer's thread. It renders an edition when asked to; then it makes, in this order, what readers of the edition
 * need next, and saves it for the next start.
 */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type Coded, type Coding, compress, isCompressedEarly } from "../edition/codings.ts";
import type { RenderedEdition } from "../edition/render-edition.ts";
import { prefixTags } from "../edition/review-index.ts";
import { buildWordIndex, MIN_INDEXED_REVIEWS, type WordIndex } from "../edition/word-index.ts";
import { openStore, readRevision, type Store } from "../store/store.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import { type EditionCacheSettings, saveEditionCache } from "./edition-cache.ts";
import { type LastEdition, renderStore } from "./publication.ts";

/** Renders the store's current contents, or saves what was rendered last and ends the thread. */
export type RendererRequest = "render" | "close";

/** The reply to `render`: an edition or an error. After an edition come additions to it, and problems with them. */
export type RendererReply =
  | { readonly edition: RenderedEdition }
  | { readonly fault: string }
  | { readonly problem: string }
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
const settings = workerData as EditionCacheSettings;
const last: LastEdition = {};
const collect = collectWhenIdle(COLLECT_AFTER_MS);
/** Tags of the documents whose codings the server has. */
let compressed = new Set<string>();
/** Aborted by the next request. */
let current = new AbortController();
let unsaved: RenderedEdition | undefined;
let saving = Promise.resolve();
let opening: Promise<Store> | undefined;

port.on("message", (request: RendererRequest) => {
  collect(); // later
  current.abort();
  current = new AbortController();
  void (request === "render" ? render(current.signal) : close());
});

async function render(signal: AbortSignal): Promise<void> {
  try {
    const edition = await renderStore(await open(), settings, last);
    post({ edition });
    unsaved = edition;
    await finish(edition, signal).catch((error: unknown) => post({ problem: messageOf(error) }));
  } catch (error) {
    post({ fault: messageOf(error) });
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
    await setImmediate(); // lets a request in
    if (signal.aborted) return;
  }
}

async function compressDocuments({ revision, documents }: RenderedEdition, signal: AbortSignal): Promise<void> {
  compressed = compressed.intersection(new Set(documents.map(({ tag }) => tag)));
  for (const { path, tag, body } of documents) {
    await setImmediate(); // lets a request in
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
    await saveEditionCache(edition, settings, () => readRevision(database));
  } catch (error) {
    throw new Error("The edition could not be cached beside the store: the next start takes longer", { cause: error });
  }
}

async function close(): Promise<void> {
  try {
    await save();
    await (await opening)?.close();
  } catch (error) {
    post({ problem: messageOf(error) });
  }
  port.close(); // nothing else keeps the thread running
}

/** Opens the store with the first edition, because the server migrates its tables first. */
function open(): Promise<Store> {
  opening ??= openStore(settings.databaseUrl).catch((error: unknown) => {
    opening = undefined; // the next request tries again
    throw error;
  });
  return opening;
}

function post(reply: RendererReply): void {
  port.postMessage(reply);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.stack ?? error.message) : `${error.message}: ${messageOf(error.cause)}`;
}
