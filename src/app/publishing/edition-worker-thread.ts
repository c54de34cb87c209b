/** The edition worker: a thread that renders editions, so that requests do not wait for rendering or analysis. */
import { setImmediate } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { taxonomyOf } from "../../analysis/trade-taxonomy.ts";
import type { Catalogue } from "../../edition/catalogue.ts";
import { type Coding, encodeHere } from "../../edition/codings.ts";
import { openEdition } from "../../edition/edition.ts";
import { type RenderedEdition, renderEdition } from "../../edition/render-edition.ts";
import { prefixTags, type ReviewIndex } from "../../edition/review-index.ts";
import { buildWordIndex, MIN_INDEXED_REVIEWS, type WordIndex } from "../../edition/word-index.ts";
import { sharedBytes } from "../../lib/shared-memory.ts";
import { aiCatalog, serverCard } from "../../mcp/server-card.ts";
import { renderMachinePages } from "../../page/machine-pages.ts";
import { renderPages } from "../../page/pages.ts";
import { openStore, readSnapshot, type Snapshot, type Store } from "../../store/store.ts";
import { openIdleCollection } from "./idle-collection.ts";
import { type LastingDocuments, lastingDocuments } from "./lasting-documents.ts";
import { NOBODYS_ORIGIN } from "./sample-edition.ts";
import { sharedCount } from "./shared-count.ts";

export interface EditionWorkerSettings {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  /** The owner's language model; its analyses take precedence over the program's own. */
  readonly model?: string | undefined;
}

/**
 * A request to the thread: render the store's edition, render the sample for a placeholder origin, render an edition as a
 * warm-up, or compress bytes for a document of the last one.
 */
export type EditionOrder = "stored" | "sample" | "warm" | EncodingOrder;

export interface EncodingOrder {
  readonly encode: Uint8Array;
  readonly coding: Coding;
  /** Gets the bytes, and is closed. */
  readonly answerTo: MessagePort;
}

/** What answers an order to render: an edition or an error. */
export type EditionAnswer = { readonly edition: RenderedEdition } | { readonly fault: string };

/** What the last edition gets after its publication: readers do not wait for it. */
export type EditionAddition =
  | { readonly prefixTags: ReadonlyMap<number, string> }
  | { readonly wordIndex: WordIndex; readonly revision: number };

/** Everything that the worker says. */
export type EditionWorkerReply = EditionAnswer | EditionAddition;

let lasting: LastingDocuments | undefined;

/**
 * Renders the store's current contents, or the bundled sample if nothing has ever been imported. What did not change is
 * copied from the last edition, if `memory` has it. With a language model, every edition is rendered from nothing, because
 * its analyses come on their own.
 */
export async function renderStore(
  store: Store,
  baseUrl: string,
  model?: string,
  memory: { catalogue?: Catalogue | undefined } = {},
): Promise<RenderedEdition> {
  const last = model === undefined ? memory.catalogue : undefined;
  const snapshot = await readSnapshot(store, last?.place);
  if (snapshot.revision.number === 0) return await renderSample(baseUrl);
  const edition = await renderSnapshot(snapshot, { baseUrl, model, last: last?.index, sample: false });
  const { revision, business, change } = snapshot;
  memory.catalogue = { index: edition.reviewIndex, place: { revision, business, change } };
  return edition;
}

/** Renders the bundled sample. */
export async function renderSample(baseUrl: string): Promise<RenderedEdition> {
  const { readSample } = await import("./sample.ts"); // with all formats of imports
  return await renderSnapshot(await readSample(), { baseUrl, sample: true });
}

async function renderSnapshot(
  snapshot: Snapshot,
  settings: {
    readonly baseUrl: string;
    readonly sample: boolean;
    readonly model?: string | undefined;
    readonly last?: ReviewIndex | undefined;
  },
): Promise<RenderedEdition> {
  const taxonomy = taxonomyOf(snapshot.business);
  const edition = renderEdition(snapshot, { ...settings, taxonomy });
  const { baseUrl } = edition;
  const opened = openEdition(edition);
  const cards = [serverCard(edition.business, baseUrl), aiCatalog(edition.business, baseUrl)];
  lasting = await lastingDocuments(opened, lasting);
  // The edition gets copies, which slice() of a Buffer is not: a view would be sent with all that it is a view of.
  const copies = lasting.documents.map((document) => ({ ...document, body: new Uint8Array(document.body) }));
  const pages = [...renderPages(opened), ...copies, ...renderMachinePages(edition), ...cards];
  return { ...edition, documents: [...edition.documents, ...pages] };
}

/** Smaller bodies are sent as copies. */
const LEAST_SHARED_BYTES = 16_384;

/**
 * The edition with large bodies in shared memory. If they were transferred, V8 would count them as new memory of the
 * thread that answers, and collect its garbage just when readers want the edition.
 */
function withSharedBodies(edition: RenderedEdition): RenderedEdition {
  const documents = edition.documents.map((document) => {
    const { body } = document;
    if (body.byteLength < LEAST_SHARED_BYTES || body.buffer instanceof SharedArrayBuffer) return document;
    const shared = sharedBytes(body.byteLength);
    shared.set(body);
    return { ...document, body: shared };
  });
  return { ...edition, documents };
}

/** Readers and subscribers come first after an edition, before its word index. */
const WORD_INDEX_DELAY_MS = 1_500;

if (parentPort !== null) {
  const port = parentPort;
  const { databaseUrl, baseUrl, model } = workerData as EditionWorkerSettings;
  const memory: { catalogue?: Catalogue } = {};
  let opening: Promise<Store> | undefined; // opened with the first edition: the server migrates the tables first
  let ordered = 0;
  let indexing: NodeJS.Timeout | undefined;
  const collection = openIdleCollection();
  const countShared = sharedCount();
  port.on("message", async (order: EditionOrder) => {
    collection.begin();
    if (order === "warm")
      await renderStored().then(addWordIndex, () => {}); // the next edition reports the error
    else if (typeof order === "string") await render(order);
    else encode(order);
    collection.end();
  });

  async function render(order: "stored" | "sample"): Promise<void> {
    ordered++;
    try {
      const edition = await (order === "sample" ? renderSample(NOBODYS_ORIGIN) : renderStored());
      port.postMessage({ edition: withSharedBodies(edition) } satisfies EditionWorkerReply);
      afterwards(edition);
    } catch (error) {
      port.postMessage({
        fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies EditionWorkerReply);
    }
  }

  function encode({ encode, coding, answerTo }: EncodingOrder): void {
    try {
      const coded = new Uint8Array(encodeHere(encode, coding)); // on its own: the buffer of a small result is shared
      answerTo.postMessage(coded, [coded.buffer]);
    } catch {
      // without an answer, the thread pool compresses it
    }
    answerTo.close();
  }

  /** What an edition needs once it is published. */
  function afterwards(edition: RenderedEdition): void {
    port.postMessage({ prefixTags: prefixTags(edition.reviewIndex) } satisfies EditionWorkerReply);
    clearTimeout(indexing);
    indexing = setTimeout(addWordIndex, WORD_INDEX_DELAY_MS, edition);
    countShared(edition.reviewIndex);
  }

  /** Builds the word index of a large edition, unless the next edition is ordered before it is complete. */
  async function addWordIndex({ revision, reviewIndex }: RenderedEdition): Promise<void> {
    if (reviewIndex.count < MIN_INDEXED_REVIEWS) return;
    const orderedBefore = ordered;
    collection.begin();
    try {
      const steps = buildWordIndex(reviewIndex);
      let step = steps.next();
      while (step.done !== true) {
        await setImmediate(); // lets an order in
        if (ordered > orderedBefore) return;
        step = steps.next();
      }
      const wordIndex = step.value;
      port.postMessage({ wordIndex, revision } satisfies EditionWorkerReply);
      countShared(wordIndex);
    } catch {
      // for lack of memory, say: searches go on reading all texts, and the next edition tries again
    } finally {
      collection.end();
    }
  }

  async function renderStored(): Promise<RenderedEdition> {
    return await renderStore(await open(), baseUrl, model, memory);
  }

  function open(): Promise<Store> {
    opening ??= openStore(databaseUrl).catch((error: unknown) => {
      opening = undefined; // the next edition tries again
      throw error;
    });
    return opening;
  }
}
