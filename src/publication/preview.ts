/** A preview of the front page, of what the store would hold. Nothing of it is stored or published. */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import type { Document } from "../edition/document.ts";
import { openEdition } from "../edition/edition.ts";
import { renderDatasets } from "../edition/render-datasets.ts";
import { renderAssets } from "../page/asset/asset-files.ts";
import { renderFrontPage } from "../page/front-page.ts";
import type { Snapshot } from "../store/store.ts";
import type { PublicationSettings } from "./publication.ts";

/** The front page, whose path is `/`, and what it loads. */
export type PreviewDocument = Pick<Document, "path" | "mediaType" | "body">;

export function renderPreview(snapshot: Snapshot, settings: PublicationSettings): readonly PreviewDocument[] {
  const datasets = renderDatasets(snapshot, { ...settings, taxonomy: taxonomyOf(snapshot.business), sample: false });
  const edition = openEdition(datasets);
  return [renderFrontPage(edition), ...renderAssets(edition.color)].map(({ path, mediaType, body }) => {
    return { path, mediaType, body: Uint8Array.from(body) };
  });
}
