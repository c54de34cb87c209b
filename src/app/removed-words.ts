/** Erases removed text from all of the store's files, after it has been deleted from the tables. */
import { clearErasedWords } from "../maintenance/erasure.ts";
import { explainDatabaseFault } from "../store/engine/database-fault.ts";
import type { Store } from "../store/store.ts";
import { deleteEditionFile } from "./publishing/edition-file.ts";

/**
 * Completes a removal, even one that was interrupted: deletes the kept edition and rewrites the store without free
 * pages.
 * @throws Error if the kept edition cannot be deleted, another program keeps reading the store for a minute, or the store
 * fails. The erasure stays pending.
 */
export async function eraseRemovedWords(databaseUrl: string, store: Store): Promise<void> {
  let isEditionLeft = false;
  const deleteEdition = () => {
    isEditionLeft = true;
    deleteEditionFile(databaseUrl);
    isEditionLeft = false;
  };
  try {
    await clearErasedWords(store, deleteEdition);
  } catch (error) {
    const reason = explainDatabaseFault(error) ?? (error instanceof Error ? error.message : String(error));
    const message = isEditionLeft
      ? `removed words may still be in a file beside the store: ${reason}. Delete it yourself. The next goodword import, remove or serve clears the store's own files`
      : `the store's files may still hold removed words in freed space (${reason}). The next goodword import, remove or serve clears them`;
    throw new Error(message, { cause: error });
  }
}
