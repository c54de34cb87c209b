/** Makes a digest of what the store holds now. */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { dayInZone } from "../calendar-date.ts";
import { type Cadence, type Digest, makeDigest } from "../edition/digest.ts";
import { type Edition, openEdition } from "../edition/edition.ts";
import { renderDatasets } from "../edition/render-datasets.ts";
import { listVanishedRows } from "../store/sighting-rows.ts";
import { readSnapshot, type Store } from "../store/store.ts";
import type { PublicationSettings } from "./publication.ts";

export interface StoreDigestOptions extends PublicationSettings {
  readonly cadence: Cadence;
  readonly now: Date;
}

/**
 * Analyses all reviews, which takes about as long as publishing them: call it where no request waits. The digest of a
 * store into which nothing was imported is undefined.
 */
export async function readDigest(
  store: Store,
  { cadence, now, baseUrl, model }: StoreDigestOptions,
): Promise<Digest | undefined> {
  const snapshot = await readSnapshot(store);
  if (snapshot.revision.number === 0) return undefined;
  const taxonomy = taxonomyOf(snapshot.business);
  const edition = openEdition(renderDatasets(snapshot, { baseUrl, model, sample: false, taxonomy }));
  return await digestOf(store, edition, { cadence, now });
}

/** The digest of an edition of the store. */
export async function digestOf(
  store: Store,
  edition: Edition,
  { cadence, now }: Pick<StoreDigestOptions, "cadence" | "now">,
): Promise<Digest> {
  const dayOf = (instant: Date) => dayInZone(instant, edition.business.time_zone);
  const vanished = await listVanishedRows(store.database);
  const vanishedOn = vanished
    .filter(({ returned_at }) => returned_at === null)
    .map(({ lacked_first_at }) => dayOf(new Date(lacked_first_at)));
  return makeDigest(edition, { cadence, today: dayOf(now), vanishedOn });
}
