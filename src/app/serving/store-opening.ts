/** Opens a server's store. If the database cannot be reached or written, it waits instead of ending the program. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { isDatabaseAway, isReadOnlyFault } from "../../store/engine/database-outage.ts";
import { isPostgres } from "../../store/engine/store-url.ts";
import type { Store } from "../../store/store.ts";

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;
/** The interval between log messages while waiting. */
const LOG_INTERVAL_MS = 60_000;

export interface StoreOpening {
  readonly log: Logger;
  readonly stop: AbortSignal;
  /** Called after each failed attempt. */
  readonly onAway: () => void;
}

/**
 * Opens something of the store at `url`. If a PostgreSQL database cannot be reached, or accepts no changes where one is
 * needed, retries with growing delays until `stop` is aborted.
 * @throws Error if it cannot be opened for another reason, or on `stop`.
 */
async function openWithRetry<Opened>(
  url: string,
  open: () => Promise<Opened>,
  { log, stop, onAway }: StoreOpening,
): Promise<Opened> {
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      const opened = await open();
      if (loggedAt > 0) log.info("The database can be reached again");
      return opened;
    } catch (error) {
      const isReadOnly = isReadOnlyFault(error); // which the watch on it says
      if (!isPostgres(url) || !(isReadOnly || isDatabaseAway(error))) throw error;
      if (!isReadOnly && performance.now() - loggedAt >= LOG_INTERVAL_MS) {
        loggedAt = performance.now();
        const reason = error instanceof Error ? error.message || String((error as { code?: unknown }).code) : "";
        log.warn({ host: new URL(url).host, reason }, "The database cannot be reached: waiting for it");
      }
      onAway();
    }
    await wait(waitMs, undefined, { signal: stop });
  }
}

/** The clock difference above which the operator is warned. */
const SKEW_MS = 2_000;

/** Opens the store of a server as soon as it is available. @throws Error as openWithRetry() does. */
export async function openServerStore(url: string, opening: StoreOpening): Promise<Store> {
  const { openStore } = await import("../../store/store.ts");
  return await openWithRetry(url, async () => await openStore(url), opening);
}

/** Opens what services need of a store besides: the keys of its sessions, and its clock. @throws Error likewise. */
export async function openKeysAndClock(url: string, store: Store, opening: StoreOpening) {
  const { openDatabaseClock } = await import("../../store/database-clock.ts");
  const { sessionKeys } = await import("../../store/session-keys.ts");
  const { log } = opening;
  const onJump = (milliseconds: number) =>
    log.warn(
      { aheadMs: Math.round(milliseconds) },
      "The clock of this machine jumped: the hub and followed sources go on by the time before, and by the new one if it stays for ten minutes",
    );
  const open = async () => {
    const keys = await sessionKeys(store, new Date(), randomBytes);
    return { keys, clock: await openDatabaseClock(store.database, onJump) };
  };
  const opened = await openWithRetry(url, open, opening);
  const aheadMs = Math.round(opened.clock.aheadMs());
  if (Math.abs(aheadMs) > SKEW_MS)
    log.warn({ aheadMs }, "The clocks of this machine and of the database differ; the database's clock is used");
  return opened;
}
