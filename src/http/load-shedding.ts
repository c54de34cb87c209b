/**
 * Queues costly requests and lets a few of them be answered in each turn of the event loop, so that between them new
 * connections are accepted and ready documents answered. The queue is bounded by the time that it takes: what would wait
 * longer is refused, first to the clients that ask for most. Documents that are ready are never refused, because refusing
 * costs as much as answering.
 */

import type { Steps } from "../edition/steps.ts";

export interface LoadShedding {
  /** Whether a costly request of a client may be answered now: resolves once it may, or with false to refuse it. */
  turn(client: string): boolean | Promise<boolean>;
  /**
   * Gives way in the middle of a costly request: resolves in a later turn of the event loop. Meanwhile no further one is
   * let through, and of several that give way, one goes on in each turn.
   */
  pause(): Promise<void>;
  /**
   * Reserves room for the body of a client's request, which is held in memory while it arrives, at its sender's speed:
   * returns the function that frees it, or undefined to refuse the request.
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
  /** Calls the function in the next turn of the event loop, after what has arrived has been read. */
  readonly nextTurn: (run: () => void) => void;
}

/** How often the delay is measured. */
export const SAMPLE_MS = 50;

/** The time that requests may wait, at first and while others are refused; and how many of them may in any case. */
const BURST = { waitMs: 400, least: 10 };
const OVERLOAD = { waitMs: 100, least: 4 };
/** An overload ends when nobody was refused for so long. */
const OVERLOAD_LASTS_MS = 1_000;
/** The most requests that wait, however little each costs. */
const MOST_WAITING = 500;

/** How long the costly requests of one turn of the event loop should take together. */
const TURN_MS = 5;
/**
 * One turn of the event loop accepts one connection. While connections arrive, costly requests wait for them, but no
 * longer than this.
 */
const ACCEPTING_MS = 20;

/** The cost of a request before one has been measured, and the weight of each measurement. */
const FIRST_COST_MS = 1;
const WEIGHT = 0.1;
/**
 * A request costs the time from one to the next, but at most this many times the processor time that the thread used
 * then: what remains, the machine did something else, which refusing would not shorten.
 */
const SLOWNESS = 2;

/** The period over which a client's requests are counted; with those of the period before. */
const WINDOW_MS = 1_000;
/** The number of clients counted per window; further clients count as one. */
const MOST_CLIENTS = 10_000;

/**
 * Requests with a body in progress at once, each of up to 64 KiB. When more than `BODIES_FOR_ANYBODY` are, a client may
 * add to them only while it has fewer than `BODIES_OF_ONE`: a client that sends slowly blocks only itself.
 */
const MOST_BODIES = 1_024;
const BODIES_FOR_ANYBODY = 256;
const BODIES_OF_ONE = 16;

interface Waiting {
  readonly client: string;
  readonly answer: (mayBeAnswered: boolean) => void;
}

/** Makes the queue of costly requests. */
export function makeLoadShedding({ clock, work, nextTurn }: LoadSheddingParts): LoadShedding {
  let waiting: Waiting[] = [];
  /** Those that are answered in slices, and go on in turn. */
  const paused: (() => void)[] = [];
  const requests = makeRequestCounts(clock);
  const bodies = makeBodyCounts();
  let costMs = FIRST_COST_MS;
  /** Whether a turn of the queue is scheduled. */
  let isScheduled = false;
  /** How many requests were let through last, and when. */
  let letThrough = 0;
  let [letThroughAt, workedThen] = [0, 0];
  let hasAccepted = false;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let refused = 0;
  let sampled: { readonly at: number; readonly work: number } | undefined;
  let delayMs = 0;

  function mostOfTurn(): number {
    return Math.max(1, Math.floor(TURN_MS / costMs));
  }

  function mostWaiting(): number {
    const { waitMs, least } = clock() - refusedAt < OVERLOAD_LASTS_MS ? OVERLOAD : BURST;
    return Math.min(MOST_WAITING, Math.max(least, waitMs / costMs));
  }

  function refuse(): void {
    refused++;
    refusedAt = clock();
  }

  /** Of the waiting requests the newest of the client that asks for most. */
  function mostDemanding(): { readonly at: number; readonly demand: number } {
    let [at, demand] = [-1, 0];
    for (let index = waiting.length - 1; index >= 0; index--) {
      const one = requests.demandOf(waiting[index]?.client ?? "");
      if (one > demand) [at, demand] = [index, one];
    }
    return { at, demand };
  }

  function shorten(): void {
    while (waiting.length > mostWaiting()) {
      const [one] = waiting.splice(mostDemanding().at, 1);
      if (one === undefined) return;
      requests.end(one.client);
      refuse();
      one.answer(false);
    }
  }

  function beginTurn(): void {
    letThrough = 0;
    letThroughAt = clock();
    workedThen = work();
    isScheduled = true;
    nextTurn(continueQueue);
  }

  function measureCost(): void {
    const lasted = Math.min(clock() - letThroughAt, SLOWNESS * (work() - workedThen));
    for (let count = 0; count < letThrough; count++) costMs += WEIGHT * (lasted / letThrough - costMs);
  }

  function continueQueue(): void {
    if (hasAccepted && waiting.length > 0 && clock() - letThroughAt < ACCEPTING_MS) {
      hasAccepted = false;
      nextTurn(continueQueue);
      return;
    }
    const goOn = paused.shift();
    if (goOn !== undefined) {
      nextTurn(continueQueue);
      goOn();
      return;
    }
    measureCost();
    shorten();
    isScheduled = false;
    if (waiting.length === 0) return;
    beginTurn();
    const next = waiting.slice(0, mostOfTurn());
    waiting = waiting.slice(next.length);
    letThrough = next.length;
    for (const { client, answer } of next) {
      requests.serve(client);
      answer(true);
    }
  }

  return {
    turn(client) {
      const name = requests.start(client);
      if (!isScheduled) beginTurn();
      if (waiting.length === 0 && paused.length === 0 && letThrough < mostOfTurn()) {
        letThrough++;
        requests.serve(name);
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.push({ client: name, answer: resolve });
      shorten();
      return promise;
    },
    pause() {
      if (!isScheduled) beginTurn();
      const { promise, resolve } = Promise.withResolvers<void>();
      paused.push(resolve);
      return promise;
    },
    holdBody(client) {
      const isHopeless = waiting.length >= mostWaiting() && requests.demandOf(client) + 1 >= mostDemanding().demand;
      const free = isHopeless ? undefined : bodies.hold(client);
      if (free === undefined) refuse();
      return free;
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

/** Counts what clients ask for: requests that wait, and those answered in this window and the one before. */
function makeRequestCounts(clock: () => number) {
  const waiting = new Map<string, number>();
  let served = new Map<string, number>();
  let servedBefore = new Map<string, number>();
  let windowEndsAt = clock() + WINDOW_MS;

  function turnWindow(): void {
    const now = clock();
    if (now < windowEndsAt) return;
    servedBefore = now < windowEndsAt + WINDOW_MS ? served : new Map();
    served = new Map();
    windowEndsAt = now + WINDOW_MS;
  }

  function nameOf(client: string): string {
    return served.has(client) || served.size < MOST_CLIENTS ? client : "";
  }

  function end(name: string): void {
    const left = (waiting.get(name) ?? 1) - 1;
    if (left === 0) waiting.delete(name);
    else waiting.set(name, left);
  }

  return {
    /** Counts a request that begins to wait. Returns the name under which its client is counted. */
    start(client: string): string {
      turnWindow();
      const name = nameOf(client);
      waiting.set(name, (waiting.get(name) ?? 0) + 1);
      return name;
    },
    /** Counts a request that waits no longer. */
    end,
    /** The same for one that is answered. */
    serve(name: string): void {
      end(name);
      served.set(name, (served.get(name) ?? 0) + 1);
    },
    demandOf(name: string): number {
      return (waiting.get(name) ?? 0) + (served.get(name) ?? 0) + (servedBefore.get(name) ?? 0);
    },
  };
}

/** Counts the bodies that are in progress. */
function makeBodyCounts() {
  const bodies = new Map<string, number>();
  let inProgress = 0;

  function hasRoom(client: string): boolean {
    if (inProgress < BODIES_FOR_ANYBODY) return true;
    return inProgress < MOST_BODIES && (bodies.get(client) ?? 0) < BODIES_OF_ONE;
  }

  return {
    /** Counts one more, and returns the function that ends it; undefined if there is no room. */
    hold(client: string): (() => void) | undefined {
      if (!hasRoom(client)) return undefined;
      bodies.set(client, (bodies.get(client) ?? 0) + 1);
      inProgress++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        inProgress--;
        const rest = (bodies.get(client) ?? 1) - 1;
        if (rest === 0) bodies.delete(client);
        else bodies.set(client, rest);
      };
    },
  };
}

/** How long steps follow one another, in milliseconds. */
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
