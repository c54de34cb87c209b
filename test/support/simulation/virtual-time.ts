/**
 * Virtual time, in which simulated processes run: nothing waits, and everything happens in an order that follows from a
 * seed. `setTimeout` of code under test is that of the process that calls it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Event {
  readonly time: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** A simulated process: it runs only from its timers and from answers, which wait while it stands still. */
export interface VirtualProcess {
  isAlive: boolean;
  /** When the process runs next, if it may not run at `time`. */
  runsFrom: (time: number) => number;
}

export interface VirtualTime {
  now(): number;
  /** Runs something outside of all processes. */
  after(ms: number, run: () => void): void;
  /** Runs something in a process, once that is running; never if it is dead by then. */
  deliver(process: VirtualProcess, run: () => void, afterMs?: number): void;
  /** Runs events until `isOver`, or until there are none. */
  run(isOver: () => boolean): Promise<void>;
}

const realSetTimeout = globalThis.setTimeout;
const realClearTimeout = globalThis.clearTimeout;
const current = new AsyncLocalStorage<VirtualProcess>();

/** Runs `body` with a time of its own, which starts at 0. */
export async function inVirtualTime<T>(body: (time: VirtualTime) => Promise<T>): Promise<T> {
  const events: Event[] = [];
  let now = 0;
  let order = 0;

  function schedule(ms: number, run: () => void): Event {
    const event = { time: now + Math.max(0, ms), order: order++, run, cancelled: false };
    push(events, event);
    return event;
  }

  function deliver(process: VirtualProcess, run: () => void, afterMs = 0): Event {
    const event: Event = schedule(afterMs, () => {
      if (!process.isAlive) return;
      const from = process.runsFrom(now);
      if (from <= now) current.run(process, run);
      else push(events, Object.assign(event, { time: from }));
    });
    return event;
  }

  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    const process = current.getStore();
    if (process === undefined) throw new Error("Only simulated processes have timers");
    const event = deliver(process, run, Math.max(1, ms));
    return Object.assign(event, { ref: () => event, unref: () => event });
  }) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((event?: Event) => {
    if (event !== undefined) event.cancelled = true;
  }) as unknown as typeof clearTimeout;
  try {
    return await body({
      now: () => now,
      after: schedule,
      deliver,
      async run(isOver) {
        while (events.length > 0 && !isOver()) {
          const event = pop(events);
          if (event.cancelled) continue;
          now = Math.max(now, event.time);
          event.run();
          await new Promise(setImmediate); // what follows in promises
        }
      },
    });
  } finally {
    globalThis.setTimeout = realSetTimeout;
    globalThis.clearTimeout = realClearTimeout;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}

/** Adds to a binary heap whose first event is the next one. */
function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (isBefore(heap[parent] as Event, event)) break;
    heap[at] = heap[parent] as Event;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event {
  const first = heap[0] as Event;
  const last = heap.pop() as Event;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
    if (isBefore(last, heap[child] as Event)) break;
    heap[at] = heap[child] as Event;
    at = child;
  }
  heap[at] = last;
  return first;
}
