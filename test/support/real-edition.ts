/** Editions to test with: of the bundled sample, and of a real export where it is at hand. */
import { taxonomyOf } from "../../src/analysis/trade-taxonomy.ts";
import { type Edition, openEdition } from "../../src/edition/edition.ts";
import { renderDatasets } from "../../src/edition/render-datasets.ts";
import { importPaths } from "../../src/import/importer.ts";
import type { Analysis, Insights } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { openStore, readSnapshot } from "../../src/store/store.ts";

export const BASE_URL = "http://localhost:8080";

export interface ReadEdition {
  readonly edition: Edition;
  /** What the datasets say, parsed. */
  readonly reviews: readonly Review[];
  readonly insights: Insights;
  readonly analyses: ReadonlyMap<string, Analysis>;
}

/** The edition of what is imported from the paths into a new store. */
export async function editionOf(...paths: string[]): Promise<ReadEdition> {
  await using store = await openStore("sqlite::memory:");
  await importPaths(store, paths, { now: new Date("2026-11-01T00:00:00Z") });
  const snapshot = await readSnapshot(store);
  const taxonomy = taxonomyOf(snapshot.business);
  const edition = openEdition(renderDatasets(snapshot, { baseUrl: BASE_URL, sample: false, taxonomy }));
  const insights = parseDocument(edition, "/insights.json") as Insights;
  const { reviews } = parseDocument(edition, "/reviews.json") as { reviews: Review[] };
  return { edition, reviews, insights, analyses: new Map(Object.entries(insights.per_review)) };
}

/** The JSON of a document of the edition. */
export function parseDocument(edition: Edition, path: string): unknown {
  const document = edition.document(path);
  if (document === undefined) throw new Error(`The edition has no ${path}`);
  return JSON.parse(Buffer.from(document.body).toString("utf8"));
}
