/** Runs a command's work on its store. */
import { openStore, type Store } from "../../store/store.ts";

/** Opens the store, runs the work and closes the store. The command line has checked that the store exists. */
export async function withExistingStore(databaseUrl: string, work: (store: Store) => Promise<void>): Promise<void> {
  await using store = await openStore(databaseUrl);
  await work(store);
}
