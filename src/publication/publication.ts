/**
 * The publication: what an edition contains, and how it is made from the store. The server's renderer and
 * `goodword export` both use it.
 */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { openEdition } from "../edition/edition.ts";
import { type RenderedDatasets, type RenderedEdition, renderDatasets } from "../edition/render-datasets.ts";
import type { LastReviews } from "../edition/review-index-writer.ts";
import { mcpReference } from "../mcp/reference-samples.ts";
import { aiCatalog, serverCard } from "../mcp/server-card.ts";
import { renderBusinessDocuments } from "../page/business-documents.ts";
import { renderMachinePages } from "../page/machine-pages.ts";
import { renderPages } from "../page/pages.ts";
import { readSnapshot, type Snapshot, type Store, type StoreState, stateOf } from "../store/store.ts";
import { readSample } from "./sample.ts";

export interface PublicationSettings {
  /** Origin of all addresses, such as `https://reviews.example.com`. */
  readonly baseUrl: string;
  /** The owner's language model, whose analyses in the store take precedence over the program's own. */
  readonly model?: string | undefined;
}

/** The reviews of the last edition, and the state of the store that it was made from; empty before the first. */
export interface LastEdition {
  reviews?: LastReviews;
  state?: StoreState;
}

/**
 * Renders the store's current contents, or the bundled sample if nothing has ever been imported. What did not change is
 * copied from `last`, which is then replaced. With a language model, every edition is rendered in full: its analyses
 * arrive without an entry in the history.
 */
export async function renderStore(
  store: Store,
  { baseUrl, model }: PublicationSettings,
  last: LastEdition = {},
): Promise<RenderedEdition> {
  const before: LastEdition = model === undefined ? last : {};
  const snapshot = await readSnapshot(store, before.state);
  if (snapshot.revision.number === 0) return renderSample(baseUrl);
  const { foundThemes, ...rendered } = renderEdition(snapshot, {
    baseUrl,
    model,
    last: before.reviews,
    sample: false,
  });
  last.reviews = { index: rendered.reviewIndex, foundThemes };
  last.state = stateOf(snapshot);
  return rendered;
}

/** Renders the bundled sample. */
export function renderSample(baseUrl: string): RenderedEdition {
  const { foundThemes: _, ...rendered } = renderEdition(readSample(), { baseUrl, sample: true });
  return rendered;
}

interface SnapshotSettings extends PublicationSettings {
  readonly sample: boolean;
  /** The reviews of the last edition, if the snapshot has only what changed since. */
  readonly last?: LastReviews | undefined;
}

/** Everything that an edition contains. */
function renderEdition(snapshot: Snapshot, settings: SnapshotSettings): RenderedDatasets {
  const datasets = renderDatasets(snapshot, { ...settings, taxonomy: taxonomyOf(snapshot.business) });
  const edition = openEdition(datasets);
  const { business, baseUrl } = edition;
  return {
    ...datasets,
    documents: [
      ...datasets.documents, // /reviews.json, /insights.json, /provenance.json and the two feeds
      ...renderPages(edition), // for people: front page, list, badge and embeds, their assets, the rating's picture
      ...renderBusinessDocuments(edition, mcpReference(edition)), // /docs, the OpenAPI description, manifest and icons
      ...renderMachinePages(datasets), // robots.txt, sitemaps, llms.txt
      serverCard(business, baseUrl), // for agents
      aiCatalog(business, baseUrl),
    ],
  };
}
