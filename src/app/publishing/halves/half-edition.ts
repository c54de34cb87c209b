/** Makes the index of half of a store's reviews, for an edition with very many new ones that two threads make. */
import { taxonomyOf } from "../../../analysis/trade-taxonomy.ts";
import { type EditionMemory, missingKeys, renderPart } from "../../../edition/render-edition.ts";
import type { ReviewIndex } from "../../../edition/review-index.ts";
import type { Half } from "../../../store/review-rows.ts";
import { readHalf, type Snapshot, type Store } from "../../../store/store.ts";

export interface HalfEdition extends Pick<Snapshot, "revision" | "business" | "gone" | "place"> {
  readonly index: ReviewIndex;
}

/** Makes the half. Undefined if it has reviews of several sources: then it takes the other half to tell which are copies. */
export async function makeHalf(store: Store, half: Half): Promise<HalfEdition | undefined> {
  const memory: EditionMemory = {};
  const snapshot = await readHalf(store, half, (reviews, business) =>
    missingKeys(reviews, taxonomyOf(business), memory),
  );
  if (snapshot === undefined) return undefined;
  const { revision, business, gone, place } = snapshot;
  return { revision, business, gone, place, index: renderPart(snapshot, taxonomyOf(business), memory) };
}

/** Whether two halves are of the same state of the store, and no review of one can be a copy of another. */
export function belongTogether(one: HalfEdition, other: HalfEdition): boolean {
  const stateOf = ({ revision, place, gone }: HalfEdition) => JSON.stringify([revision, place, gone]);
  return stateOf(one) === stateOf(other);
}
