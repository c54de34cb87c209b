/** Snapshots as they compare. */
import type { Review } from "../../src/review.ts";
import type { Snapshot } from "../../src/store/store.ts";

/** What a snapshot says, wherever its reviews are. */
export function plainSnapshot({ reviews, ...others }: Snapshot): object & { readonly reviews: readonly Review[] } {
  return { ...others, reviews: [...reviews] };
}
