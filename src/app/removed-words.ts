/** Erases removed text from all of the store's files, after it has been deleted from the tables. */
import { clearErasedWords } from "../maintenance/erasure.ts";
import { isErasurePending } from "../store/history/removal-rows.ts";
import type { Store } from "../store/store.ts";
import { deleteEditionFile } from "./publishing/edition-file.ts";

/**
 * Completes a removal, even one that was interrupted: deletes the kept edition and rewrites the store without free
 * pages.
 * @throws Error if another program keeps reading the store for a minute. The erasure stays pending.
 */
export async function eraseRemovedWords(databaseUrl: string, store: Store): Promise<void> {
  if (!(await isErasurePending(store.database))) return;
  deleteEditionFile(databaseUrl);
  await clearErasedWords(store);
}
