/** Regular upkeep of a server's store: completes removals, and corrects due times that a wrong clock set. */
import type { Logger } from "pino";
import { isErasurePending } from "../../store/history/removal-rows.ts";
import type { Store } from "../../store/store.ts";
import { clampDueTimes } from "../../store/subscription-rows.ts";

const CHECK_DUE_TIMES_MS = 3_600_000;

interface UpkeepSettings {
  readonly databaseUrl: string;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Starts the upkeep of a store that accepts changes. Faults are logged, and tried again. */
export function startUpkeep(store: Store, { databaseUrl, now, log }: UpkeepSettings): { close(): Promise<void> } {
  const check = () =>
    void checkDueTimes(store, now(), log).catch((error) => log.warn({ err: error }, "Could not check due times"));
  const timer = setInterval(check, CHECK_DUE_TIMES_MS);
  timer.unref();
  check();
  finishErasure(databaseUrl, store).catch((error) =>
    log.error(
      { err: error },
      "The words of a removed review are not yet cleared from the store's files: the next import, removal or start tries again",
    ),
  );
  return { close: async () => clearInterval(timer) };
}

/** Makes deliveries due that a wrong clock put years ahead. */
async function checkDueTimes(store: Store, now: Date, log: Logger): Promise<void> {
  const brought = await clampDueTimes(store, now);
  if (brought > 0) log.warn({ brought }, "Rescheduled deliveries that a wrong clock had put years ahead");
}

/** Completes a removal that was interrupted before the store's files were cleared. */
async function finishErasure(databaseUrl: string, store: Store): Promise<void> {
  if (!(await isErasurePending(store.database))) return;
  const { eraseRemovedWords } = await import("../removed-words.ts");
  await eraseRemovedWords(databaseUrl, store);
}
