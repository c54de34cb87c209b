/** The edition worker: a thread that renders editions, so that requests do not wait for rendering or analysis. */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { taxonomyOf } from "../../analysis/trade-taxonomy.ts";
import { type Coding, encodeHere } from "../../edition/codings.ts";
import { sharedBytes } from "../../edition/column/shared-memory.ts";
import type { Document } from "../../edition/document.ts";
import { openEdition } from "../../edition/edition.ts";
import {
  type EditionMemory,
  missingKeys,
  type RecalledEdition,
  type RenderedEdition,
  recallEdition,
  renderEdition,
  reviewsIn,
} from "../../edition/render-edition.ts";
import { prefixTags } from "../../edition/review-index.ts";
import { buildWordIndex, MIN_INDEXED_REVIEWS, type WordIndex } from "../../edition/word-index.ts";
import type { Taxonomy } from "../../insight/taxonomy/taxonomy.ts";
import { analyseText } from "../../insight/text-analysis.ts";
import { aiCatalog, serverCard } from "../../mcp/server-card.ts";
import { renderMachinePages } from "../../page/machine-pages.ts";
import { pagesOneByOne, recallRatingPicture, renderPages } from "../../page/pages.ts";
import {
  type AnalysesNeeded,
  openStore,
  readRevision,
  readSnapshot,
  recallSnapshot,
  replacePublished,
  type Snapshot,
  type SnapshotMemory,
  type Store,
} from "../../store/store.ts";
import { isAnnouncedNow } from "./change-notice.ts";
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

/** A published edition, as far as the next one is made from it. */
export interface LastEdition
  extends RecalledEdition,
    Pick<RenderedEdition, "revision" | "revisedAt" | "aggregateRating" | "color" | "language"> {
  readonly lasting: LastingDocuments | undefined;
  /** The picture of its rating, which is drawn anew only when the figures on it change. */
  readonly picture: Document | undefined;
}

/**
 * A request to the thread: render the store's edition, render the sample for a placeholder origin, load everything for
 * the next edition, if possible from the last one, or compress bytes for a document of the one before.
 */
export type EditionOrder = "stored" | "sample" | { readonly warm: LastEdition | undefined } | EncodingOrder;

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

const memory: EditionMemory = {};
let lasting: LastingDocuments | undefined;
const lastRead = new WeakMap<Store, SnapshotMemory>();

function memoryOf(store: Store): SnapshotMemory {
  return lastRead.getOrInsertComputed(store, () => ({}));
}

/** Renders the store's current contents, or the bundled sample if nothing has ever been imported. */
export async function renderStore(store: Store, baseUrl: string, model?: string): Promise<RenderedEdition> {
  const needed: AnalysesNeeded = (reviews, business) =>
    model === undefined ? missingKeys(reviews, taxonomyOf(business), memory) : undefined;
  const read = memoryOf(store);
  const stored = await readSnapshot(store, needed, read);
  if (stored.revision.number === 0) return await renderSample(baseUrl);
  return await renderSnapshot(stored, { baseUrl, model, read });
}

/**
 * Fills the memory with the last edition, and returns the snapshot that it was made of and the memory that reading it
 * left. The store is not asked: a change that has come since is read from it as from the next snapshot. Without that
 * memory, if the store has rows that are not among the edition's reviews, the next snapshot reads all rows.
 */
export function recall(last: LastEdition): { readonly snapshot: Snapshot; readonly read: SnapshotMemory } {
  lasting ??= last.lasting;
  if (last.picture !== undefined) recallRatingPicture(last, last.picture);
  const { business, place } = last.madeOf;
  const reviews = recallEdition(last, { taxonomy: taxonomyOf(business), memory });
  const revision = { number: last.revision, revised_at: last.revisedAt };
  const snapshot = { revision, business, reviews, analyses: new Map(), gone: [] };
  return { snapshot, read: place === undefined ? {} : recallSnapshot(place, reviews) };
}

/**
 * An edition of so many of the newest reviews runs nearly everything that renders one, and soon lets an order in; one of
 * so many more has what takes longest compiled.
 */
const REHEARSED = [100, 2_000];

interface Rehearsal {
  readonly baseUrl: string;
  /** What is known of the reviews. */
  readonly known: EditionMemory;
  readonly isOver: () => boolean;
}

/**
 * Renders editions of the newest reviews and discards them, so that what renders the next one is loaded and compiled.
 * Ends between two steps if `isOver` returns true.
 */
async function rehearse(snapshot: Snapshot, { baseUrl, known, isOver }: Rehearsal): Promise<void> {
  const taxonomy = taxonomyOf(snapshot.business);
  for (const count of REHEARSED) {
    await setImmediate(); // lets an order in
    if (isOver()) return;
    const newest = { ...snapshot, reviews: snapshot.reviews.slice(0, count) };
    const edition = renderEdition(newest, { baseUrl, sample: false, taxonomy, memory: { ...known } });
    await setImmediate();
    if (isOver()) return;
    const opened = openEdition(edition);
    for (const _pages of pagesOneByOne(opened)) {
      await setImmediate();
      if (isOver()) return;
    }
    renderMachinePages(edition);
    if (known !== memory) await lastingDocuments(opened, undefined); // many new reviews may order the aspects anew
    if (count >= snapshot.reviews.length) return;
  }
}

/** A change that is not there so long after it was announced is large: much of the next edition will be new. */
const LARGE_CHANGE_MS = 1_000;
/** So often the newest reviews are rendered from nothing then, and so many of them, if there are no more in all than these. */
const FROM_NOTHING = { times: 2, reviews: 300, ofAtMost: 2_000 };

/**
 * Reads the store, or the sample if it is empty, and renders it as if all of it were new, and discards it. Ends like
 * `rehearse`, and if the store changes.
 */
export async function rehearseFromNothing(store: Store, { baseUrl, isOver }: Omit<Rehearsal, "known">): Promise<void> {
  const { number } = await readRevision(store.database);
  for (let times = 0; times < FROM_NOTHING.times; times++) {
    await setImmediate();
    if (isOver() || (await readRevision(store.database)).number !== number) return;
    const known: EditionMemory = {};
    const needed: AnalysesNeeded = (reviews, business) => missingKeys(reviews, taxonomyOf(business), known);
    const snapshot = number === 0 ? await loadSample() : await readSnapshot(store, needed, {});
    if (isOver() || snapshot.reviews.length > FROM_NOTHING.ofAtMost) return;
    const reviews = snapshot.reviews.slice(0, FROM_NOTHING.reviews);
    await rehearse({ ...snapshot, reviews }, { baseUrl, known, isOver });
  }
}

/** Loads the model and the patterns, with which what is new is judged. */
function rehearseAnalysis(taxonomy: Taxonomy): void {
  analyseText("They came on time.", 5, taxonomy);
}

/** Renders the bundled sample. */
export async function renderSample(baseUrl: string): Promise<RenderedEdition> {
  return await renderSnapshot(await loadSample(), { baseUrl, sample: true });
}

async function loadSample(): Promise<Snapshot> {
  const { readSample } = await import("./sample.ts"); // with all formats of imports
  return await readSample();
}

interface SnapshotSettings {
  readonly baseUrl: string;
  readonly model?: string | undefined;
  readonly sample?: boolean;
  /** The memory that reading the snapshot left. Its reviews are found in the edition's bytes from now on. */
  readonly read?: SnapshotMemory;
}

async function renderSnapshot(
  snapshot: Snapshot,
  { baseUrl, model, sample = false, read = {} }: SnapshotSettings,
): Promise<RenderedEdition> {
  const edition = renderEdition(snapshot, { baseUrl, sample, taxonomy: taxonomyOf(snapshot.business), model, memory });
  const reviews = reviewsIn(memory, edition.reviewIndex);
  if (reviews !== undefined) replacePublished(read, { revision: edition.revision, reviews });
  const opened = openEdition(edition);
  const cards = [serverCard(edition.business, baseUrl), aiCatalog(edition.business, baseUrl)];
  lasting = await lastingDocuments(opened, lasting);
  // The edition gets copies, which slice() of a Buffer is not: a view would be sent with all that it is a view of.
  const copies = lasting.documents.map((document) => ({ ...document, body: new Uint8Array(document.body) }));
  const pages = [...renderPages(opened), ...copies, ...renderMachinePages(edition), ...cards];
  return { ...edition, lastingKey: lasting.key, documents: [...edition.documents, ...pages] };
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
  let ordered = 0;
  let opening: Promise<Store> | undefined; // opened with the first edition: the server migrates the tables first
  let indexing: NodeJS.Timeout | undefined;
  const collection = openIdleCollection();
  const countShared = sharedCount();
  port.on("message", async (order: EditionOrder) => {
    collection.begin();
    if (typeof order === "string") await render(order);
    else if ("encode" in order) encode(order);
    else await warm(order.warm).catch(() => {}); // the next edition reports the error
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
  async function addWordIndex({ revision, reviewIndex }: LastEdition | RenderedEdition): Promise<void> {
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

  /**
   * Recalls the last edition, or renders one and discards it. For an empty store, the analyser is prepared. If no change
   * has come a second later, it is a large one, and what renders an edition of only new reviews is prepared as well.
   */
  async function warm(last: LastEdition | undefined): Promise<void> {
    const canRecall = last !== undefined && last.revision > 0 && model === undefined;
    const recalled = canRecall ? recall(last) : undefined; // at once: an order may be here already
    const store = await open();
    const isOver = () => ordered > 0;
    if (recalled !== undefined) lastRead.set(store, recalled.read);
    const isEmpty = (await readRevision(store.database)).number === 0;
    await setImmediate(); // lets an order in
    if (ordered > 0) return;
    if (isEmpty || recalled !== undefined) rehearseAnalysis(taxonomyOf(recalled?.snapshot.business));
    await setImmediate();
    if (ordered > 0) return;
    if (!isEmpty) {
      if (last !== undefined && last.reviewIndex.wordIndex === undefined) await addWordIndex(last);
      if (recalled === undefined) return void (await renderStored());
      await rehearse(recalled.snapshot, { baseUrl, known: memory, isOver });
      if (recalled.snapshot.reviews.length > FROM_NOTHING.ofAtMost) return;
    }
    await wait(LARGE_CHANGE_MS);
    await rehearseFromNothing(store, { baseUrl, isOver: () => isOver() || !isAnnouncedNow(databaseUrl) });
  }

  async function renderStored(): Promise<RenderedEdition> {
    return await renderStore(await open(), baseUrl, model);
  }

  function open(): Promise<Store> {
    opening ??= openStore(databaseUrl).catch((error: unknown) => {
      opening = undefined; // the next edition tries again
      throw error;
    });
    return opening;
  }
}
