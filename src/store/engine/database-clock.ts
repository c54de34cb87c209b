/**
 * A clock that all processes over one database share. Processes compare claims, due times and leases, but their machines
 * may disagree about the time, so on PostgreSQL the database's clock decides.
 */
import { type Kysely, sql } from "kysely";
import { isOnPostgres } from "./postgres.ts";
import { openSteadyClock } from "./steady-clock.ts";

export interface DatabaseClock {
  now(): Date;
  /** How far the clock of this machine is ahead of the database's, in milliseconds. */
  aheadMs(): number;
  close(): void;
}

const READ_INTERVAL_MS = 30_000;

/**
 * Opens the clock. With the embedded engine it is this machine's clock without its jumps (steady-clock.ts). With
 * PostgreSQL it is the database's time as last read, advanced by a clock that never jumps. The delay of reading makes it
 * late, never early, so a process takes no claim before its time.
 */
export async function openDatabaseClock<Tables>(
  database: Kysely<Tables>,
  onJump?: (milliseconds: number) => void,
): Promise<DatabaseClock> {
  const clock = () => performance.now();
  if (!isOnPostgres(database)) {
    const { now, aheadMs } = openSteadyClock({ machine: () => Date.now(), steady: clock, onJump });
    return { now, aheadMs, close: () => {} };
  }
  let { time, readAt } = await read();
  const again = setInterval(() => {
    read().then(
      (newest) => ({ time, readAt } = newest),
      () => {}, // the clock continues by itself while the database is unreachable
    );
  }, READ_INTERVAL_MS);
  again.unref();

  async function read(): Promise<{ readonly time: number; readonly readAt: number }> {
    const milliseconds = sql<string>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text as time`;
    const { rows } = await milliseconds.execute(database);
    return { time: Number((rows[0] as { time?: string } | undefined)?.time), readAt: clock() };
  }

  const now = () => time + clock() - readAt;
  return { now: () => new Date(now()), aheadMs: () => Date.now() - now(), close: () => clearInterval(again) };
}
