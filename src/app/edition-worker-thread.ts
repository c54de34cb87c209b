/** The edition worker: a thread that renders editions, so that requests do not wait for rendering or analysis. */
import { parentPort, workerData } from "node:worker_threads";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { openEdition } from "../edition/edition.ts";
import { type RenderedEdition, renderEdition } from "../edition/render-edition.ts";
import type { TextAnalysis } from "../insight/text-analysis.ts";
import { aiCatalog, serverCard } from "../mcp/server-card.ts";
import { toolReference } from "../mcp/tool/tool-reference.ts";
import { renderMachinePages } from "../page/machine-pages.ts";
import { renderPages } from "../page/pages.ts";
import { openStore, readBusiness, readSnapshot, type Store } from "../store/store.ts";
import { readSample } from "./sample.ts";

export interface EditionWorkerSettings {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  /** The owner's language model, whose analyses take precedence over the program's own. */
  readonly model?: string | undefined;
}

/** The worker's reply: an edition or an error. */
export type EditionWorkerReply = { readonly edition: RenderedEdition } | { readonly fault: string };

const kept = new Map<string, TextAnalysis>();

/** Renders the current contents of the store, or the bundled sample if nothing has ever been imported. */
export async function renderStore(store: Store, baseUrl: string, model?: string): Promise<RenderedEdition> {
  const stored = await readSnapshot(store);
  const sample = stored.revision.number === 0;
  const snapshot = sample ? await readSample() : stored;
  const edition = renderEdition(snapshot, { baseUrl, sample, taxonomy: taxonomyOf(snapshot.business), model, kept });
  const ids = snapshot.reviews.map(({ id }) => id);
  const opened = openEdition(edition);
  const cards = [serverCard(edition.business, baseUrl), aiCatalog(baseUrl)];
  const pages = [...renderPages(opened, toolReference(opened)), ...renderMachinePages(edition, ids), ...cards];
  return { ...edition, documents: [...edition.documents, ...pages] };
}

/** Renders the sample and discards it, so that all code and data for the next edition are loaded. */
async function warm(databaseUrl: string, baseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl);
  try {
    const taxonomy = taxonomyOf(await readBusiness(store.database));
    const edition = renderEdition(await readSample(), { baseUrl, sample: true, taxonomy, kept: new Map() });
    const opened = openEdition(edition);
    renderPages(opened, toolReference(opened));
  } finally {
    await store.close();
  }
}

/** The large buffers of an edition, which are transferred between threads. Small ones are copied. */
function transferable(edition: RenderedEdition): ArrayBuffer[] {
  const arrays = [
    ...Object.values(edition.reviewIndex).filter((column) => ArrayBuffer.isView(column)),
    ...edition.documents.map(({ body }) => body),
  ];
  const whole = arrays.filter((array) => array.byteLength >= 16_384 && array.byteLength === array.buffer.byteLength);
  return [...new Set(whole.map((array) => array.buffer as ArrayBuffer))];
}

if (parentPort !== null) {
  const port = parentPort;
  const { databaseUrl, baseUrl, model } = workerData as EditionWorkerSettings;
  let opening: Promise<Store> | undefined;
  port.on("message", async (order: "render" | "warm") => {
    if (order === "warm") return await warm(databaseUrl, baseUrl).catch(() => {}); // the next edition says what is wrong
    try {
      opening ??= openStore(databaseUrl); // not before: the server brings the tables up to date first
      const store = await opening;
      const edition = await renderStore(store, baseUrl, model);
      port.postMessage({ edition } satisfies EditionWorkerReply, transferable(edition));
    } catch (error) {
      port.postMessage({
        fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies EditionWorkerReply);
    }
  });
}
