/** Copies what a restore reads from a backup. Tables are made by this program's own statements, and nothing of the file's is run. */
import { lstatSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { makeTables } from "../migrations.ts";
import { definitions, requireOwnDefinitions } from "../table-definitions.ts";
import type { Database, Tables } from "../tables.ts";

/** Which backup is to be copied, the file that is made, and after how long the process ends. */
export interface BackupOrder {
  readonly file: string;
  readonly copy: string;
  readonly seconds: number;
}

/** Why a backup cannot be read: SQLite's code, or 0, and words for the owner where it is none of SQLite's. */
export interface BackupFault {
  readonly message: string;
  readonly errcode: number;
}

/** The tables that a restore reads. */
export const RESTORED_TABLES = [
  "revision",
  "business",
  "review",
  "analysis",
  "session_key",
  "subscription",
  "intent",
  "fan_out",
  "removal",
  "removal_key",
  "correction",
  "edit",
  "withdrawn_review",
  "source_place",
  "published_change",
  "source_import",
  "sighting",
  "vanished_review",
] as const satisfies readonly (keyof Tables)[];
export type RestoredTable = (typeof RESTORED_TABLES)[number];

/** The tables that identify a store. */
const STORE_TABLES = ["kysely_migration", "revision", "review", "business"];

export const DAMAGED = "it is damaged; take an older backup";

/**
 * Copies the rows into an empty database. Every definition is compared with this program's before any row is read.
 * @throws Error when the file is no backup, is damaged, was written by a newer program, or defines what goodword does not.
 */
export async function copyStoreRows(database: Database, file: string): Promise<void> {
  // An upload has none; of another file, its pages would take the place of the backup's. An empty one has none.
  for (const ending of ["-wal", "-journal"]) {
    const log = lstatSync(`${file}${ending}`, { throwIfNoEntry: false });
    if (log !== undefined && (!log.isFile() || log.size > 0))
      throw new Error("a log lies beside it; take a file that goodword backup wrote");
  }
  await sql`attach ${`${pathToFileURL(file).href}?mode=ro`} as original`.execute(database);
  const found = await definitions(database, "original");
  if (found.size === 0) throw new Error("it is empty");
  if (!STORE_TABLES.every((table) => found.has(`table ${table}`)))
    throw new Error("it is a database of another program, and holds no store of goodword");
  await makeTables(database, []);
  requireOwnDefinitions(found, await definitions(database, "main"), "table kysely_migration");
  const { rows: applied } = await sql<{ name: string }>`select name from original.kysely_migration`.execute(database);
  await makeTables(
    database,
    applied.map(({ name }) => name),
  );
  requireOwnDefinitions(found, await definitions(database, "main"));
  const check = await sql<{ integrity_check: string }>`pragma original.integrity_check(1)`.execute(database);
  if (check.rows[0]?.integrity_check !== "ok") throw new Error(DAMAGED);
  for (const table of RESTORED_TABLES) {
    if (!found.has(`table ${table}`)) continue; // a later migration makes it
    await sql`delete from ${sql.id("main", table)}`.execute(database);
    await sql`insert into ${sql.id("main", table)} select * from ${sql.id("original", table)}`.execute(database);
  }
  await sql`detach original`.execute(database);
}
