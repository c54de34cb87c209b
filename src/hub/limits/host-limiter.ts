/**
 * Limits concurrent requests to callbacks: overall, per host and per address. Hosts take turns of a few deliveries, slow
 * hosts have a separate lane, and hosts whose circuit breaker is open are not contacted.
 */
import { lru } from "tiny-lru";
import type { AddressGate } from "../../outbound/vetted-connection.ts";
import { makeAddressSlots, type Slot } from "./address-slots.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { makeVerificationShares, type VerificationShares } from "./verification-shares.ts";
import { makeWaitingList } from "./waiting-list.ts";

export interface HostLimiterLimits {
  /** Concurrent requests, together with deliveries that are not recorded yet. */
  readonly total: number;
  /** The part of the total that slow hosts may use. */
  readonly slowLane: number;
  /** The part of the total that verifications may use. */
  readonly verifications: number;
  /** Concurrent requests to one origin. */
  readonly perHost: number;
  /** Concurrent requests to one address, across all origins that resolve to it. */
  readonly perAddress: number;
  /** A request that takes longer than this is slow. */
  readonly slowMs: number;
}

export const HOST_LIMITER_LIMITS: HostLimiterLimits = {
  total: 256,
  slowLane: 64,
  verifications: 128,
  perHost: 4,
  perAddress: 4,
  slowMs: 2000,
};

/**
 * The outcome of a request for its host. `refused`: a verification was answered, but not confirmed; `busy`: not sent,
 * because its address has no free slot, or because nothing may begin at the moment; undefined: it says nothing about the
 * host, as after a local failure.
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
  /** Moves slow requests to the slow lane, and begins what may begin now. Must be called periodically. */
  tick(): void;
  /** Begins what may begin now: to be called when deliveries have been recorded. */
  resume(): void;
  running(): number;
}

/** What is remembered of an origin between its requests. */
interface OriginState {
  address: string | undefined;
  /** Whether its latest delivery was acknowledged in time (a proven origin). */
  proven: boolean;
  slow: boolean;
}

interface Host {
  readonly origin: string;
  readonly site: string;
  readonly state: OriginState;
  readonly deliveries: Entry[];
  readonly verifications: Map<string, Entry[]>;
  readonly active: Set<Entry>;
  /** The queue of hosts that it is in while its next job may begin. */
  queue: Queue | undefined;
}

/** Hosts whose next job may begin as soon as its lane has room, in order. */
type Queue = Set<Host>;

/** A lane's queues, by the number of deliveries that the host has under way: hosts with the fewest come first. */
type Lane = readonly Queue[];

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

/** Concurrent verifications at one host for one client; one request of each host is reserved for deliveries. */
const MAX_VERIFICATIONS_PER_CLIENT = 2;
const MAX_ORIGIN_STATES = 20_000;
/** A host's turn: 8 deliveries in a row, the last of which begins within 300 ms. */
const MAX_DELIVERIES_PER_TURN = 8;
const MAX_TURN_MS = 300;

/** What else decides whether a request begins. */
export interface HostLimiterGates {
  /** Whether an origin can have this many requests at once without taking a connection that another origin needs. */
  readonly connectionsSuffice?: (origin: string, requests: number) => boolean;
  /** Whether another request may begin beside those in progress. */
  readonly mayBegin?: (inProgress: number) => boolean;
}

/** Opens a limiter. `clock` counts milliseconds. */
export function makeHostLimiter(
  limits: HostLimiterLimits,
  breakers: Breakers,
  clock: () => number,
  { connectionsSuffice = () => true, mayBegin = (inProgress) => inProgress < limits.total }: HostLimiterGates = {},
): HostLimiter {
  const hosts = new Map<string, Host>();
  const fastLane = openLane();
  const slowLane = openLane();
  /** Hosts that wait for the end of their own delivery, because others need all connections. */
  const awaitingConnection: Queue = new Set();
  /** Hosts that wait for addresses: each continues at the first one that has room. */
  const parked = makeWaitingList<Host>();
  /** Hosts that wait until a client may have another verification. */
  const awaitingClients = makeWaitingList<Host>();
  const shares = makeVerificationShares(limits.verifications);
  const originStates = lru<OriginState>(MAX_ORIGIN_STATES);
  const running = new Set<Entry>();
  const slots = makeAddressSlots(limits.perAddress);
  let slowRunning = 0;

  function openLane(): Lane {
    return Array.from({ length: limits.perHost }, () => new Set<Host>());
  }

  function enter(job: Job): Ticket {
    const { promise: end, resolve: settle, reject: fail } = Promise.withResolvers<JobEnd>();
    const host = hosts.get(job.origin) ?? newHost(job, originStates.get(job.origin));
    const start = { enteredAt: clock(), begunAt: undefined, inSlowLane: false, slot: undefined, turn: undefined };
    const entry: Entry = { host, job, end, settle, fail, ...start };
    const pausedMs = pausedForMs(job);
    if (pausedMs > 0) settle({ pausedMs });
    else {
      hosts.set(job.origin, host);
      jobsBeside(entry).push(entry);
      place(host);
      begin();
    }
    return entry;
  }

  function pausedForMs({ client, origin }: Job): number {
    const deliveriesMs = breakers.deliveries.pausedForMs(origin, "");
    return client === undefined
      ? deliveriesMs
      : Math.max(deliveriesMs, breakers.verifications.pausedForMs(origin, client));
  }

  function leave(ticket: Ticket): void {
    const entry = ticket as Entry;
    if (entry.begunAt !== undefined || !dequeue(entry)) return;
    entry.settle("left");
    place(entry.host);
  }

  function delayMs(ticket: Ticket): number {
    const { host, begunAt, enteredAt } = ticket as Entry;
    if (begunAt !== undefined) return clock() - begunAt;
    const { queue } = host;
    const waitsForOthers = queue !== undefined && (queue === awaitingConnection || fastLane.includes(queue));
    return waitsForOthers ? 0 : clock() - enteredAt;
  }

  function nextOf(host: Host): Entry | undefined {
    return nextJob(host, limits.perHost, shares);
  }

  /** Puts a host into the queue that its next job waits in, or into none; forgets it if it has no job left. */
  function place(host: Host): void {
    leaveQueue(host);
    awaitingClients.remove(host);
    if (host.deliveries.length + host.verifications.size === 0) {
      parked.remove(host);
      if (host.active.size === 0) hosts.delete(host.origin);
    } else if (!parked.has(host)) {
      const next = nextOf(host);
      if (next !== undefined) host.queue = queueFor(next)?.add(host);
      else awaitShares(host);
    }
  }

  function awaitShares(host: Host): void {
    for (const client of host.verifications.keys()) if (!shares.mayVerify(client)) awaitingClients.add(client, host);
  }

  /** Continues a host that waits for a client that may have another verification now. Returns false if there is none. */
  function continueVerification(): boolean {
    for (const [client, [host]] of awaitingClients.waiting) {
      if (host === undefined || !shares.mayVerify(client)) continue;
      place(host);
      if (host.queue !== undefined) return true;
    }
    return false;
  }

  /**
   * The queue in which a host waits for its next job. While a delivery is under way and not slow, no second one begins
   * if that would take a connection from a host that needs it: otherwise, with a hundred hosts, many deliveries would
   * begin with a handshake. A verification that comes next does not wait.
   */
  function queueFor({ host: { active, state, origin }, job: { client } }: Entry): Queue | undefined {
    const before = clock() - limits.slowMs;
    let deliveries = 0;
    for (const { begunAt = 0, job } of active) if (begunAt > before && job.client === undefined) deliveries++;
    if (state.slow) return slowLane[deliveries];
    const mayBegin = client !== undefined || deliveries === 0 || connectionsSuffice(origin, active.size + 1);
    return mayBegin ? fastLane[deliveries] : awaitingConnection;
  }

  function park(host: Host, address: string): void {
    leaveQueue(host);
    parked.add(address, host);
  }

  /** Continues the first host that waits for the address and can use one of its slots now. */
  function unparkNext(address: string): void {
    for (const host of parked.waiting.get(address) ?? []) {
      const next = nextOf(host);
      if (next !== undefined && !slots.mayTake(slotOf(next, address))) continue;
      continueAt(host, address);
      if (host.queue !== undefined && host.queue !== awaitingConnection) return;
    }
  }

  /** Continues a host at an address that has room, even if it tried another one last. */
  function continueAt(host: Host, address: string): void {
    parked.remove(host);
    host.state.address = address;
    place(host);
  }

  function begin(): void {
    const maxFast = limits.total - limits.slowLane;
    while (slowRunning < limits.slowLane && mayBegin(running.size) && beginNext(slowLane));
    while (running.size - slowRunning < maxFast && mayBegin(running.size) && beginNext(fastLane));
  }

  /** Begins the next job of a lane. Returns false if none waits. */
  function beginNext(lane: Lane): boolean {
    const [host] = lane.find(({ size }) => size > 0) ?? [];
    if (host === undefined) return false;
    leaveQueue(host);
    beginAt(host, lane === slowLane);
    return true;
  }

  function beginAt(host: Host, inSlowLane: boolean): void {
    const entry = nextOf(host);
    if (entry === undefined) {
      place(host); // its client's share has been used up since it was queued
      return;
    }
    const pausedMs = pausedForMs(entry.job);
    if (pausedMs > 0) {
      dequeue(entry);
      entry.settle({ pausedMs });
      place(host);
      return;
    }
    const { address } = host.state;
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
    dequeue(entry);
    host.active.add(entry);
    entry.turn = turn;
    entry.begunAt = clock();
    entry.inSlowLane = inSlowLane;
    running.add(entry);
    if (entry.job.client !== undefined) shares.count(entry.job.client, 1);
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
        host.state.address = address;
        originStates.set(host.origin, host.state);
        if (slot === undefined) blockedAt.push(address);
        else {
          freeSlot(entry);
          entry.slot = slot;
          begin(); // the slot freed at another address may let a job through
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
    if (job.client !== undefined) shares.count(job.client, -1);
    if (outcome === "busy") {
      freeSlot(entry);
      putBack(entry, blockedAt);
      if (blockedAt.length === 0) return; // it would begin again at once
    } else {
      note(entry, outcome, entry.slot?.address);
      if (outcome !== "good" || !continueTurn(entry)) {
        freeSlot(entry);
        place(host);
      }
    }
    if (job.client !== undefined) continueVerification();
    begin();
  }

  /**
   * Begins the host's next delivery in the slot of the one that has just ended, and so on its connection if that is kept
   * open, when the turn allows another one (decisions/hub-limits.md). A host with more requests under way gets no turn,
   * because hosts with none come first; nor does one in a slot for unproven origins, because it may use the reserved one
   * now.
   */
  function continueTurn(entry: Entry): boolean {
    const { host, inSlowLane, job, slot, turn } = entry;
    const [next] = host.deliveries;
    if (next === undefined || turn === undefined || job.client !== undefined || inSlowLane) return false;
    if (host.active.size + host.verifications.size > 0 || slot?.proven === false) return false;
    if (turn.deliveries >= MAX_DELIVERIES_PER_TURN || clock() - turn.begunAt >= MAX_TURN_MS) return false;
    if (pausedForMs(next.job) > 0 || !mayBegin(running.size)) return false;
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
    jobsBeside(entry).unshift(entry);
    const withRoom = addresses.find((address) => slots.mayTake(slotOf(entry, address)));
    if (withRoom === undefined) {
      parked.remove(host); // the other addresses are no help while its connection is to one of these
      for (const address of addresses) park(host, address);
      place(host);
    } else continueAt(host, withRoom);
  }

  /** Records how fast and how well a host answered, and reports it to the circuit breakers. */
  function note({ host, job, begunAt = 0 }: Entry, outcome: Outcome, address: string | undefined): void {
    const { state, origin } = host;
    const { client, id } = job;
    state.slow = clock() - begunAt >= limits.slowMs;
    if (state.slow || outcome === "bad") state.proven = false;
    if (state.slow) originStates.set(origin, state);
    if (outcome === undefined) return;
    const good = outcome === "good";
    if (good && !state.slow && client === undefined) state.proven = true;
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
      entry.host.state.proven = false;
      if (entry.host.queue === awaitingConnection) place(entry.host);
      if (entry.inSlowLane || slowRunning >= limits.slowLane) continue;
      entry.inSlowLane = true;
      slowRunning++;
    }
    for (const address of parked.waiting.keys()) unparkNext(address);
    while (continueVerification());
    begin();
  }

  return {
    enter,
    leave,
    delayMs,
    tick,
    resume: begin,
    running: () => running.size,
  };
}

/** The party responsible for a job at a shared address: the requesting client, or the callback's site. */
function partyOf({ client, site }: Job): string {
  return client === undefined ? `site ${site}` : `client ${client}`;
}

function newHost({ origin, site }: Job, known: OriginState | undefined): Host {
  const state = known ?? { address: undefined, proven: false, slow: false };
  return { origin, site, state, deliveries: [], verifications: new Map(), active: new Set(), queue: undefined };
}

/** The jobs among which an entry waits: the deliveries of its host, or the verifications for its client. */
function jobsBeside({ host, job: { client } }: Entry): Entry[] {
  if (client === undefined) return host.deliveries;
  const jobs = host.verifications.get(client) ?? [];
  host.verifications.set(client, jobs);
  return jobs;
}

/** Returns whether the entry was waiting. */
function dequeue(entry: Entry): boolean {
  const jobs = jobsBeside(entry);
  const index = jobs.indexOf(entry);
  if (index >= 0) jobs.splice(index, 1);
  const { client } = entry.job;
  if (client !== undefined) {
    entry.host.verifications.delete(client);
    if (jobs.length > 0) entry.host.verifications.set(client, jobs);
  }
  return index >= 0;
}

/**
 * Chooses the next job of a host: a delivery, or a verification when none is running, so that neither kind blocks the
 * other. The client that has waited longest comes first, but never while a callback is being asked about the same topic
 * for another client: it answers requests in their order.
 */
function nextJob(
  { active, deliveries, verifications }: Host,
  perHost: number,
  shares: VerificationShares,
): Entry | undefined {
  if (active.size >= perHost) return undefined;
  if (verifications.size === 0) return deliveries[0];
  const verified = [...active].flatMap(({ job }) => (job.client === undefined ? [] : job));
  if (deliveries[0] !== undefined && verified.length > 0) return deliveries[0];
  if (verified.length >= perHost - 1) return undefined;
  for (const [client, [first]] of verifications) {
    if (!shares.mayVerify(client)) continue;
    const isApart = verified.every(({ id }) => id !== first?.job.id);
    if (isApart && verified.filter((each) => each.client === client).length < MAX_VERIFICATIONS_PER_CLIENT)
      return first;
  }
  return deliveries[0];
}

function leaveQueue(host: Host): void {
  host.queue?.delete(host);
  host.queue = undefined;
}

function slotOf({ host, job: { client } }: Entry, address: string): Slot {
  const { state, origin, site } = host;
  return { address, origin, site, client, proven: client === undefined && state.proven };
}
