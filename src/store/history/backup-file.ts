/**
 * Opens a backup: a SQLite file of unknown origin, which may be damaged or hostile. Tables are made by this program's own
 * statements; of the file only rows are read, and nothing that it defines is run.
 */
import { lstatSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { openSqlite } from "../engine/sqlite.ts";
import { makeTables, migrate } from "../migrations.ts";
import { type Store, storeOver } from "../store.ts";
import { definitions, requireOwnDefinitions } from "../table-definitions.ts";
import type { Database, Tables } from "../tables.ts";
import { RESTORED_TABLES, requireOwnRows } from "./backup-rows.ts";
import { hasStatistics, isTreeFinite, SCHEMA_PAGE } from "./tree-pages.ts";

/** The tables that identify a store. */
const STORE_TABLES = ["kysely_migration", "revision", "review", "business"];

/**
 * Opens a private, migrated copy of what a restore reads from a backup. It is deleted when closed. `name`: the file's
 * name for messages.
 * @throws Error when the file is not a backup of a store, is damaged, was written by a newer program, or holds what
 * goodword does not write.
 */
export async function openBackup(file: string, name: string): Promise<Store> {
  const database = openSqlite<Tables>("");
  try {
    await loadBackup(database, file);
    await migrate(database);
    await requireOwnRows(database);
  } catch (error) {
    await database.destroy();
    throw new Error(explainBackupFault(name, error), { cause: error });
  }
  return storeOver(database);
}

/** Copies the rows into an empty database. Every definition is compared with this program's before any row is read. */
async function loadBackup(database: Database, file: string): Promise<void> {
  // An upload has none; of another file, its pages would take the place of those that are looked at. An empty one has none.
  const log = lstatSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && (!log.isFile() || log.size > 0))
    throw new Error("a log lies beside it; take a file that goodword backup wrote");
  if (!(await isTreeFinite(file, SCHEMA_PAGE))) throw new Error(DAMAGED);
  if (await hasStatistics(file))
    throw new Error("another program has added statistics to it; drop its tables sqlite_stat");
  await sql`attach ${`${pathToFileURL(file).href}?mode=ro`} as original`.execute(database);
  const found = await definitions(database, "original");
  if (found.size === 0) throw new Error("it is empty");
  if (!STORE_TABLES.every((table) => found.has(`table ${table}`)))
    throw new Error("it is a database of another program, and holds no store of goodword");
  await makeTables(database, []);
  requireOwnDefinitions(found, await definitions(database, "main"), "table kysely_migration");
  const { rows: roots } = await sql<{ rootpage: number }>`
    select rootpage from original.sqlite_schema where tbl_name = 'kysely_migration'
  `.execute(database);
  for (const { rootpage } of roots) if (!(await isTreeFinite(file, Number(rootpage)))) throw new Error(DAMAGED);
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

/** Explains to the owner why a backup cannot be read. */
function explainBackupFault(name: string, error: unknown): string {
  const own = Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const isUnopened = own !== CORRUPT && (error as Error).message.startsWith("unable to open");
  const code = isUnopened ? CANNOT_OPEN : own;
  const reason = FILE_FAULTS[code] ?? (error as Error).message.replace(/\.$/, "");
  return `Cannot restore ${JSON.stringify(name)}: ${reason}. The store is as it was.`;
}

const DAMAGED = "it is damaged; take an older backup";
const [CORRUPT, CANNOT_OPEN] = [11, 14];

/** Explanations of SQLite's result codes for a file that it cannot read. */
const FILE_FAULTS: Readonly<Record<number, string>> = {
  [CORRUPT]: DAMAGED,
  [CANNOT_OPEN]: "it cannot be opened, or is a folder; name the file that goodword backup wrote",
  26: "it is not a database; name the file that goodword backup wrote",
};
