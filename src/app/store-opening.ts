/** Opens a server's store. If the database cannot be reached, it waits instead of ending the program. */
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { isDatabaseAway } from "../store/engine/database-outage.ts";
import { isPostgres } from "../store/engine/store-url.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The interval between log messages while waiting. */
const SAY_AGAIN_MS = 60_000;

export interface StoreOpening {
  readonly log: Logger;
  readonly stop: AbortSignal;
  /** Called after each failed attempt. */
  readonly onAway: () => void;
}

/**
 * Opens the store at `url` with `open`. If a PostgreSQL database cannot be reached, retries with growing delays until
 * `stop` is aborted.
 * @throws Error if the store cannot be opened for another reason, or on `stop`.
 */
export async function openStoreOnceThere<Opened>(
  url: string,
  open: () => Promise<Opened>,
  { log, stop, onAway }: StoreOpening,
): Promise<Opened> {
  let saidAt = Number.NEGATIVE_INFINITY;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const opened = await open();
      if (saidAt > 0) log.info("The database is there");
      return opened;
    } catch (error) {
      if (!isPostgres(url) || !isDatabaseAway(error)) throw error;
      if (performance.now() - saidAt >= SAY_AGAIN_MS) {
        saidAt = performance.now();
        const reason = error instanceof Error ? error.message || String((error as { code?: unknown }).code) : "";
        log.warn({ host: new URL(url).host, reason }, "The database cannot be reached: waiting for it");
      }
      onAway();
    }
    await wait(waitMs, undefined, { signal: stop });
  }
}
