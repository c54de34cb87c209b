/**
 * A clock that all processes over one store share. They compare due times and leases, but their machines' clocks may
 * differ, and one machine's clock may be set between the starts of two processes.
 */
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { type ClockReference, readClockReference, writeClockReference } from "./clock-reference-rows.ts";
import { isOnPostgres } from "./engine/postgres.ts";
import { openSteadyClock } from "./engine/steady-clock.ts";
import type { Database } from "./tables.ts";

export interface DatabaseClock {
  now(): Date;
  /** How far the clock of this machine is ahead of this one, in milliseconds. */
  aheadMs(): number;
  close(): void;
}

/** The clocks of the machine. */
export interface MachineClocks {
  /** Milliseconds since 1970, which may jump. */
  readonly machine: () => number;
  /** Milliseconds of a clock that never jumps, and is the same for all processes until the machine is started again. */
  readonly steady: () => number;
  /** Identifies this run of the machine; empty if the program may not read that. */
  readonly boot: string;
}

/**
 * Opens the clock. On PostgreSQL it is the database's clock. With the embedded engine it is this machine's without its
 * jumps; `onJump` is called with the milliseconds of each.
 */
export async function openDatabaseClock(
  database: Database,
  onJump?: (milliseconds: number) => void,
  clocks: MachineClocks = { machine: () => Date.now(), steady: monotonicMs, boot: bootId() },
): Promise<DatabaseClock> {
  return isOnPostgres(database)
    ? await openServerClock(database, clocks)
    : await openSharedClock(database, clocks, onJump);
}

/** The system's monotonic clock, which all processes share. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return ""; // another system, or a sandbox
  }
}

const SHARING_INTERVAL_MS = 1_000;
/** A smaller difference from the stored reference is not written. */
const MAX_DRIFT_MS = 1_000;
/** How old the reference may become: where there is no boot id, its age tells that the machine was started again. */
const MAX_REFERENCE_AGE_MS = 3_600_000;

/** Opens a steady clock whose offset the processes of the machine share through the store. */
async function openSharedClock(
  database: Database,
  { machine, steady, boot }: MachineClocks,
  onJump?: (milliseconds: number) => void,
): Promise<DatabaseClock> {
  let shared = await readOwn();
  const clock = openSteadyClock({ machine, steady, onJump, offset: shared?.offset_ms });
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  void agree();

  /** The stored reference; undefined if it was stored before the machine was started. */
  async function readOwn(): Promise<ClockReference | undefined> {
    const stored = await readClockReference(database);
    const isOfThisBoot = stored !== undefined && (stored.boot === boot || stored.boot === "" || boot === "");
    return isOfThisBoot && stored.steady_ms <= steady() ? stored : undefined;
  }

  /** Agrees with the other processes once a second, and at once. What fails is repeated then. */
  async function agree(): Promise<void> {
    await agreeNow().catch(() => {});
    if (closed) return;
    timer = setTimeout(agree, SHARING_INTERVAL_MS);
    timer.unref();
  }

  /** Follows what another process has stored since the last time, or stores what this one has followed. */
  async function agreeNow(): Promise<void> {
    const stored = await readOwn();
    if (stored !== undefined && stored.offset_ms !== shared?.offset_ms) {
      clock.follow(stored.offset_ms);
      shared = stored;
      return;
    }
    if (stored === undefined ? shared !== undefined : isCurrent(stored)) return;
    const reference = { boot, offset_ms: Math.round(clock.offset()), steady_ms: Math.floor(steady()) };
    await writeClockReference(database, reference);
    shared = reference;
  }

  function isCurrent(stored: ClockReference): boolean {
    const drift = Math.abs(clock.offset() - stored.offset_ms);
    return drift <= MAX_DRIFT_MS && steady() - stored.steady_ms <= MAX_REFERENCE_AGE_MS;
  }

  return {
    now: clock.now,
    aheadMs: clock.aheadMs,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

const READ_INTERVAL_MS = 30_000;
/** A reading that took longer is not used: the clock would be behind by up to that. */
const MAX_READING_MS = 250;
/** Slow readings in a row after which the fastest of them is used. */
const MAX_SLOW_READINGS = 4;

/** A reading of the server's clock, and how long it took. */
interface Reading {
  readonly time: number;
  readonly readAt: number;
  readonly tookMs: number;
}

/**
 * Opens the server's clock: its time as last read, advanced by a clock that never jumps. The delay of reading makes it
 * late, never early.
 */
async function openServerClock(database: Database, { machine, steady }: MachineClocks): Promise<DatabaseClock> {
  const choose = makeReadingChoice();
  let used = choose(await read());
  while (used === undefined) used = choose(await read());
  let { time, readAt } = used;
  const again = setInterval(() => {
    // The clock continues by itself while the database is unreachable, or answers slowly.
    read().then(
      (reading) => ({ time, readAt } = choose(reading) ?? { time, readAt }),
      () => {},
    );
  }, READ_INTERVAL_MS);
  again.unref();

  async function read(): Promise<Reading> {
    const sentAt = steady();
    const milliseconds = sql<string>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text as time`;
    const { rows } = await milliseconds.execute(database);
    const now = steady();
    return { time: Number((rows[0] as { time?: string } | undefined)?.time), readAt: now, tookMs: now - sentAt };
  }

  const now = () => time + steady() - readAt;
  return { now: () => new Date(now()), aheadMs: () => machine() - now(), close: () => clearInterval(again) };
}

/** Makes the choice among readings, given one after the other: which is to be used now, if any. */
export function makeReadingChoice(): (reading: Reading) => Reading | undefined {
  let slow: Reading[] = [];
  return (reading) => {
    if (reading.tookMs > MAX_READING_MS && slow.push(reading) < MAX_SLOW_READINGS) return undefined;
    const best = [reading, ...slow].reduce((fastest, each) => (each.tookMs < fastest.tookMs ? each : fastest));
    slow = [];
    return best;
  };
}
