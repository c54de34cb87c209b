/**
 * A clock that all processes over one database share. Claims, due times and leases are compared between processes, whose
 * machines may disagree about the time, so on PostgreSQL they go by the database's clock.
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

const READ_AGAIN_MS = 30_000;

/**
 * Opens the clock. With the embedded engine it is that of this machine, without its jumps (steady-clock.ts). With
 * PostgreSQL it continues what the database said last by a clock that never jumps. It is never ahead of the
 * database's: what lies ahead counts as late, so that a process takes nothing before its time.
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
      () => {}, // the clock goes on by itself while the database is away
    );
  }, READ_AGAIN_MS);
  again.unref();

  async function read(): Promise<{ readonly time: number; readonly readAt: number }> {
    const milliseconds = sql<string>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text as time`;
    const { rows } = await milliseconds.execute(database);
    return { time: Number((rows[0] as { time?: string } | undefined)?.time), readAt: clock() };
  }

  const now = () => time + clock() - readAt;
  return { now: () => new Date(now()), aheadMs: () => Date.now() - now(), close: () => clearInterval(again) };
}
