/** Erases removed text from all of the store's files, after it has been deleted from the tables. */
import { type Cleared, clearErasedWords } from "../maintenance/erasure.ts";
import { deleteEditionCache } from "../publication/edition-cache.ts";
import { explainDatabaseFault } from "../store/engine/database-fault.ts";
import type { Store } from "../store/store.ts";

/**
 * Completes a removal, even one that was interrupted: deletes the edition cache and rewrites the store without free
 * pages.
 * @throws Error if the cache cannot be deleted, another program keeps reading the store for a minute, or the store fails.
 * The erasure stays pending.
 */
export async function eraseRemovedWords(databaseUrl: string, store: Store): Promise<Cleared> {
  try {
    return await clearErasedWords(store, () => deleteEditionCache(databaseUrl));
  } catch (error) {
    const reason = explainDatabaseFault(error) ?? (error instanceof Error ? error.message : String(error));
    throw new Error(
      `the files of the store may still hold removed words (${reason}). The next goodword import, remove or serve clears them`,
      { cause: error },
    );
  }
}
