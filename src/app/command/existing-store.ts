/** Shared functions for commands that work on an existing store. */
import { openStore, type Store } from "../../store/store.ts";
import { askToConfirm, canAsk, Declined, OWN_TERMINAL, type Terminal } from "./confirmation.ts";

/** Opens the store, runs the work and closes the store. The command line has checked that the store exists. */
export async function withExistingStore(databaseUrl: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(databaseUrl);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** @throws Declined or Error unless `isConfirmed`, or the person at the terminal confirms the action. */
export async function requireYes(isConfirmed: boolean, what: string, terminal: Terminal = OWN_TERMINAL): Promise<void> {
  if (isConfirmed) return;
  if (!canAsk(terminal)) throw new Error(`${what} Nothing was changed: confirm it with --yes.`);
  terminal.output.write(`${what}\n`);
  if (!(await askToConfirm("Go on?", terminal))) throw new Declined("Nothing was changed.");
}

/** A count with its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
