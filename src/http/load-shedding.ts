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

/** How long the delay must exceed the target before requests are refused, and nobody be refused before the budget ends. */
const LASTING_MS = 1_000;

/**
 * One turn of the event loop answers all requests that arrived during the turn before, on however many connections: with
 * more of them than can be answered, each turn is longer than the one before it. So the rest of a turn that has answered
 * many and is late is refused, however long the overload has lasted: at this delay and number.
 */
const LATE_TURN = { delayMs: 500, admitted: 10 };
/** The same while requests are refused. This is what those wait that are answered then. */
const LATE_TURN_UNDER_OVERLOAD = { delayMs: 50, admitted: 4 };

/** The budget that can be saved: requests that come at once are not admitted at once. */
const SAVED_MS = 100;

/** The period over which a client's requests are counted. */
const WINDOW_MS = 1_000;

/**
 * Requests with a body in progress at once, each of up to 64 KiB. When more than `BODIES_FOR_ANYBODY` are, a client may
 * add to them only while it has fewer than `BODIES_OF_ONE`: a client that sends slowly blocks only itself.
 */
const MOST_BODIES = 1_024;
const BODIES_FOR_ANYBODY = 256;
const BODIES_OF_ONE = 16;

/** The number of clients counted per window; further clients count as one. */
const MOST_CLIENTS = 10_000;

/** Factors by which the budget falls while the event loop is late, and rises afterwards. */
const FALL = 0.9;
const RISE = 1.01;

function mostSaved(budget: number): number {
  return Math.max(2, (budget * SAVED_MS) / 1000);
}

/** Makes the admission of costly requests. */
export function makeLoadShedding({ clock, work }: LoadSheddingParts): LoadShedding {
  /** The requests admitted per second while the process is behind, shared equally among clients; otherwise undefined. */
  let budget: number | undefined;
  /** What is left of the budget at the moment. */
  let saved = 0;
  let sampledAt = clock();
  let workedAt = work();
  let delayMs = 0;
  let lateSince: number | undefined;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let windowEndsAt = clock() + WINDOW_MS;
  /** How many requests of each client were admitted in this window. */
  let counts = new Map<string, number>();
  let admitted = 0;
  let admittedOfTurn = 0;
  /** Whether the rest of this turn is refused. */
  let isTurnOver = false;
  let before = { admitted: 0, clients: 0 };
  const bodies = new Map<string, number>();
  let bodiesInProgress = 0;
  let refused = 0;

  function nameOf(client: string): string {
    return counts.has(client) || counts.size < MOST_CLIENTS ? client : "";
  }

  function hasBudget(name: string): boolean {
    const count = counts.get(name) ?? 0;
    counts.set(name, count);
    if (budget === undefined) return true;
    if (saved >= mostSaved(budget)) return true; // the others need less than there is
    const share = Math.max(1, (budget * WINDOW_MS) / 1000 / Math.max(counts.size, before.clients));
    return saved >= 1 && count < share;
  }

  /** How late the next sample is at the moment, because of the thread's own work. */
  function currentDelayMs(now: number): number {
    const lateMs = now - sampledAt - SAMPLE_MS;
    return lateMs <= 0 ? 0 : Math.min(lateMs, work() - workedAt);
  }

  /** Whether the requests of this turn have delayed it for so long that the next ones are refused. */
  function isTurnLate(): boolean {
    if (isTurnOver) return true;
    const now = clock();
    const isRefusing = budget !== undefined || now - refusedAt < LASTING_MS;
    const late = isRefusing ? LATE_TURN_UNDER_OVERLOAD : LATE_TURN;
    isTurnOver = admittedOfTurn >= late.admitted && currentDelayMs(now) > late.delayMs;
    return isTurnOver;
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

  /** Sets the budget: first what was admitted lately, then less while the event loop is late and more while it is not. */
  function adjust(now: number): void {
    if (delayMs <= TARGET_MS) lateSince = undefined;
    else lateSince ??= now;
    const isLasting = lateSince !== undefined && now - lateSince >= LASTING_MS;
    if (isTurnOver || isLasting || (budget !== undefined && delayMs > LATE_TURN_UNDER_OVERLOAD.delayMs)) {
      const perSecond = isTurnOver
        ? (1000 * admittedOfTurn) / (now - sampledAt)
        : (1000 * Math.max(admitted, before.admitted)) / WINDOW_MS;
      budget = Math.max(1, (budget ?? perSecond) * FALL);
    } else if (budget !== undefined) {
      budget = now - refusedAt < LASTING_MS ? budget * RISE : undefined;
    }
    if (budget === undefined) saved = 0;
    else saved = Math.min(mostSaved(budget), saved + (budget * (now - sampledAt)) / 1000);
  }

  return {
    admit(client, { hasBody } = { hasBody: false }) {
      const name = nameOf(client);
      if (!hasBudget(name) || isTurnLate() || (hasBody && !hasRoomForBody(client))) {
        refused++;
        refusedAt = clock();
        return undefined;
      }
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (budget !== undefined) saved--;
      admitted++;
      admittedOfTurn++;
      return hasBody ? holdBody(client) : () => {};
    },
    sample() {
      const now = clock();
      delayMs = currentDelayMs(now);
      adjust(now);
      sampledAt = now;
      workedAt = work();
      admittedOfTurn = 0;
      isTurnOver = false;
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
