/** Deletes an embedded store that was made for a change which then failed. */
import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { storeFileOf } from "./store-url.ts";

/**
 * Deletes the store's file if nothing was ever written to it and no other process has it open, such as a server that
 * was started meanwhile. Close it first. Returns whether it was deleted; a store in PostgreSQL or in memory never is.
 */
export function discardUnusedStore(url: string): boolean {
  const file = storeFileOf(url);
  if (file === undefined || !existsSync(file) || !isUnused(file)) return false;
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
  return true;
}

function isUnused(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    if (rowsOf(database, "revision", "where number > 0") > 0) return false;
    if (["review", "business", "subscription"].some((table) => rowsOf(database, table) > 0)) return false;
    // SQLite leaves WAL mode only for a connection that is the only one.
    database.exec("pragma journal_mode = delete");
    return true;
  } catch {
    return false; // another process has it open, or it is not a store
  } finally {
    database.close();
  }
}

function rowsOf(database: DatabaseSync, table: string, condition = ""): number {
  return Number(database.prepare(`select count(*) as count from ${table} ${condition}`).get()?.count ?? 0);
}
