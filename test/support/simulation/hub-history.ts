/**
 * Histories of a hub: some processes over one store, of which each may starve, stand still, be stopped or killed, while
 * the store is slow, locked or away and its answers get lost, and subscribers fail or hang. The dispatcher and all that
 * it consists of are the real ones; time, the database's answers, the locks and the subscribers are simulated. A seed
 * repeats a history, and `violations` says what was broken of interface §4.
 */
import { makeDocument } from "../../../src/edition/document.ts";
import { type Dispatcher, openDispatcher } from "../../../src/hub/dispatch/dispatcher.ts";
import { makeSecretSealing } from "../../../src/hub/dispatch/secret-sealing.ts";
import { makeHostLimiter } from "../../../src/hub/limits/host-limiter.ts";
import { HUB_LIMITS, makeBreakers } from "../../../src/hub/limits/hub-limits.ts";
import { openUnrecordedDeliveries } from "../../../src/hub/limits/unrecorded-deliveries.ts";
import { openClaims } from "../../../src/store/claims.ts";
import { type GroupCommit, makeGroupCommit } from "../../../src/store/group-commit.ts";
import { saveIntents } from "../../../src/store/intent-rows.ts";
import { storeOver } from "../../../src/store/store.ts";
import { changeSubscription } from "../../../src/store/subscription-rows.ts";
import { seededRandom } from "../seeded-random.ts";
import { type Happening, isHealthy, makeChoices, makePlan, mayRepeat, type Plan } from "./history-plan.ts";
import { type DatabaseWeather, openSimulatedDatabase } from "./simulated-database.ts";
import { openSimulatedLocks } from "./simulated-locks.ts";
import { openSimulatedSubscribers, type Subscriber, TOPIC } from "./simulated-subscribers.ts";
import { inVirtualTime, type VirtualProcess, type VirtualTime } from "./virtual-time.ts";

const START = Date.UTC(2026, 10, 1);
const LEASE_SECONDS = 864_000;
const BASE_URL = "https://hub.example";
/** Waits before the second and the third attempt. */
const RETRY_SECONDS = [1, 2];
const MAX_FAILURES = RETRY_SECONDS.length + 1;
/** How long everything may take once all has happened. */
const MAX_SETTLE_MS = 900_000;
const LOOK_MS = 500;
/** What a healthy process may have unrecorded when it is lost. */
const MAX_UNRECORDED_MS = 500;
/** How long a process may not notice that its locks have ended. */
const MAX_CERTAIN_MS = 3000;
const MAX_VIOLATIONS = 20;

/** What happened in a history. */
export interface History {
  readonly violations: readonly string[];
  readonly deliveries: number;
  readonly repeated: number;
  /** Processes that died, were stopped or lost their session. */
  readonly losses: number;
  readonly description: string;
}

interface Process extends VirtualProcess {
  readonly name: string;
  readonly dispatcher: Dispatcher;
  readonly groupCommit: GroupCommit;
  readonly now: () => Date;
  /** The revision of its newest edition. */
  edition: number;
  clockAheadMs: number;
  hasNetworkFrom: number;
  /** Until when it stands still. */
  standsUntil: number;
  /** Until when it runs for 40 of 400 milliseconds. */
  starvesUntil: number;
}

const [STARVED_OF_MS, STARVED_RUNS_MS] = [400, 40];

interface HistoryOptions {
  /** What differs from the plan that the seed makes. */
  readonly plan?: Partial<Plan>;
  /** Gets a line for each event. */
  readonly show?: (line: string) => void;
}

/** Runs the history of a seed. */
export async function runHistory(seed: number, { plan = {}, show = () => {} }: HistoryOptions = {}): Promise<History> {
  const random = seededRandom(seed);
  const whole = { ...makePlan(random), ...plan };
  return await inVirtualTime((time) => runPlan(time, whole, { random, show }));
}

async function runPlan(
  time: VirtualTime,
  plan: Plan,
  { random, show }: { readonly random: () => number; readonly show: (line: string) => void },
): Promise<History> {
  const { between, chance, oneOf, whole } = makeChoices(random);
  const { distanceMs, engine, places } = plan;
  const isCalm = !mayRepeat(plan);
  const violations: string[] = [];
  const lossesAt: number[] = [];
  const processes: Process[] = [];
  /** Until when nothing passes between a process and the database, and nothing is lost. */
  const heldUntil = new Map<VirtualProcess, number>();
  let deliveries = 0;
  let revision = 1;

  const weather: DatabaseWeather = {
    ...{ slowUntil: 0, breaksUntil: 0, lockedUntil: 0, awayUntil: 0 },
    distanceMs(process) {
      const way = time.now() < weather.slowUntil ? between(0, 400) : distanceMs * between(0.8, 1.2);
      return Math.max(way, (heldUntil.get(process) ?? 0) - time.now());
    },
    breaks(text) {
      if (time.now() >= weather.breaksUntil || !chance(text === "commit" ? 0.3 : 0.02)) return undefined;
      return oneOf(["before", "after"]);
    },
    maxSilenceMs: engine === "SQLite" ? Number.POSITIVE_INFINITY : 3000,
  };
  const database = await openSimulatedDatabase(time, weather);
  const isAway = () => !isCalm && time.now() < weather.awayUntil;
  const locks = openSimulatedLocks(time, { engine, isAway, distanceMs: weather.distanceMs });
  const subscribers = openSimulatedSubscribers(time, plan, {
    random,
    watch: {
      onDelivery(process, { subscription: { callback, shard } }) {
        const endedAt = locks.endedAt(process) ?? time.now();
        if (time.now() - endedAt > MAX_CERTAIN_MS) violate(`${callback} is sent something under locks that have ended`);
        if (isCalm && locks.holderOf(shard) !== process) violate(`${callback} is sent something without a lock`);
      },
      onAcknowledged,
      onFailure({ failures, subscription: { callback }, unverified }) {
        trace(`${callback} fails`);
        if (lossesAt.length > 0 || (failures <= MAX_FAILURES && unverified <= MAX_FAILURES)) return;
        violate(`${callback} has failed ${Math.max(failures, unverified)} times in a row and is asked again`);
      },
    },
  });

  function trace(text: string): void {
    show(`${Math.round(time.now())} ms: ${text}`);
  }

  function violate(text: string): void {
    trace(`VIOLATION: ${text}`);
    if (violations.length < MAX_VIOLATIONS) violations.push(`${Math.round(time.now())} ms: ${text}`);
  }

  function onAcknowledged({ acknowledged, host, subscription }: Subscriber, received: number): void {
    deliveries++;
    trace(`${subscription.callback} acknowledges revision ${received}`);
    const [first = 0, ...others] = acknowledged.get(received) ?? [];
    const repeated = () => `${subscription.callback} got revision ${received} ${others.length + 1} times`;
    if (others.length > lossesAt.length) violate(`${repeated()} after ${lossesAt.length} losses`);
    if (others.length === 0 || !isHealthy(plan)) return;
    const recordedAt = first + host.latencyMs + MAX_UNRECORDED_MS;
    if (lossesAt.every((at) => at > recordedAt)) violate(`${repeated()}, first at ${Math.round(first)} ms`);
  }

  function startProcess(): void {
    const state = { isAlive: true, edition: 0, clockAheadMs: 0, hasNetworkFrom: 0, standsUntil: 0, starvesUntil: 0 };
    const process = { ...state, name: `process ${processes.length}`, runsFrom } as unknown as Process;
    processes.push(process);
    time.deliver(process, () => Object.assign(process, openParts(process)).dispatcher.start());

    function runsFrom(at: number): number {
      const from = Math.max(at, process.standsUntil);
      const phase = from % STARVED_OF_MS;
      return from >= process.starvesUntil || phase < STARVED_RUNS_MS ? from : from + STARVED_OF_MS - phase;
    }
  }

  function openParts(process: Process): Pick<Process, "dispatcher" | "groupCommit" | "now"> {
    const clock = () => time.now();
    const now = () => new Date(START + time.now() + process.clockAheadMs);
    const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => whole(0, 255));
    const store = storeOver(database.open(process));
    const limits = {
      ...HUB_LIMITS,
      total: places,
      slowLane: places / 4,
      verifications: places / 2,
      minPauseMs: 200,
      maxPauseMs: 1000,
    };
    const { share, mayBegin } = openUnrecordedDeliveries(places, clock);
    const unrecorded = share();
    const limiter = makeHostLimiter(limits, makeBreakers(limits, clock), clock, { mayBegin });
    const groupCommit = makeGroupCommit(store, clock);
    const dispatcher = openDispatcher({
      ...{ store, groupCommit, limiter, unrecorded, clock, now, randomBytes },
      claims: openClaims(store, locks.open(process)),
      settings: {
        ...{ baseUrl: BASE_URL, retrySeconds: RETRY_SECONDS, secrets: makeSecretSealing([], randomBytes) },
        subscriptionsOfSite: HUB_LIMITS.subscriptionsOfSite,
      },
      intervalMs: 1000,
      newest(topic) {
        if (topic !== TOPIC) return undefined;
        const document = documentOf(process.edition);
        return { document, topicVersion: { tag: document.tag, revision: process.edition } };
      },
      send: (request) => subscribers.send(process, request),
      log: ({ error, ...event }) => trace(`${process.name}: ${JSON.stringify(event)} ${error ?? ""}`),
    });
    const look = () => {
      if (process.edition !== revision) dispatcher.wake(20);
      process.edition = revision;
      setTimeout(look, 100);
    };
    look();
    return { dispatcher, groupCommit, now };
  }

  /** Somebody subscribes at a process, and knows what that publishes. */
  function subscribeAt(process: Process): void {
    const subscriber = subscribers.add(process.edition);
    const at = process.now();
    const intent = {
      ...subscriber.subscription,
      ...{ mode: "subscribe" as const, token: subscriber.subscription.id, secret: undefined },
      ...{ leaseSeconds: LEASE_SECONDS, knownTag: documentOf(process.edition).tag },
      ...{ client: "somebody", attempts: 0, askedAt: at, dueAt: at },
    };
    process
      .groupCommit((transaction) => saveIntents(transaction, [intent]))
      .then(() => process.dispatcher.wake())
      .catch(() => {}); // the subscriber is told so
  }

  function end(process: Process): void {
    process.isAlive = false;
    database.endOf(process);
    locks.endOf(process);
  }

  function happen({ kind, ms, pick }: Happening): void {
    const until = time.now() + ms;
    const able = processes.filter((each) => each.isAlive && each.dispatcher !== undefined);
    const process = able[Math.floor(pick * able.length)];
    trace(`${kind}, ${Math.round(ms)} ms: ${process?.name}`);
    if (kind === "change") revision++;
    else if (kind === "answers slow") weather.slowUntil = until;
    else if (kind === "answers lost") weather.breaksUntil = until;
    else if (kind === "write lock held") weather.lockedUntil = until;
    else if (kind === "database away") weather.awayUntil = until;
    else if (process !== undefined) happenTo(process, kind, { ms, until });
  }

  function happenTo(
    process: Process,
    kind: Happening["kind"],
    { ms, until }: { readonly ms: number; readonly until: number },
  ): void {
    if (kind === "subscription") time.deliver(process, () => subscribeAt(process));
    else if (kind === "way held") heldUntil.set(process, until);
    else if (kind === "starved") process.starvesUntil = until;
    else if (kind === "clock jumps") process.clockAheadMs = ms;
    else if (kind === "no network") process.hasNetworkFrom = until;
    else {
      lossesAt.push(time.now());
      if (kind === "stands still") process.standsUntil = until;
      if (kind === "session ended" && engine === "PostgreSQL") locks.endOf(process);
      if (kind === "restarted") time.deliver(process, () => void process.dispatcher.close(ms).then(() => end(process)));
      if (kind === "killed") end(process);
      if (kind === "restarted" || kind === "killed") time.after(ms, startProcess);
    }
  }

  /** Whether no process stands still, and nothing is left to do. */
  function isSettled(): boolean {
    if (processes.some(({ isAlive, standsUntil }) => isAlive && standsUntil > time.now())) return false;
    const [left] = database.read(`select
      (select count(*) from fan_out where finished = 0 or tag != '${documentOf(revision).tag}') as fan_outs,
      (select count(*) from subscription where due_at is not null) + (select count(*) from intent) as owed`);
    return left?.fan_outs === 0 && left.owed === 0;
  }

  function judge(): void {
    const rows = new Map(database.read("select id, failures from subscription").map((row) => [row.id, row]));
    for (const { acknowledged, failures, isGone, knownRevision, subscription } of subscribers.all.values()) {
      const { callback, id } = subscription;
      const row = rows.get(id);
      const isExact = lossesAt.length === 0;
      if (row === undefined) {
        const mayBeGone = isGone || failures >= MAX_FAILURES || knownRevision > 0;
        if (isExact && !mayBeGone) violate(`${callback} is subscribed no more after ${failures} failures`);
        continue;
      }
      if (isExact && row.failures !== failures) violate(`${callback} has ${row.failures} failures, not ${failures}`);
      const knows = knownRevision === revision || (knownRevision === 0 && revision === 1);
      if (!knows && !acknowledged.has(revision)) violate(`${callback} never got revision ${revision}`);
    }
    const most = places * lossesAt.length;
    if (countRepeated() > most) violate(`${countRepeated()} deliveries were repeated, and not ${most} at most`);
  }

  function countRepeated(): number {
    const each = [...subscribers.all.values()].flatMap(({ acknowledged }) => [...acknowledged.values()]);
    return each.reduce((sum, times) => sum + times.length - 1, 0);
  }

  startProcess();
  const [first] = processes as [Process];
  await time.run(() => first.edition > 0);
  for (let more = 1; more < plan.processes; more++) startProcess();
  const lease = { secret: undefined, endsAt: new Date(START + LEASE_SECONDS * 1000), failures: 0, dueAt: undefined };
  for (let left = plan.subscribers; left > 0; left--) subscribers.add(0);
  time.deliver(first, () => {
    for (const { subscription } of subscribers.all.values())
      void first.groupCommit((transaction) =>
        changeSubscription(transaction, subscription.id, () => ({ ...subscription, lease })),
      );
  });
  const stored =
    "select (select count(*) from subscription) as subscriptions, (select count(*) from fan_out) as fan_outs";
  await time.run(() => {
    const [{ subscriptions, fan_outs } = {}] = database.read(stored);
    return subscriptions === plan.subscribers && fan_outs !== 0;
  });
  for (const happening of plan.happenings) time.after(happening.at, () => happen(happening));
  const ends = plan.happenings.map(({ at, kind, ms }) => at + (kind === "clock jumps" ? 0 : ms));
  const last = time.now() + Math.max(...ends);
  let lookedAt = last;
  let settled = false;
  await time.run(() => {
    if (time.now() - lookedAt < LOOK_MS) return false;
    lookedAt = time.now();
    settled = isSettled();
    return settled || time.now() > last + MAX_SETTLE_MS;
  });
  if (settled) judge();
  else violate(`it is not settled: ${JSON.stringify(database.read("select * from fan_out where finished = 0"))}`);
  for (const process of processes) process.isAlive = false;
  return {
    ...{ violations, deliveries, repeated: countRepeated(), losses: lossesAt.length },
    description: `${engine} ${distanceMs} ms away, ${places} places, ${processes.length} processes, ${subscribers.all.size} subscribers, ${revision} revisions, ${Math.round(time.now())} ms`,
  };
}

const documents = new Map<number, ReturnType<typeof makeDocument>>();

/** What is published at a revision. */
function documentOf(revision: number): ReturnType<typeof makeDocument> {
  return documents.getOrInsertComputed(revision, () =>
    makeDocument(TOPIC, "application/atom+xml", `revision ${revision}`),
  );
}
