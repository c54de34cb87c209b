/**
 * Shares of a bounded queue. However many places a client takes, others get some: the fuller the queue, the fewer a client
 * may hold, and the last quarter is only for clients that hold none.
 */

/** The part of all places that one client may hold. */
const MAX_SHARE = 1 / 10;
/** While this part of all places is taken, only clients that hold fewer than `held` get another. */
const TIERS = [
  { taken: 1 / 2, held: 10 },
  { taken: 3 / 4, held: 1 },
] as const;

/** Whether a client that holds `held` of the `taken` places of a queue of `max` may take another. */
export function mayTakePlace({
  held,
  taken,
  max,
}: {
  readonly held: number;
  readonly taken: number;
  readonly max: number;
}): boolean {
  if (taken >= max || (held > 0 && held >= max * MAX_SHARE)) return false;
  return TIERS.every((tier) => taken < max * tier.taken || held < tier.held);
}
