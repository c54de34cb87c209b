/** Whether a server's store is open and accepts changes, for requests and metrics. */
import type { Logger } from "pino";
import type { WriteAccess } from "../../store/engine/write-access.ts";
import type { Store } from "../../store/store.ts";

export interface StoreAccess {
  /** The store as soon as it is open; rejected if the start fails before. */
  readonly stored: Promise<Store>;
  /** Resolves when the store accepts changes. A replica may never do so. */
  readonly writable: Promise<void>;
  /** False until it is known. */
  isReadOnly(): boolean;
  /** Resolves `stored`. */
  opened(store: Store): void;
  /** Starts to watch whether the store accepts changes. */
  watch(store: Store): Promise<void>;
  /** Rejects `stored`. */
  failed(error: unknown): void;
  close(): void;
}

const READ_ONLY =
  "The database accepts no changes: it is a replica, or was set to read-only. Documents are served and follow it; subscriptions, deliveries and followed sources wait until it does, or until DATABASE_URL names the primary";

export function makeStoreAccess(log: Logger): StoreAccess {
  const stored = Promise.withResolvers<Store>();
  const writable = Promise.withResolvers<void>();
  stored.promise.catch(() => {}); // callers that await it report the error; otherwise the start has already failed
  let access: WriteAccess | undefined;
  const tell = (isReadOnly: boolean) => {
    if (isReadOnly) return log.warn(READ_ONLY);
    log.info("The database accepts changes");
    writable.resolve();
  };
  return {
    stored: stored.promise,
    writable: writable.promise,
    isReadOnly: () => access?.isReadOnly() === true,
    opened: stored.resolve,
    async watch(store) {
      const { watchWriteAccess } = await import("../../store/engine/write-access.ts");
      access = await watchWriteAccess(store.database, tell);
      if (access.isReadOnly()) tell(true);
      else writable.resolve();
    },
    failed: stored.reject,
    close: () => access?.close(),
  };
}
