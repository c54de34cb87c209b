/**
 * The process that copies a backup. SQLite trusts the pages of a file, so that one whose pages lead to each other may hold
 * it for ever, or fill the memory; no statement that has begun can be ended, but a process can. What it writes is SQLite's
 * own. It is sent a `BackupOrder`, and answers with a `BackupFault`, or null.
 */
import { closeSync, openSync, statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import { openSqlite } from "../engine/sqlite.ts";
import type { Tables } from "../tables.ts";
import { type BackupFault, type BackupOrder, copyStoreRows } from "./backup-copy.ts";

/** What SQLite may take of memory, for any backup. */
const MAX_HEAP_BYTES = 200_000_000;
/** A copy has the same rows and indexes in pages that may be emptier. */
const PAGE_BYTES = 8_192;
const SPARE_PAGES = 2_000;

/** Ends the process, whatever SQLite is doing, and whether or not somebody waits for it. */
const WATCH = `setTimeout(() => process.kill(process.pid, "SIGKILL"), require("node:worker_threads").workerData)`;

async function read({ file, copy }: BackupOrder): Promise<BackupFault | null> {
  closeSync(openSync(copy, "wx", 0o600));
  const database = openSqlite<Tables>(copy);
  try {
    await sql`pragma hard_heap_limit = ${sql.lit(MAX_HEAP_BYTES)}`.execute(database);
    const pages = Math.ceil((3 * statSync(file).size) / PAGE_BYTES) + SPARE_PAGES;
    await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(database);
    await sql`pragma synchronous = off`.execute(database);
    await copyStoreRows(database, file);
    return null;
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { readonly errcode?: number };
    return { message, errcode };
  } finally {
    await database.destroy();
  }
}

process.once("message", async (order: BackupOrder) => {
  new Worker(WATCH, { eval: true, workerData: order.seconds * 1_000 }).unref();
  process.send?.(await read(order), () => process.disconnect?.());
});
