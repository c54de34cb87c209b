/**
 * Whose turn it is to be sent something: so many at a time in all, few at a time to one host, slow hosts in a lane of
 * their own, hosts in turn, and none to a host that is being left alone.
 */
import type { CircuitBreaker } from "./circuit-breaker.ts";

export interface HostLimiterLimits {
  readonly inAll: number;
  /** Of these, how many may be with hosts that answer slowly. */
  readonly slowLane: number;
  readonly perHost: number;
  /** An attempt older than this is slow. */
  readonly slowMs: number;
}

export const HOST_LIMITER_LIMITS: HostLimiterLimits = { inAll: 256, slowLane: 64, perHost: 4, slowMs: 2000 };

/** How an attempt speaks for its host; `undefined` says nothing, as when it failed through our own fault. */
export type Verdict = "good" | "bad" | undefined;

/** One attempt, from standing in line to its end. */
export interface Ticket {
  /** How it ended: done, held by the host's health before it began, or left before it began. Rejects if the work does. */
  readonly end: Promise<"done" | "held" | "left">;
  /** When its turn came, on the clock; undefined until then. */
  readonly begunAt: number | undefined;
}

export interface HostLimiter {
  /** Stands in line for `origin`; `work` runs when the turn comes, never before the ticket is given. */
  enter(origin: string, id: string, work: () => Promise<Verdict>): Ticket;
  /** Leaves the line. Does nothing once begun. */
  leave(ticket: Ticket): void;
  /** Milliseconds for which the host has kept it: since it began, or waiting behind others of the same host. */
  delayMs(ticket: Ticket): number;
  /** Origins with a long line. */
  busyOrigins(): string[];
  /** Moves attempts that turn out slow to the slow lane, which makes room for others. To be called now and then. */
  tick(): void;
  running(): number;
}

interface Host {
  readonly origin: string;
  readonly line: Attempt[];
  active: number;
}

interface Attempt extends Ticket {
  readonly host: Host;
  readonly id: string;
  readonly work: () => Promise<Verdict>;
  readonly settle: (end: "done" | "held" | "left") => void;
  readonly fail: (error: unknown) => void;
  readonly enteredAt: number;
  begunAt: number | undefined;
  slow: boolean;
}

/** A line from this length on is long. */
const LONG_LINE = 64;
const REMEMBERED_SLOW_HOSTS = 10_000;

/** Opens a gate. `clock` counts milliseconds. */
export function makeHostLimiter(limits: HostLimiterLimits, health: CircuitBreaker, clock: () => number): HostLimiter {
  const hosts = new Map<string, Host>();
  /** Hosts whose next attempt may begin as soon as its lane has room, in turn. */
  const ready = { fast: new Set<Host>(), slow: new Set<Host>() };
  const slowOrigins = new Set<string>();
  const running = new Set<Attempt>();
  let slowRunning = 0;

  function enter(origin: string, id: string, work: () => Promise<Verdict>): Ticket {
    const { promise: end, resolve: settle, reject: fail } = Promise.withResolvers<"done" | "held" | "left">();
    const known = hosts.get(origin);
    const host: Host = known ?? { origin, line: [], active: 0 };
    const attempt = { host, id, work, end, settle, fail, enteredAt: clock(), begunAt: undefined, slow: false };
    if (health.heldForMs(origin) > 0) settle("held");
    else {
      if (known === undefined) hosts.set(origin, host);
      host.line.push(attempt);
      enlist(host);
      begin();
    }
    return attempt;
  }

  function leave(ticket: Ticket): void {
    const { host, settle, begunAt } = ticket as Attempt;
    const place = begunAt === undefined ? host.line.indexOf(ticket as Attempt) : -1;
    if (place === -1) return;
    host.line.splice(place, 1);
    settle("left");
    enlist(host);
  }

  function delayMs(ticket: Ticket): number {
    const { host, begunAt, enteredAt } = ticket as Attempt;
    if (begunAt !== undefined) return clock() - begunAt;
    return host.active >= limits.perHost ? clock() - enteredAt : 0;
  }

  /** Puts a host where it belongs now: into the turn of its lane, out of it, or out of mind. */
  function enlist(host: Host): void {
    if (host.line.length === 0 && host.active === 0) hosts.delete(host.origin);
    if (host.line.length === 0 || host.active >= limits.perHost) {
      ready.fast.delete(host);
      ready.slow.delete(host);
    } else if (slowOrigins.has(host.origin)) {
      ready.fast.delete(host);
      ready.slow.add(host);
    } else {
      ready.slow.delete(host);
      ready.fast.add(host);
    }
  }

  function begin(): void {
    while (ready.slow.size > 0 && slowRunning < limits.slowLane && running.size < limits.inAll)
      beginNext(ready.slow, true);
    const fastLane = limits.inAll - limits.slowLane;
    while (ready.fast.size > 0 && running.size - slowRunning < fastLane && running.size < limits.inAll) {
      beginNext(ready.fast, false);
    }
  }

  function beginNext(lane: Set<Host>, slow: boolean): void {
    const [host] = lane;
    if (host === undefined) return;
    lane.delete(host);
    const attempt = host.line.shift();
    if (attempt === undefined) return;
    host.active++;
    attempt.begunAt = clock();
    attempt.slow = slow;
    running.add(attempt);
    if (slow) slowRunning++;
    enlist(host);
    void carryOut(attempt);
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    const { host, id, settle, fail } = attempt;
    let verdict: Verdict;
    try {
      verdict = await Promise.resolve().then(attempt.work);
      settle("done");
    } catch (error) {
      fail(error);
    }
    host.active--;
    running.delete(attempt);
    if (attempt.slow) slowRunning--;
    rememberPace(attempt);
    if (verdict !== undefined && health.note(host.origin, id, verdict === "good")) {
      for (const waiting of host.line.splice(0)) waiting.settle("held");
    }
    enlist(host);
    begin();
  }

  function rememberPace({ host, begunAt = 0 }: Attempt): void {
    slowOrigins.delete(host.origin);
    if (clock() - begunAt < limits.slowMs) return;
    slowOrigins.add(host.origin);
    if (slowOrigins.size > REMEMBERED_SLOW_HOSTS) slowOrigins.delete(slowOrigins.values().next().value ?? "");
  }

  function tick(): void {
    const before = clock() - limits.slowMs;
    for (const attempt of running) {
      if ((attempt.begunAt ?? 0) > before || slowRunning >= limits.slowLane) break;
      if (attempt.slow) continue;
      attempt.slow = true;
      slowRunning++;
    }
    begin();
  }

  return {
    enter,
    leave,
    delayMs,
    tick,
    busyOrigins: () => [...hosts.values()].filter(({ line }) => line.length >= LONG_LINE).map(({ origin }) => origin),
    running: () => running.size,
  };
}
