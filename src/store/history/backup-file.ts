/**
 * Opens a backup: a SQLite file of unknown origin, which may be damaged or hostile. Tables are made by this program's own
 * statements; of the file only rows are read, and nothing that it defines is run.
 */
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { openSqlite } from "../engine/sqlite.ts";
import { MIGRATIONS, makeTables, migrate } from "../migrations.ts";
import { type Store, storeOver } from "../store.ts";
import type { Database, Tables } from "../tables.ts";
import { RESTORED_TABLES, requireOwnRows } from "./backup-rows.ts";

/** The tables that identify a store. */
const STORE_TABLES = ["kysely_migration", "revision", "review", "business"];

/**
 * Opens a private, migrated copy of what a restore reads from a backup. It is deleted when closed.
 * @throws Error when the file is not a backup of a store, is damaged, was written by a newer program, or holds what
 * goodword does not write.
 */
export async function openBackup(file: string): Promise<Store> {
  const database = openSqlite<Tables>("");
  try {
    await loadBackup(database, file);
    await migrate(database);
    await requireOwnRows(database);
  } catch (error) {
    await database.destroy();
    throw new Error(explainBackupFault(file, error), { cause: error });
  }
  return storeOver(database);
}

/** Copies the rows into an empty database. Every definition is compared with this program's before any row is read. */
async function loadBackup(database: Database, file: string): Promise<void> {
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

/** What SQLite's schema defines, by kind and name, without space. SQLite's own entries are left out. */
async function definitions(database: Database, schema: "main" | "original"): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ type: string; name: string; tbl_name: string; definition: string | null }>`
    select type, name, tbl_name, sql as definition from ${sql.id(schema, "sqlite_master")}
  `.execute(database);
  const others = rows.filter(({ name, definition }) => definition !== null && !/^sqlite_stat[14]$/.test(name));
  return new Map(
    others.map(({ type, name, tbl_name, definition }) => {
      return [`${type} ${name}`, `${tbl_name}: ${definition?.replaceAll(/\s+/g, " ")}`];
    }),
  );
}

/** @throws Error when something of the file, or `only` one thing of it, is not defined as this program defines it. */
function requireOwnDefinitions(
  found: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
  only?: string,
): void {
  for (const [what, definition] of found) {
    if (own.get(what) === definition || (only !== undefined && what !== only)) continue;
    throw new Error(`it holds a ${what} that goodword does not make`);
  }
}

let ownTables: Promise<ReadonlyMap<string, string>> | undefined;

/** What goodword defines as a table or an index, and no view, trigger or virtual table. */
const PLAIN = /^(table|index) [\w-]+\n[\w-]+: create (unique )?\1 /i;

/**
 * What a SQLite store defines otherwise than this program, as an error; undefined if nothing. Somebody else may have put it
 * in the place of a site's store, and a view of his could be read without end, while every other site waits.
 * @throws Error when no table of it may be read, not even the list of its migrations.
 */
export async function strangeTables(database: Database): Promise<Error | undefined> {
  ownTables ??= definitionsOfStore();
  const found = await definitions(database, "main");
  try {
    requireOwnDefinitions(found, await ownTables);
    return undefined;
  } catch (error) {
    requireOwnDefinitions(found, await ownTables, "table kysely_migration");
    if ([...found].some(([what, definition]) => !PLAIN.test(`${what}\n${definition}`))) throw error;
    return error as Error;
  }
}

async function definitionsOfStore(): Promise<ReadonlyMap<string, string>> {
  const database = openSqlite<Tables>(":memory:");
  await makeTables(database, Object.keys(MIGRATIONS));
  const own = await definitions(database, "main");
  await database.destroy();
  return own;
}

/** Explains to the owner why a backup cannot be read. */
function explainBackupFault(file: string, error: unknown): string {
  const own = Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const isUnopened = own !== CORRUPT && (error as Error).message.startsWith("unable to open");
  const code = isUnopened ? CANNOT_OPEN : own;
  const reason = FILE_FAULTS[code] ?? (error as Error).message.replace(/\.$/, "");
  return `Cannot restore ${JSON.stringify(file)}: ${reason}. The store is as it was.`;
}

const DAMAGED = "it is damaged; take an older backup";
const [CORRUPT, CANNOT_OPEN] = [11, 14];

/** Explanations of SQLite's result codes for a file that it cannot read. */
const FILE_FAULTS: Readonly<Record<number, string>> = {
  [CORRUPT]: DAMAGED,
  [CANNOT_OPEN]: "it cannot be opened, or is a folder; name the file that goodword backup wrote",
  26: "it is not a database; name the file that goodword backup wrote",
};
