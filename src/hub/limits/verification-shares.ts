/**
 * Shares the places for verifications among the clients that asked for them: a client may have another one if more are
 * free than it has. So one client gets half of them, each of several the same number, and there is one for a client that
 * has none.
 */
export interface VerificationShares {
  mayVerify(client: string): boolean;
  /** Counts a verification that begins or ends. */
  count(client: string, change: 1 | -1): void;
}

/** `max`: the number of places. */
export function makeVerificationShares(max: number): VerificationShares {
  const running = new Map<string, number>();
  let inAll = 0;
  return {
    mayVerify(client) {
      return (running.get(client) ?? 0) < max - inAll;
    },
    count(client, change) {
      inAll += change;
      const now = (running.get(client) ?? 0) + change;
      if (now === 0) running.delete(client);
      else running.set(client, now);
    },
  };
}
