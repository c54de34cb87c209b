/**
 * Limits concurrent requests to callbacks: overall, per host and per address. Hosts take turns of a few deliveries, slow
 * hosts have a separate lane, and hosts whose circuit breaker is open are not contacted.
 */
import { lru } from "tiny-lru";
import type { AddressGate } from "../../outbound/vetted-connection.ts";
import { makeAddressSlots, type Slot } from "./address-slots.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";

export interface HostLimiterLimits {
  readonly total: number;
  /** The part of the total that slow hosts may use. */
  readonly slowLane: number;
  /** Concurrent requests to one origin. */
  readonly perHost: number;
  /** Concurrent requests to one address, whatever the number of origins that resolve to it. */
  readonly perAddress: number;
  /** A request that takes longer than this is slow. */
  readonly slowMs: number;
}

export const HOST_LIMITER_LIMITS: HostLimiterLimits = {
  total: 256,
  slowLane: 64,
  perHost: 4,
  perAddress: 4,
  slowMs: 2000,
};

/**
 * The outcome of a request for its host. `refused`: a verification was answered, but not confirmed; `busy`: not sent,
 * because its address has no free slot; undefined: it says nothing about the host, as after a local failure.
 */
export type Outcome = "good" | "bad" | "refused" | "busy" | undefined;

/** A queued request. */
interface Job {
  /** Id of the subscription. */
  readonly id: string;
  readonly origin: string;
  readonly site: string;
  /** The client that asked for a verification; undefined for a delivery. */
  readonly client?: string;
  /** Sends the request. Called again when it was busy. */
  readonly run: (gate: AddressGate) => Promise<Outcome>;
}

/** How a job ended: it ran, left the queue before it began, or was not started because its host is paused. */
type JobEnd = "done" | "left" | { readonly pausedMs: number };

export interface Ticket {
  /** Rejects if the job's `run` does. */
  readonly end: Promise<JobEnd>;
  /** When the job began, on the clock; undefined until then. */
  readonly begunAt: number | undefined;
}

/** Circuit breakers of hosts for deliveries, of hosts for verifications, and of addresses. */
export interface Breakers {
  readonly deliveries: CircuitBreaker;
  readonly verifications: CircuitBreaker;
  readonly addresses: CircuitBreaker;
}

export interface HostLimiter {
  /** Queues a job; it never begins before the ticket is returned. */
  enter(job: Job): Ticket;
  /** Removes a job from the queue. Does nothing once it has begun. */
  leave(ticket: Ticket): void;
  /**
   * Milliseconds for which its host or the host's address has delayed a job: since it began, or since it was queued; 0 if
   * it waits only because too many requests to fast hosts are running.
   */
  delayMs(ticket: Ticket): number;
  /** Moves slow requests to the slow lane. Must be called periodically. */
  tick(): void;
  running(): number;
}

/** The state of an origin between its requests. */
interface Known {
  address: string | undefined;
  /** Whether its latest delivery was acknowledged in time (a proven origin). */
  proven: boolean;
  slow: boolean;
}

interface Host {
  readonly origin: string;
  readonly site: string;
  readonly known: Known;
  readonly deliveries: Entry[];
  readonly verifications: Map<string, Entry[]>;
  readonly active: Set<Entry>;
  /** The line of hosts in which it stands while its next job may begin. */
  line: Line | undefined;
  /** The addresses that the host waits for: it continues at the first one that has room. */
  readonly parkedAt: Set<string>;
}

/** Hosts whose next job may begin as soon as its lane has room, in order. */
type Line = Set<Host>;

/** The lines of a lane: by the number of deliveries that move at the host, because the fewest come first. */
type Lane = readonly Line[];

/** Deliveries that a host gets in a row. */
interface Turn {
  readonly begunAt: number;
  /** Deliveries that have begun in it. */
  readonly deliveries: number;
}

interface Entry extends Ticket {
  readonly host: Host;
  readonly job: Job;
  readonly settle: (end: JobEnd) => void;
  readonly fail: (error: unknown) => void;
  readonly enteredAt: number;
  begunAt: number | undefined;
  inSlowLane: boolean;
  slot: Slot | undefined;
  /** The turn of its host; undefined until it begins. */
  turn: Turn | undefined;
}

/** Verifications that run at once at one host for one client; one request at a host is kept for deliveries. */
const VERIFICATIONS_OF_CLIENT = 2;
const KNOWN_ORIGINS = 20_000;
/** The turn of a host: so many deliveries in a row, of which the last begins within this time. */
const DELIVERIES_OF_TURN = 8;
const TURN_MS = 300;

/**
 * Opens a limiter. `clock` counts milliseconds; `connectionsSuffice` tells whether so many requests at once to an origin
 * take no connection from others that need it.
 */
export function makeHostLimiter(
  limits: HostLimiterLimits,
  breakers: Breakers,
  clock: () => number,
  connectionsSuffice: (origin: string, requests: number) => boolean = () => true,
): HostLimiter {
  const hosts = new Map<string, Host>();
  const fast = openLane();
  const slow = openLane();
  /** Hosts that wait for a delivery of their own to end, because others need all connections. */
  const sparing: Line = new Set();
  const parked = new Map<string, Set<Host>>();
  const knownOrigins = lru<Known>(KNOWN_ORIGINS);
  const running = new Set<Entry>();
  const slots = makeAddressSlots(limits.perAddress);
  let slowRunning = 0;

  function openLane(): Lane {
    return Array.from({ length: limits.perHost }, () => new Set<Host>());
  }

  function enter(job: Job): Ticket {
    const { promise: end, resolve: settle, reject: fail } = Promise.withResolvers<JobEnd>();
    const host = hosts.get(job.origin) ?? newHost(job);
    const start = { enteredAt: clock(), begunAt: undefined, inSlowLane: false, slot: undefined, turn: undefined };
    const entry: Entry = { host, job, end, settle, fail, ...start };
    const pausedMs = pausedForMs(job);
    if (pausedMs > 0) settle({ pausedMs });
    else {
      hosts.set(job.origin, host);
      lineOf(entry).push(entry);
      place(host);
      begin();
    }
    return entry;
  }

  function newHost({ origin, site }: Job): Host {
    const known = knownOrigins.get(origin) ?? { address: undefined, proven: false, slow: false };
    const queues = { deliveries: [], verifications: new Map(), active: new Set<Entry>() };
    return { origin, site, known, ...queues, line: undefined, parkedAt: new Set() };
  }

  /** One queue: the deliveries of a host, or the verifications that one client requested. */
  function lineOf({ host, job: { client } }: Entry): Entry[] {
    if (client === undefined) return host.deliveries;
    const line = host.verifications.get(client) ?? [];
    host.verifications.set(client, line);
    return line;
  }

  function pausedForMs({ client, origin }: Job): number {
    const deliveriesMs = breakers.deliveries.pausedForMs(origin, "");
    return client === undefined
      ? deliveriesMs
      : Math.max(deliveriesMs, breakers.verifications.pausedForMs(origin, client));
  }

  function leave(ticket: Ticket): void {
    const entry = ticket as Entry;
    if (entry.begunAt !== undefined || !removeFromLine(entry)) return;
    entry.settle("left");
    place(entry.host);
  }

  function removeFromLine(entry: Entry): boolean {
    const line = lineOf(entry);
    const index = line.indexOf(entry);
    if (index >= 0) line.splice(index, 1);
    const { client } = entry.job;
    if (client !== undefined) {
      entry.host.verifications.delete(client);
      if (line.length > 0) entry.host.verifications.set(client, line);
    }
    return index >= 0;
  }

  function delayMs(ticket: Ticket): number {
    const { host, begunAt, enteredAt } = ticket as Entry;
    if (begunAt !== undefined) return clock() - begunAt;
    return host.line === sparing || (host.line !== undefined && fast.includes(host.line)) ? 0 : clock() - enteredAt;
  }

  /**
   * Chooses the next job of a host: a delivery, or a verification when none is running, so that neither kind blocks the
   * other. The client that has waited longest comes first.
   */
  function nextOf({ active, deliveries, verifications }: Host): Entry | undefined {
    if (active.size >= limits.perHost) return undefined;
    if (verifications.size === 0) return deliveries[0];
    const clients = [...active].flatMap(({ job: { client } }) => client ?? []);
    if (deliveries[0] !== undefined && clients.length > 0) return deliveries[0];
    if (clients.length >= limits.perHost - 1) return undefined;
    for (const [client, [first]] of verifications) {
      if (clients.filter((each) => each === client).length < VERIFICATIONS_OF_CLIENT) return first;
    }
    return deliveries[0];
  }

  /** Updates the place of a host: in its lane, outside it, or forgotten. */
  function place(host: Host): void {
    leaveLine(host);
    if (host.deliveries.length + host.verifications.size === 0) {
      unpark(host);
      if (host.active.size === 0) hosts.delete(host.origin);
    } else if (host.parkedAt.size === 0) {
      const next = nextOf(host);
      if (next !== undefined) host.line = lineFor(next)?.add(host);
    }
  }

  /**
   * The line in which a host waits for its next job. Where a delivery is under way, and not slow, no other begins if that
   * would take a connection from a host that needs it: many deliveries to a hundred hosts would begin with a handshake
   * otherwise. A verification that comes next does not wait.
   */
  function lineFor({ host: { active, known, origin }, job: { client } }: Entry): Line | undefined {
    const before = clock() - limits.slowMs;
    let moving = 0;
    for (const { begunAt = 0, job } of active) if (begunAt > before && job.client === undefined) moving++;
    if (known.slow) return slow[moving];
    const mayBegin = client !== undefined || moving === 0 || connectionsSuffice(origin, active.size + 1);
    return mayBegin ? fast[moving] : sparing;
  }

  function leaveLine(host: Host): void {
    host.line?.delete(host);
    host.line = undefined;
  }

  function park(host: Host, address: string): void {
    leaveLine(host);
    host.parkedAt.add(address);
    parked.set(address, (parked.get(address) ?? new Set()).add(host));
  }

  function unpark(host: Host): void {
    for (const address of host.parkedAt) {
      const others = parked.get(address);
      if (others?.delete(host) && others.size === 0) parked.delete(address);
    }
    host.parkedAt.clear();
  }

  /** Continues the first host that waits for the address and can use one of its slots now. */
  function unparkNext(address: string): void {
    for (const host of parked.get(address) ?? []) {
      const next = nextOf(host);
      if (next !== undefined && !slots.mayTake(slotOf(next, address))) continue;
      continueAt(host, address);
      if (host.line !== undefined && host.line !== sparing) return;
    }
  }

  /** Continues a host at an address that has room, whichever one it tried last. */
  function continueAt(host: Host, address: string): void {
    unpark(host);
    host.known.address = address;
    place(host);
  }

  function slotOf({ host, job: { client } }: Entry, address: string): Slot {
    const { known, origin, site } = host;
    return { address, origin, site, client, proven: client === undefined && known.proven };
  }

  function begin(): void {
    const mostFast = limits.total - limits.slowLane;
    while (slowRunning < limits.slowLane && running.size < limits.total && beginNext(slow));
    while (running.size - slowRunning < mostFast && running.size < limits.total && beginNext(fast));
  }

  /** Begins the next job of a lane. Returns false if none waits. */
  function beginNext(lane: Lane): boolean {
    const [host] = lane.find(({ size }) => size > 0) ?? [];
    if (host === undefined) return false;
    leaveLine(host);
    beginAt(host, lane === slow);
    return true;
  }

  function beginAt(host: Host, inSlowLane: boolean): void {
    const entry = nextOf(host);
    if (entry === undefined) return;
    const pausedMs = pausedForMs(entry.job);
    if (pausedMs > 0) {
      removeFromLine(entry);
      entry.settle({ pausedMs });
      place(host);
      return;
    }
    const { address } = host.known;
    if (address !== undefined) {
      entry.slot = slots.take(slotOf(entry, address));
      if (entry.slot === undefined) {
        park(host, address);
        return;
      }
    }
    start(entry, { begunAt: clock(), deliveries: 1 }, inSlowLane);
  }

  function start(entry: Entry, turn: Turn, inSlowLane: boolean): void {
    const { host } = entry;
    removeFromLine(entry);
    host.active.add(entry);
    entry.turn = turn;
    entry.begunAt = clock();
    entry.inSlowLane = inSlowLane;
    running.add(entry);
    if (inSlowLane) slowRunning++;
    place(host);
    void runJob(entry);
  }

  async function runJob(entry: Entry): Promise<void> {
    const { host, job } = entry;
    const blockedAt: string[] = [];
    const gate: AddressGate = {
      isPaused: (address) => breakers.addresses.pausedForMs(address, partyOf(job)) > 0,
      claim(address) {
        if (entry.slot?.address === address) return true;
        const slot = slots.take(slotOf(entry, address));
        host.known.address = address;
        knownOrigins.set(host.origin, host.known);
        if (slot === undefined) blockedAt.push(address);
        else {
          freeSlot(entry);
          entry.slot = slot;
          begin(); // what the slot at another address lets through
        }
        return slot !== undefined;
      },
    };
    let outcome: Outcome;
    try {
      await undefined; // the ticket is returned first
      outcome = await job.run(gate);
      if (outcome !== "busy") entry.settle("done");
    } catch (error) {
      entry.fail(error);
    }
    host.active.delete(entry);
    running.delete(entry);
    if (entry.inSlowLane) slowRunning--;
    if (outcome === "busy") {
      freeSlot(entry);
      putBack(entry, blockedAt);
    } else {
      note(entry, outcome, entry.slot?.address);
      if (outcome !== "good" || !continueTurn(entry)) {
        freeSlot(entry);
        place(host);
      }
    }
    begin();
  }

  /**
   * Begins the host's next delivery in the slot of the one that has just ended, and so on its connection if that is kept,
   * when the host may have another one in this turn (decisions/hub-limits.md). A host that has more under way gets no
   * turn, because those with none come first; nor does one in a slot for unproven origins, because it may use the other
   * one now.
   */
  function continueTurn(entry: Entry): boolean {
    const { host, inSlowLane, job, slot, turn } = entry;
    const [next] = host.deliveries;
    if (next === undefined || turn === undefined || job.client !== undefined || inSlowLane) return false;
    if (host.active.size + host.verifications.size > 0 || slot?.proven === false) return false;
    if (turn.deliveries >= DELIVERIES_OF_TURN || clock() - turn.begunAt >= TURN_MS) return false;
    if (pausedForMs(next.job) > 0) return false;
    next.slot = slot;
    entry.slot = undefined;
    start(next, { ...turn, deliveries: turn.deliveries + 1 }, false);
    return true;
  }

  function freeSlot(entry: Entry): void {
    if (entry.slot === undefined) return;
    const { address } = entry.slot;
    slots.free(entry.slot);
    entry.slot = undefined;
    unparkNext(address);
  }

  /** Returns a job to the head of its queue until one of the addresses has a slot. */
  function putBack(entry: Entry, addresses: readonly string[]): void {
    const { host } = entry;
    entry.begunAt = undefined;
    hosts.set(host.origin, host);
    lineOf(entry).unshift(entry);
    const withRoom = addresses.find((address) => slots.mayTake(slotOf(entry, address)));
    if (withRoom === undefined) {
      unpark(host); // the other addresses are no help while its connection is to one of these
      for (const address of addresses) park(host, address);
      place(host);
    } else continueAt(host, withRoom);
  }

  /** Records how fast and how well a host answered, and reports it to the circuit breakers. */
  function note({ host, job, begunAt = 0 }: Entry, outcome: Outcome, address: string | undefined): void {
    const { known, origin } = host;
    const { client, id } = job;
    known.slow = clock() - begunAt >= limits.slowMs;
    if (known.slow || outcome === "bad") known.proven = false;
    if (known.slow) knownOrigins.set(origin, known);
    if (outcome === undefined) return;
    const good = outcome === "good";
    if (good && !known.slow && client === undefined) known.proven = true;
    if (address !== undefined && outcome !== "refused")
      breakers.addresses.note({ host: address, party: partyOf(job), id }, good);
    if (client !== undefined) breakers.verifications.note({ host: origin, party: client, id }, good);
    if (client !== undefined && !good) return;
    if (!breakers.deliveries.note({ host: origin, party: "", id }, good)) return;
    const pausedMs = pausedForMs(job);
    for (const waiting of host.deliveries.splice(0)) waiting.settle({ pausedMs });
  }

  function tick(): void {
    const before = clock() - limits.slowMs;
    for (const entry of running) {
      if ((entry.begunAt ?? 0) > before) break;
      entry.host.known.proven = false;
      if (entry.host.line === sparing) place(entry.host);
      if (entry.inSlowLane || slowRunning >= limits.slowLane) continue;
      entry.inSlowLane = true;
      slowRunning++;
    }
    for (const address of parked.keys()) unparkNext(address);
    begin();
  }

  return {
    enter,
    leave,
    delayMs,
    tick,
    running: () => running.size,
  };
}

/** The party responsible for a job at a shared address: the requesting client, or the callback's site. */
function partyOf({ client, site }: Job): string {
  return client === undefined ? `site ${site}` : `client ${client}`;
}
