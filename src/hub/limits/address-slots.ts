/**
 * Limits concurrent requests per address, across all hosts that resolve to it. One slot of an address is reserved for
 * deliveries to proven origins, those that acknowledged their latest one in time. The others are shared between sites
 * and clients, so that hanging callbacks do not delay the requests of others to a shared address.
 * `host-limiter.ts` decides which origins are proven.
 */

/** A slot that is in use or requested. */
export interface Slot {
  readonly address: string;
  readonly origin: string;
  readonly site: string;
  /** The client that asked for a verification; undefined for a delivery. */
  readonly client: string | undefined;
  /** Whether it is for a delivery to a proven origin. */
  readonly proven: boolean;
}

interface AddressSlots {
  /** Takes a slot of an address; undefined if it has none for this request now. */
  take(slot: Slot): Slot | undefined;
  mayTake(slot: Slot): boolean;
  free(slot: Slot): void;
}

/** Slots of an address for unproven origins of one site, at most. */
const MAX_SLOTS_PER_SITE = 2;
/** Slots of an address for verifications that one client asked for, at most. */
const MAX_SLOTS_PER_CLIENT = 2;

/** Makes an address limiter with all slots free: `max` per address. */
export function makeAddressSlots(max: number): AddressSlots {
  const taken = new Map<string, Set<Slot>>();

  function mayTake({ address, origin, site, client, proven }: Slot): boolean {
    const slots = [...(taken.get(address) ?? [])];
    if (proven || slots.length >= max) return slots.length < max;
    const shared = slots.filter((slot) => !slot.proven);
    if (shared.length >= max - 1) return false;
    if (client !== undefined) return shared.filter((slot) => slot.client === client).length < MAX_SLOTS_PER_CLIENT;
    const deliveries = shared.filter((slot) => slot.client === undefined);
    if (deliveries.some((slot) => slot.origin === origin)) return false;
    return deliveries.filter((slot) => slot.site === site).length < MAX_SLOTS_PER_SITE;
  }

  return {
    mayTake,
    take(slot) {
      if (!mayTake(slot)) return undefined;
      const slots = taken.get(slot.address) ?? new Set();
      taken.set(slot.address, slots.add(slot));
      return slot;
    },
    free(slot) {
      const slots = taken.get(slot.address);
      if (slots?.delete(slot) && slots.size === 0) taken.delete(slot.address);
    },
  };
}
