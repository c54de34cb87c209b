/**
 * Whether the store accepts changes. A PostgreSQL that does not is a replica, or was set to read-only: what is published
 * can be read from it, but the hub and followed sources have to wait.
 */
import { type Kysely, sql } from "kysely";
import { isOnPostgres } from "./postgres.ts";

export interface WriteAccess {
  isReadOnly(): boolean;
  close(): void;
}

const ASK_AGAIN_MS = 2_000;

/**
 * Asks now and again whether the database accepts changes: a replica may be promoted, and a primary be replaced.
 * `onChange` is called with each answer that differs from the last. The embedded engine always accepts them.
 */
export async function watchWriteAccess<Tables>(
  database: Kysely<Tables>,
  onChange: (isReadOnly: boolean) => void,
): Promise<WriteAccess> {
  if (!isOnPostgres(database)) return { isReadOnly: () => false, close: () => {} };
  let isReadOnly = await ask().catch(() => false); // a database that is away ends no start: it is asked again
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  askSoon();
  return {
    isReadOnly: () => isReadOnly,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };

  /** One question at a time: while the database hangs, each takes long. */
  function askSoon(): void {
    if (closed) return;
    timer = setTimeout(() => {
      ask()
        .then(learn, () => {})
        .finally(askSoon); // that the database is away is said by those who need it
    }, ASK_AGAIN_MS);
    timer.unref();
  }

  function learn(answer: boolean): void {
    if (closed || answer === isReadOnly) return;
    isReadOnly = answer;
    onChange(answer);
  }

  /** A replica answers "on" as well. */
  async function ask(): Promise<boolean> {
    const asked = sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`;
    return (await asked.execute(database)).rows[0]?.mode === "on";
  }
}
