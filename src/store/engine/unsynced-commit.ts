/**
 * Transactions that a commit does not write through to the disk: no process can lose one by ending, but a machine that loses
 * its power may lose the last of them. They are for what may be done again then.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, Transaction } from "kysely";

const asked = new AsyncLocalStorage<boolean>(); // Kysely hands no settings of ours to its drivers

/** Runs a transaction whose commit waits for no disk. */
export function unsynced<Tables, Result>(
  database: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return asked.run(true, () => database.transaction().execute((transaction) => asked.run(false, work, transaction)));
}

/** Whether the transaction that is about to begin is one of these. */
export function isUnsynced(): boolean {
  return asked.getStore() === true;
}
