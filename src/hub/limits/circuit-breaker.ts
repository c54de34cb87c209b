/**
 * How hosts (or addresses) have answered lately. One whose callbacks fail one after the other is left alone for a while,
 * then tried with a few, and left alone twice as long if they fail too. Held deliveries count against nobody.
 */

export interface CircuitBreaker {
  /** Notes an attempt for the subscription `id`. Gives whether the host is left alone from now on because of it. */
  note(host: string, id: string, succeeded: boolean): boolean;
  /** For how many milliseconds more the host is left alone; 0 when it is not. */
  heldForMs(host: string): number;
}

export interface CircuitBreakerLimits {
  /** So many different subscriptions must fail in a row: a few bad callbacks hold nobody back. */
  readonly failures: number;
  readonly shortestHoldMs: number;
  readonly longestHoldMs: number;
  /** How many hosts are remembered; of those in trouble the longest unheard is forgotten first. */
  readonly hosts: number;
}

interface Trouble {
  readonly failed: Set<string>;
  heldUntil: number;
  holdMs: number;
}

/** Starts with every host in good health. `clock` counts milliseconds; `onHold` hears of each that is left alone. */
export function makeCircuitBreaker(
  limits: CircuitBreakerLimits,
  clock: () => number,
  onHold: (host: string, holdMs: number) => void = () => {},
): CircuitBreaker {
  const troubled = new Map<string, Trouble>();

  return {
    note(host, id, succeeded) {
      const trouble = troubled.get(host) ?? { failed: new Set(), heldUntil: 0, holdMs: 0 };
      troubled.delete(host);
      if (succeeded) return false;
      troubled.set(host, trouble);
      if (troubled.size > limits.hosts) troubled.delete(troubled.keys().next().value ?? host);
      const now = clock();
      if (trouble.heldUntil > now) return false;
      if (trouble.failed.size < limits.failures) trouble.failed.add(id);
      if (trouble.failed.size < limits.failures) return false;
      trouble.holdMs = Math.min(Math.max(trouble.holdMs * 2, limits.shortestHoldMs), limits.longestHoldMs);
      trouble.heldUntil = now + trouble.holdMs;
      onHold(host, trouble.holdMs);
      return true;
    },
    heldForMs(host) {
      return Math.max(0, (troubled.get(host)?.heldUntil ?? 0) - clock());
    },
  };
}
