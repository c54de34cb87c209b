/** Waiters by key, each of which continues at the first of its keys: hosts by address, or by the client whose share is used up. */
export interface WaitingList<Waiter> {
  /** The waiters of each key, first come first. */
  readonly waiting: ReadonlyMap<string, ReadonlySet<Waiter>>;
  add(key: string, waiter: Waiter): void;
  has(waiter: Waiter): boolean;
  /** Takes it out at all of its keys. */
  remove(waiter: Waiter): void;
}

export function makeWaitingList<Waiter>(): WaitingList<Waiter> {
  const waiting = new Map<string, Set<Waiter>>();
  const keys = new Map<Waiter, Set<string>>();
  return {
    waiting,
    add(key, waiter) {
      waiting.set(key, (waiting.get(key) ?? new Set()).add(waiter));
      keys.set(waiter, (keys.get(waiter) ?? new Set()).add(key));
    },
    has: (waiter) => keys.has(waiter),
    remove(waiter) {
      for (const key of keys.get(waiter) ?? []) {
        const others = waiting.get(key);
        if (others?.delete(waiter) && others.size === 0) waiting.delete(key);
      }
      keys.delete(waiter);
    },
  };
}
