/** Clears removed words from every file that belongs to the store, once its tables hold them no more. */
import { clearErasedWords } from "../maintenance/erasure.ts";
import { isErasurePending } from "../store/history/removal-rows.ts";
import type { Store } from "../store/store.ts";
import { deleteEditionFile } from "./edition-file.ts";

/**
 * Finishes what a removal began, also one that was stopped half-way: forgets the kept edition and clears freed space.
 * @throws Error when another program kept reading the store for a minute; it stays to be done.
 */
export async function eraseRemovedWords(databaseUrl: string, store: Store): Promise<void> {
  if (!(await isErasurePending(store.database))) return;
  deleteEditionFile(databaseUrl);
  await clearErasedWords(store);
}
