/**
 * Deliveries that were answered and are not recorded in the store yet. After a kill they are repeated, together with
 * those in progress. So both together are limited (interface §4), and none begins while the store does not keep up.
 */

/** Identifies a delivery. */
type Key = object;

export interface UnrecordedDeliveries {
  /** Notes that a delivery was answered. */
  add(delivery: Key): void;
  /** Notes that deliveries are recorded, or need not be any more. */
  remove(deliveries: Iterable<Key>): void;
  readonly size: number;
  /** Milliseconds since the oldest of them was answered; 0 without one. */
  ageMs(): number;
  /** Whether they are so many that they should be recorded at once. */
  isMany(): boolean;
  /** Whether the store does not keep up, or has half of what several share, so that none may begin. */
  isStalled(): boolean;
}

/** Those of all stores of the process. */
export interface UnrecordedOfAll {
  /** Opens those of one store. */
  share(): UnrecordedDeliveries;
  /** Forgets those of a store. */
  leave(share: UnrecordedDeliveries): void;
  /** Whether a delivery may begin while so many are in progress. */
  mayBegin(inProgress: number): boolean;
}

/** While a delivery has been unrecorded for longer than this, none of its store begins. */
const MAX_AGE_MS = 1000;
/** The share of all places that unrecorded deliveries may have before they are recorded at once: one store's, several's. */
const [MANY, MANY_OF_SEVERAL] = [1 / 2, 3 / 8];

/** Opens without a store. `max` is the number of deliveries that are in progress or unrecorded. */
export function openUnrecordedDeliveries(max: number, clock: () => number): UnrecordedOfAll {
  const shares = new Set<UnrecordedDeliveries>();
  /** Of all stores that have not left: with hundreds of sites, asking each for its number takes too long. */
  let unrecorded = 0;

  return {
    share() {
      const answeredAt = new Map<Key, number>();
      const ageMs = () => {
        const [oldest] = answeredAt.values();
        return oldest === undefined ? 0 : clock() - oldest;
      };
      const share: UnrecordedDeliveries = {
        add(delivery) {
          if (shares.has(share) && !answeredAt.has(delivery)) unrecorded++;
          answeredAt.set(delivery, clock());
        },
        remove(deliveries) {
          for (const delivery of deliveries) if (answeredAt.delete(delivery) && shares.has(share)) unrecorded--;
        },
        get size() {
          return answeredAt.size;
        },
        ageMs,
        isMany: () => answeredAt.size >= (shares.size > 1 ? MANY_OF_SEVERAL : MANY) * max,
        isStalled: () => ageMs() > MAX_AGE_MS || (shares.size > 1 && answeredAt.size >= max / 2),
      };
      shares.add(share);
      return share;
    },
    leave(share) {
      if (shares.delete(share)) unrecorded -= share.size;
    },
    mayBegin(inProgress) {
      if (inProgress + unrecorded >= max) return false;
      for (const share of shares) if (!share.isStalled()) return true;
      return false;
    },
  };
}
