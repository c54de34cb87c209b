/**
 * A circuit breaker per host: after many failures in a row the host is not contacted for a while, then tried again, and
 * paused for twice as long if that fails too. Failures are counted per party, so that one party's failing callbacks do
 * not pause those of others at a shared host.
 */
import { type LRU, lru } from "tiny-lru";

export interface CircuitBreaker {
  /** Records the outcome of an attempt for the subscription `id`. Returns whether the party is paused because of it. */
  note(attempt: { readonly host: string; readonly party: string; readonly id: string }, succeeded: boolean): boolean;
  /** Milliseconds for which the party's requests to the host are still paused; 0 when they are not. */
  pausedForMs(host: string, party: string): number;
}

export interface CircuitBreakerLimits {
  /** The number of different subscriptions of one party that must fail in a row to pause it. */
  readonly failures: number;
  /** When this many have failed among all parties of a host, every party whose latest attempt failed is paused. */
  readonly failuresOfAll: number;
  readonly minPauseMs: number;
  readonly maxPauseMs: number;
  /** Maximum number of failing hosts that are remembered; the one that failed longest ago is forgotten first. */
  readonly maxHosts: number;
}

interface FailingParty {
  /** Subscriptions that failed since the last success. */
  readonly failed: Set<string>;
  pausedUntil: number;
  pauseMs: number;
}

/** Maximum number of failing parties that are remembered per host. */
const MAX_PARTIES_PER_HOST = 50;

/** Makes a breaker with no host paused. `clock` counts milliseconds; `onPause` is called for each pause. */
export function makeCircuitBreaker(
  limits: CircuitBreakerLimits,
  clock: () => number,
  onPause: (host: string, pauseMs: number) => void = () => {},
): CircuitBreaker {
  const failing = lru<LRU<FailingParty>>(limits.maxHosts);

  function isTripped(parties: LRU<FailingParty>, { failed }: FailingParty): boolean {
    if (failed.size >= limits.failures) return true;
    let sum = 0;
    for (const each of parties.values()) sum += each?.failed.size ?? 0;
    return sum >= limits.failuresOfAll;
  }

  return {
    note({ host, party, id }, succeeded) {
      if (succeeded) {
        const others = failing.peek(host)?.delete(party);
        if (others?.size === 0) failing.delete(host);
        return false;
      }
      const parties = failing.get(host) ?? lru<FailingParty>(MAX_PARTIES_PER_HOST);
      const entry = parties.get(party) ?? { failed: new Set(), pausedUntil: 0, pauseMs: 0 };
      parties.set(party, entry);
      failing.set(host, parties);
      const now = clock();
      if (entry.pausedUntil > now) return false;
      if (entry.failed.size < limits.failures) entry.failed.add(id);
      if (!isTripped(parties, entry)) return false;
      entry.pauseMs = Math.min(Math.max(entry.pauseMs * 2, limits.minPauseMs), limits.maxPauseMs);
      entry.pausedUntil = now + entry.pauseMs;
      onPause(host, entry.pauseMs);
      return true;
    },
    pausedForMs(host, party) {
      return Math.max(0, (failing.peek(host)?.peek(party)?.pausedUntil ?? 0) - clock());
    },
  };
}
