/** What a server does now and then for its store: completes removals, and brings forward what a wrong clock put off. */
import type { Logger } from "pino";
import { isErasurePending } from "../../store/history/removal-rows.ts";
import type { Store } from "../../store/store.ts";
import { clampDueTimes } from "../../store/subscription-rows.ts";

const SANE_DUE_TIMES_MS = 3_600_000;

interface UpkeepSettings {
  readonly databaseUrl: string;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Starts the upkeep of a store that accepts changes. Faults are logged, and tried again. */
export function startUpkeep(store: Store, { databaseUrl, now, log }: UpkeepSettings): { close(): Promise<void> } {
  const look = () =>
    void keepDueTimesSane(store, now(), log).catch((error) =>
      log.warn({ err: error }, "Due times could not be looked at"),
    );
  const timer = setInterval(look, SANE_DUE_TIMES_MS);
  timer.unref();
  look();
  finishErasure(databaseUrl, store).catch((error) =>
    log.error(
      { err: error },
      "The words of a removed review are not yet cleared from the store's files: the next import, removal or start tries again",
    ),
  );
  return { close: async () => clearInterval(timer) };
}

/** Brings forward what a clock that was set wrongly has put off too far. */
async function keepDueTimesSane(store: Store, now: Date, log: Logger): Promise<void> {
  const brought = await clampDueTimes(store, now);
  if (brought > 0) log.warn({ brought }, "Deliveries that were due in years, by a clock that was wrong, are due now");
}

/** Completes a removal that was interrupted before the store's files were cleared. */
async function finishErasure(databaseUrl: string, store: Store): Promise<void> {
  if (!(await isErasurePending(store.database))) return;
  const { eraseRemovedWords } = await import("../removed-words.ts");
  await eraseRemovedWords(databaseUrl, store);
}
