/** The press: a thread of its own that prints editions, so that no reader waits for analysis or compression. */
import { parentPort, workerData } from "node:worker_threads";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { type RenderedEdition, renderEdition } from "../edition/render-edition.ts";
import type { TextAnalysis } from "../insight/text-analysis.ts";
import { aiCatalog, serverCard } from "../mcp/server-card.ts";
import { renderDocsPage } from "../page/docs-page.ts";
import { renderFrontPage } from "../page/front-page.ts";
import { renderMachinePages } from "../page/machine-pages.ts";
import { openStore, readSnapshot, type Store } from "../store/store.ts";
import { readSample } from "./sample.ts";

export interface EditionWorkerSettings {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  /** The owner's language model, whose analyses go before the lexicon's. */
  readonly model?: string | undefined;
}

/** What the press answers: an edition's printing, or why there is none. */
export type EditionWorkerReply = { readonly printing: RenderedEdition } | { readonly fault: string };

const kept = new Map<string, TextAnalysis>();

/** Prints what the store holds now, or the bundled sample when it was never written to. */
export async function print(store: Store, baseUrl: string, model?: string): Promise<RenderedEdition> {
  const stored = await readSnapshot(store);
  const sample = stored.revision.number === 0;
  const snapshot = sample ? await readSample() : stored;
  const printing = renderEdition(snapshot, { baseUrl, sample, taxonomy: taxonomyOf(snapshot.business), model, kept });
  const ids = snapshot.reviews.map(({ id }) => id);
  const cards = [serverCard(printing.business, baseUrl), aiCatalog(baseUrl)];
  const pages = [renderFrontPage(printing), renderDocsPage(printing), ...renderMachinePages(printing, ids), ...cards];
  return { ...printing, documents: [...printing.documents, ...pages] };
}

/** The large buffers of a printing: these change hands, small ones are copied. */
function transferable(printing: RenderedEdition): ArrayBuffer[] {
  const arrays = [
    ...Object.values(printing.reviewIndex).filter((column) => ArrayBuffer.isView(column)),
    ...printing.documents.map(({ body }) => body),
  ];
  const whole = arrays.filter((array) => array.byteLength >= 16_384 && array.byteLength === array.buffer.byteLength);
  return [...new Set(whole.map((array) => array.buffer as ArrayBuffer))];
}

if (parentPort !== null) {
  const port = parentPort;
  const { databaseUrl, baseUrl, model } = workerData as EditionWorkerSettings;
  const opening = openStore(databaseUrl);
  port.on("message", async () => {
    try {
      const printing = await print(await opening, baseUrl, model);
      port.postMessage({ printing } satisfies EditionWorkerReply, transferable(printing));
    } catch (error) {
      port.postMessage({
        fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies EditionWorkerReply);
    }
  });
}
