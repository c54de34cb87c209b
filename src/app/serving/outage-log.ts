/** Logs that the database does not answer, once a minute instead of at each attempt, and when it is back. */
import type { Logger } from "pino";

const SAY_AGAIN_MS = 60_000;

export interface OutageLog {
  /** The database has not answered. */
  recordFailure(error: unknown): void;
  /** It has answered. */
  recordRecovery(): void;
}

export function makeOutageLog(log: Pick<Logger, "error" | "info">, clock: () => number): OutageLog {
  let since: number | undefined;
  let saidAt = 0;
  const seconds = () => Math.round((clock() - (since ?? clock())) / 1000);
  return {
    recordFailure(error) {
      if (since !== undefined && clock() - saidAt < SAY_AGAIN_MS) return;
      since ??= clock();
      saidAt = clock();
      const reason = error instanceof Error ? error.message || String((error as { code?: unknown }).code) : "";
      log.error(
        { reason, seconds: seconds() },
        "The database does not answer: the last edition is served, imports and the hub are paused, and it is tried again",
      );
    },
    recordRecovery() {
      if (since !== undefined) log.info({ seconds: seconds() }, "The database answers again");
      since = undefined;
    },
  };
}
