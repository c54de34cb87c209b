/**
 * A queue of costly requests: one is answered in each turn of the event loop, so that between them new connections are
 * accepted and documents answered. A request that has waited too long is refused, and during an overload each client may
 * have only a few in the queue. Ready documents are never refused, because refusing costs as much as answering.
 */
import type { Steps } from "../edition/steps.ts";

export interface LoadShedding {
  /** Admits a costly request of a client: true at once, a promise of true, or false to refuse it. */
  admit(client: string): boolean | Promise<boolean>;
  /** Yields during a costly request. No new one starts meanwhile; one yielded request resumes per turn of the event loop. */
  yieldTurn(): Promise<void>;
  /**
   * Reserves memory for the body of a client's request, which arrives at its sender's speed: returns the function that
   * frees it, or undefined to refuse the request.
   */
  holdBody(client: string): (() => void) | undefined;
  /** Call it for each new connection: others may be waiting behind it. */
  connectionAccepted(): void;
  /** Measures how late the event loop is. Call it once to begin, and then every `SAMPLE_MS`. */
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
  /** Calls the function in the next turn of the event loop, after it has read from all connections. */
  readonly nextTurn: (run: () => void) => void;
}

/** How often the delay is measured. */
export const SAMPLE_MS = 50;

/**
 * A queue that was not empty for `BURST_MS`, and in which the first has waited for `MIN_OVERLOAD_WAIT_MS`, is no burst
 * but an overload: then less waiting is allowed (controlled delay: B. Maurer, Fail at Scale, ACM Queue 13(8)). Waiting is
 * measured in processor time of this thread: refusing does not help if other programs use the processor.
 */
const [BURST_MS, MIN_OVERLOAD_WAIT_MS] = [400, 50];
const [MAX_BURST_WAIT_MS, MAX_OVERLOAD_WAIT_MS] = [400, 100];
const MAX_WAITING_REQUESTS = 500;
/** A client's share of the queue during an overload. */
const MAX_WAITING_REQUESTS_OF_CLIENT = 2;
/** Costly requests that need not wait begin within this time of a turn's first. */
const TURN_MS = 5;
/** One turn of the event loop accepts one connection. The queue waits this long while connections arrive. */
const MAX_ACCEPTING_MS = 20;

/** Requests with a body in memory, each of up to 64 KiB, and a client's share of them. */
const [MAX_BODIES, MAX_BODIES_OF_CLIENT] = [1_024, 256];

interface WaitingRequest {
  readonly client: string;
  readonly since: number;
  readonly answer: (mayBeAnswered: boolean) => void;
}

/** Makes the queue of costly requests. */
export function makeLoadShedding({ clock, work, nextTurn }: LoadSheddingParts): LoadShedding {
  const queue: WaitingRequest[] = [];
  const waiting = makeShares(MAX_WAITING_REQUESTS);
  const bodies = makeShares(MAX_BODIES);
  /** Continues the requests that have yielded, in order. */
  const yielded: (() => void)[] = [];
  let isScheduled = false;
  let turnBegan = 0;
  /** When a request last found the queue empty. */
  let emptyAt = 0;
  let hasAccepted = false;
  let refused = 0;
  let sampled: { readonly at: number; readonly work: number } | undefined;
  let delayMs = 0;

  function isOverloaded(): boolean {
    const [first] = queue;
    const waitedMs = first === undefined ? 0 : work() - first.since;
    return waitedMs > MIN_OVERLOAD_WAIT_MS && work() - emptyAt > BURST_MS;
  }

  function schedule(): void {
    isScheduled = true;
    turnBegan = work();
    nextTurn(runTurn);
  }

  function runTurn(): void {
    if (hasAccepted && queue.length > 0 && work() - turnBegan < MAX_ACCEPTING_MS) {
      hasAccepted = false;
      nextTurn(runTurn);
      return;
    }
    isScheduled = false;
    const answer = yielded.shift() ?? nextAnswer();
    if (answer !== undefined) schedule();
    answer?.();
  }

  /** Lets the first of the queue through, and refuses those before it that have waited too long. */
  function nextAnswer(): (() => void) | undefined {
    const maxWaitMs = isOverloaded() ? MAX_OVERLOAD_WAIT_MS : MAX_BURST_WAIT_MS;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { client, since, answer } = next;
      waiting.free(client);
      if (work() - since <= maxWaitMs) return () => answer(true);
      refused++;
      answer(false);
    }
    return undefined;
  }

  return {
    admit(client) {
      if (queue.length === 0) emptyAt = work();
      if (!isScheduled) schedule();
      if (queue.length === 0 && yielded.length === 0 && work() - turnBegan < TURN_MS) return true;
      if (!waiting.hold(client, isOverloaded() ? MAX_WAITING_REQUESTS_OF_CLIENT : MAX_WAITING_REQUESTS)) {
        refused++;
        return false;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      queue.push({ client, since: work(), answer: resolve });
      return promise;
    },
    yieldTurn() {
      if (!isScheduled) schedule();
      const { promise, resolve } = Promise.withResolvers<void>();
      yielded.push(resolve);
      return promise;
    },
    holdBody(client) {
      if (!bodies.hold(client, MAX_BODIES_OF_CLIENT)) {
        refused++;
        return undefined;
      }
      let isHeld = true;
      return () => {
        if (isHeld) bodies.free(client);
        isHeld = false;
      };
    },
    connectionAccepted() {
      hasAccepted = true;
    },
    sample() {
      const now = { at: clock(), work: work() };
      const before = sampled ?? now;
      delayMs = Math.max(0, Math.min(now.at - before.at - SAMPLE_MS, now.work - before.work));
      sampled = now;
    },
    delaySeconds: () => delayMs / 1000,
    refused: () => refused,
  };
}

/** Counts what clients hold of a limited supply. */
function makeShares(max: number) {
  const held = new Map<string, number>();
  let total = 0;
  return {
    /** Counts one more, and returns whether there was one left, within the client's own limit. */
    hold(client: string, maxOfClient: number): boolean {
      const count = held.get(client) ?? 0;
      if (total >= max || count >= maxOfClient) return false;
      held.set(client, count + 1);
      total++;
      return true;
    },
    free(client: string): void {
      total--;
      const rest = (held.get(client) ?? 1) - 1;
      if (rest === 0) held.delete(client);
      else held.set(client, rest);
    },
  };
}

/** How long steps follow one another. */
const SLICE_MS = 1;

/** Does the steps, with a pause whenever they have taken a millisecond. Short work is done without any. */
export function inSlices<Result>(steps: Steps<Result>, pause: () => Promise<void>): Result | Promise<Result> {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() > end) return pause().then(() => inSlices(steps, pause));
  }
}
