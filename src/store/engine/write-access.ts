/**
 * Whether the store accepts changes. A PostgreSQL that does not is a replica, or was set to read-only: the server can
 * publish from it, but the hub and followed sources have to wait.
 */
import { type Kysely, sql } from "kysely";
import { isOnPostgres } from "./postgres.ts";

export interface WriteAccess {
  isReadOnly(): boolean;
  close(): void;
}

const POLL_INTERVAL_MS = 2_000;

/**
 * Polls whether the database accepts changes: a replica may be promoted, and a primary be replaced. `onChange` is called
 * with each answer that differs from the last. The embedded engine always accepts them.
 */
export async function watchWriteAccess<Tables>(
  database: Kysely<Tables>,
  onChange: (isReadOnly: boolean) => void,
): Promise<WriteAccess> {
  if (!isOnPostgres(database)) return { isReadOnly: () => false, close: () => {} };
  let isReadOnly = await ask().catch(() => false); // an unreachable database ends no start: the next poll asks again
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  poll();
  return {
    isReadOnly: () => isReadOnly,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };

  /** One query at a time: while the database hangs, each takes long. */
  function poll(): void {
    if (closed) return;
    timer = setTimeout(() => {
      ask()
        .then(learn, () => {})
        .finally(poll); // errors are ignored: the publisher and the hub report an outage
    }, POLL_INTERVAL_MS);
    timer.unref();
  }

  function learn(answer: boolean): void {
    if (closed || answer === isReadOnly) return;
    isReadOnly = answer;
    onChange(answer);
  }

  /** A replica answers "on" as well. */
  async function ask(): Promise<boolean> {
    const query = sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`;
    return (await query.execute(database)).rows[0]?.mode === "on";
  }
}
