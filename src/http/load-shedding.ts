/**
 * Refuses costly requests while they come faster than they can be answered, so that other requests keep their latency and
 * memory stays flat. The measure is how late the event loop is because of its own work, as CoDel measures the delay of a
 * queue (RFC 8289): only a delay that lasts counts, and none that a busy machine causes. Documents that are ready are
 * never refused, because refusing costs as much as answering.
 */

export interface LoadShedding {
  /**
   * Admits a costly request of a client: returns the function to call once it is answered, or undefined to refuse it.
   * `hasBody` says that the request has a body, which is held in memory while it arrives, at its sender's speed.
   */
  admit(client: string, request?: { readonly hasBody: boolean }): (() => void) | undefined;
  /** Measures the delay. Call it every `SAMPLE_MS`. */
  sample(): void;
  /** Seconds by which the event loop's own work delayed the last sample. */
  delaySeconds(): number;
  refused(): number;
}

export interface LoadSheddingParts {
  /** Milliseconds that only rise. */
  readonly clock: () => number;
  /** Milliseconds of processor time that the thread has used. */
  readonly work: () => number;
}

/** How often the delay is measured. */
export const SAMPLE_MS = 50;

/** Highest normal delay: some twenty searches among 100,000 reviews at once. */
const TARGET_MS = 500;

/** How long the delay must exceed the target before requests are refused, and stay below it before the budget ends. */
const LASTING_MS = 1_000;

/**
 * One turn of the event loop may answer thousands of requests that wait behind each other on few connections, and no
 * sample is taken during it. After this long the rest of them is refused. From so many requests on, a turn is known to be
 * long because of them.
 */
const LONGEST_TURN_MS = 2_500;
const MANY_OF_A_TURN = 10;

/** The period over which requests are counted and the budget is shared. */
const WINDOW_MS = 1_000;

/**
 * Requests with a body in progress at once, each of up to 64 KiB. When more than `BODIES_FOR_ANYBODY` are, a client may
 * add to them only while it has fewer than `BODIES_OF_ONE`: a client that sends slowly blocks only itself.
 */
const MOST_BODIES = 1_024;
const BODIES_FOR_ANYBODY = 256;
const BODIES_OF_ONE = 16;

/** The number of clients counted per window; further clients share what is left. */
const MOST_CLIENTS = 10_000;

/** Factors by which the budget falls while the delay lasts, and rises afterwards. */
const FALL = 0.8;
const RISE = 1.01;

/** Makes the admission of costly requests. */
export function makeLoadShedding({ clock, work }: LoadSheddingParts): LoadShedding {
  /** The requests admitted per window while the process is behind, shared equally among clients; otherwise undefined. */
  let budget: number | undefined;
  let expectedAt = clock() + SAMPLE_MS;
  let workedAt = work();
  let delayMs = 0;
  let lateSince: number | undefined;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let windowEndsAt = clock() + WINDOW_MS;
  let counts = new Map<string, number>();
  let admitted = 0;
  let admittedOfTurn = 0;
  let before = { admitted: 0, clients: 0 };
  const bodies = new Map<string, number>();
  let bodiesInProgress = 0;
  let refused = 0;

  function hasBudget(client: string): boolean {
    const count = counts.get(client) ?? 0;
    if (counts.size < MOST_CLIENTS || count > 0) counts.set(client, count + 1);
    if (budget === undefined) return true;
    const share = Math.max(1, budget / Math.max(1, counts.size, before.clients));
    return admitted < budget && count < share;
  }

  /** How late the event loop is at the moment, because of its own work. */
  function currentDelayMs(now: number): number {
    return now <= expectedAt ? 0 : Math.max(0, Math.min(now - expectedAt, work() - workedAt));
  }

  /** Whether the requests of this turn have delayed it for so long that the next ones cannot wait for a sample. */
  function isTurnLate(): boolean {
    return admittedOfTurn >= MANY_OF_A_TURN && currentDelayMs(clock()) > LONGEST_TURN_MS;
  }

  function hasRoomForBody(client: string): boolean {
    if (bodiesInProgress < BODIES_FOR_ANYBODY) return true;
    return bodiesInProgress < MOST_BODIES && (bodies.get(client) ?? 0) < BODIES_OF_ONE;
  }

  /** Counts a body in progress, and returns the function that ends it. */
  function holdBody(client: string): () => void {
    bodies.set(client, (bodies.get(client) ?? 0) + 1);
    bodiesInProgress++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      bodiesInProgress--;
      const rest = (bodies.get(client) ?? 1) - 1;
      if (rest === 0) bodies.delete(client);
      else bodies.set(client, rest);
    };
  }

  /** The delay sets the budget: first what was admitted in the window before, then less or more of it. */
  function adjust(now: number): void {
    if (delayMs > TARGET_MS) {
      const isLongTurn = admittedOfTurn >= MANY_OF_A_TURN && delayMs > LONGEST_TURN_MS;
      lateSince ??= isLongTurn ? now - delayMs : now;
      if (now - lateSince >= LASTING_MS) budget = Math.max(1, (budget ?? Math.max(admitted, before.admitted)) * FALL);
      return;
    }
    lateSince = undefined;
    if (budget === undefined) return;
    budget = now - refusedAt < LASTING_MS ? budget * RISE : undefined;
  }

  return {
    admit(client, { hasBody } = { hasBody: false }) {
      if (!hasBudget(client) || isTurnLate() || (hasBody && !hasRoomForBody(client))) {
        refused++;
        refusedAt = clock();
        return undefined;
      }
      admitted++;
      admittedOfTurn++;
      return hasBody ? holdBody(client) : () => {};
    },
    sample() {
      const now = clock();
      delayMs = currentDelayMs(now);
      expectedAt = now + SAMPLE_MS;
      workedAt = work();
      adjust(now);
      admittedOfTurn = 0;
      if (now < windowEndsAt) return;
      before = { admitted, clients: counts.size };
      counts = new Map();
      admitted = 0;
      windowEndsAt = now + WINDOW_MS;
    },
    delaySeconds: () => delayMs / 1000,
    refused: () => refused,
  };
}
