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
  readonly shortestPauseMs: number;
  readonly longestPauseMs: number;
  /** Number of failing hosts that are remembered; the one that failed longest ago is forgotten first. */
  readonly hosts: number;
}

interface Trouble {
  /** Subscriptions that failed since the last success. */
  readonly failed: Set<string>;
  pausedUntil: number;
  pauseMs: number;
}

/** The number of failing parties that are remembered per host. */
const PARTIES_OF_HOST = 50;

/** Opens with no host paused. `clock` counts milliseconds; `onPause` is called for each pause. */
export function makeCircuitBreaker(
  limits: CircuitBreakerLimits,
  clock: () => number,
  onPause: (host: string, pauseMs: number) => void = () => {},
): CircuitBreaker {
  const troubled = lru<LRU<Trouble>>(limits.hosts);

  function isTripped(parties: LRU<Trouble>, { failed }: Trouble): boolean {
    if (failed.size >= limits.failures) return true;
    let sum = 0;
    for (const each of parties.values()) sum += each?.failed.size ?? 0;
    return sum >= limits.failuresOfAll;
  }

  return {
    note({ host, party, id }, succeeded) {
      if (succeeded) {
        const healed = troubled.peek(host)?.delete(party);
        if (healed?.size === 0) troubled.delete(host);
        return false;
      }
      const parties = troubled.get(host) ?? lru<Trouble>(PARTIES_OF_HOST);
      const trouble = parties.get(party) ?? { failed: new Set(), pausedUntil: 0, pauseMs: 0 };
      parties.set(party, trouble);
      troubled.set(host, parties);
      const now = clock();
      if (trouble.pausedUntil > now) return false;
      if (trouble.failed.size < limits.failures) trouble.failed.add(id);
      if (!isTripped(parties, trouble)) return false;
      trouble.pauseMs = Math.min(Math.max(trouble.pauseMs * 2, limits.shortestPauseMs), limits.longestPauseMs);
      trouble.pausedUntil = now + trouble.pauseMs;
      onPause(host, trouble.pauseMs);
      return true;
    },
    pausedForMs(host, party) {
      return Math.max(0, (troubled.peek(host)?.peek(party)?.pausedUntil ?? 0) - clock());
    },
  };
}
