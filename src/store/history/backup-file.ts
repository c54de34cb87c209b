/**
 * Opens a backup: a SQLite file of unknown origin, which may be damaged or hostile. Tables are made by this program's own
 * statements; of the file only rows are read, by a process that can be killed, and nothing that it defines is run.
 */
import { stat } from "node:fs/promises";
import { insertMany } from "../engine/insert-many.ts";
import { openSqlite } from "../engine/sqlite.ts";
import { makeTables, migrate } from "../migrations.ts";
import { type Store, storeOver } from "../store.ts";
import { type Definition, definitions, definitionsOf, requireOwnDefinitions } from "../table-definitions.ts";
import type { Database, Tables } from "../tables.ts";
import { DAMAGED, partsByProcess } from "./backup-answers.ts";
import { type BackupPart, backupParts, RESTORED_TABLES, UNOPENED } from "./backup-parts.ts";
import { requireOwnRows } from "./backup-rows.ts";

/** The tables that identify a store. */
const STORE_TABLES = ["kysely_migration", "revision", "review", "business"];

/**
 * Opens a private, migrated copy of what a restore reads from a backup. It is deleted when closed. `name`: the file's
 * name for messages. `inThisProcess`: SQLite reads it here, where nothing can end it.
 * @throws Error when the file is not a backup of a store, is damaged, was written by a newer program, or holds what
 * goodword does not write.
 */
export async function openBackup(file: string, name: string, inThisProcess: boolean): Promise<Store> {
  const database = openSqlite<Tables>("");
  try {
    const parts = inThisProcess ? backupParts(file) : partsByProcess(file, await secondsFor(file));
    await database.transaction().execute(async (transaction) => await takeParts(transaction, parts));
    await migrate(database);
    await requireOwnRows(database);
  } catch (error) {
    await database.destroy();
    throw new Error(explainBackupFault(name, error), { cause: error });
  }
  return storeOver(database);
}

/** How long a part of a backup may take, and so all of its pages: on a slow disk, too, so that an honest one is never given up. */
const [MIN_SECONDS, BYTES_A_SECOND] = [10, 5_000_000];

async function secondsFor(file: string): Promise<number> {
  const { size } = await stat(file);
  return MIN_SECONDS + Math.ceil(size / BYTES_A_SECOND);
}

/** Takes the rows into an empty database. Every definition is compared with this program's before any row is asked for. */
async function takeParts(database: Database, parts: AsyncIterable<BackupPart> | Iterable<BackupPart>): Promise<void> {
  let found: ReadonlyMap<string, string> = new Map();
  for await (const part of parts)
    if ("definitions" in part) {
      found = requireStore(part.definitions);
      await makeTables(database, []);
      requireOwnDefinitions(found, await definitions(database), "table kysely_migration");
    } else if ("applied" in part) {
      await makeTables(database, part.applied);
      requireOwnDefinitions(found, await definitions(database));
      for (const table of RESTORED_TABLES) if (found.has(`table ${table}`)) await database.deleteFrom(table).execute();
    } else if ("isSound" in part) {
      if (!part.isSound) throw new Error(DAMAGED);
    } else await insertMany(database, part.table, { rows: part.rows as never });
}

function requireStore(defined: readonly Definition[]): ReadonlyMap<string, string> {
  const found = definitionsOf(defined);
  if (found.size === 0) throw new Error("it is empty");
  if (!STORE_TABLES.every((table) => found.has(`table ${table}`)))
    throw new Error("it is a database of another program, and holds no store of goodword");
  return found;
}

/** Explains to the owner why a backup cannot be read. */
function explainBackupFault(name: string, error: unknown): string {
  const own = Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const isUnopened = own !== CORRUPT && (error as Error).message.startsWith("unable to open");
  const code = isUnopened ? CANNOT_OPEN : own;
  const isOfSqlite = code !== 0 || /too large to be represented/.test((error as Error).message);
  const reason = FILE_FAULTS[code] ?? (isOfSqlite ? DAMAGED : (error as Error).message).replace(/\.$/, "");
  return `Cannot restore ${JSON.stringify(name)}: ${reason}. The store is as it was.`;
}

const [CORRUPT, FULL, CANNOT_OPEN] = [11, 13, 14];

/** Explanations of SQLite's result codes for a file that it cannot read. */
const FILE_FAULTS: Readonly<Record<number, string>> = {
  [CORRUPT]: DAMAGED,
  [FULL]: "there is no room for a copy of it; make room",
  [CANNOT_OPEN]: UNOPENED,
  26: "it is not a database; name the file that goodword backup wrote",
};
