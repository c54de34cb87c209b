/** Restores a backup as an owner does who has seen what it changes and said yes. */
import { openRestore, type RestoreReport } from "../../src/maintenance/restore.ts";
import type { Store } from "../../src/store/store.ts";

export async function restoreBackup(store: Store, file: string, now: Date): Promise<RestoreReport> {
  const restoring = await openRestore(file, { inThisProcess: true });
  try {
    return await restoring.apply(store, now, await restoring.effects(store));
  } finally {
    await restoring.close();
  }
}
