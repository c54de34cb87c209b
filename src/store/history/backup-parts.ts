/** What a restore reads from a backup: in parts, so that what the file defines is judged before any row is read. */
import { lstatSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { boundedPages } from "../../lib/bounded-pages.ts";
import { MAX_ROW_BYTES } from "../engine/store-files.ts";
import type { Definition } from "../table-definitions.ts";
import type { Tables } from "../tables.ts";

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

type Row = Readonly<Record<string, unknown>>;

/** A part of a backup, in this order. */
export type BackupPart =
  | { readonly definitions: readonly Definition[] }
  /** The names of its migrations. */
  | { readonly applied: readonly string[] }
  /** Whether its pages are as SQLite writes them. */
  | { readonly isSound: boolean }
  | { readonly table: RestoredTable; readonly rows: readonly Row[] };

export const UNOPENED = "it cannot be opened, or is a folder; name the file that goodword backup wrote";
const ROWS_AT_A_TIME = 500;

/**
 * Reads a backup, a part each time that one is asked for. SQLite may never come to an end with it, or take all memory.
 * @throws Error when it cannot be read.
 */
export function* backupParts(file: string): Generator<BackupPart, undefined> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new Error(UNOPENED);
  // An upload has none; of another file, its pages would take the place of the backup's. An empty one has none.
  for (const ending of ["-wal", "-journal"]) {
    const log = lstatSync(`${file}${ending}`, { throwIfNoEntry: false });
    if (log !== undefined && (!log.isFile() || log.size > 0))
      throw new Error("a log lies beside it; take a file that goodword backup wrote");
  }
  const address = pathToFileURL(file);
  address.searchParams.set("immutable", "1"); // SQLite puts no file beside it
  using database = new DatabaseSync(address, { readOnly: true, limits: { length: MAX_ROW_BYTES } });
  const all = (statement: string) => database.prepare(statement).all() as readonly Row[];
  const definitions = all("select type, name, tbl_name, sql as definition from sqlite_master");
  yield { definitions: definitions as unknown as readonly Definition[] };
  yield { applied: all("select name from kysely_migration").map(({ name }) => String(name)) };
  yield { isSound: all("pragma integrity_check(1)")[0]?.integrity_check === "ok" };
  const tables = new Set(definitions.filter(({ type }) => type === "table").map(({ name }) => name));
  for (const table of RESTORED_TABLES) {
    if (!tables.has(table)) continue; // a later migration makes it
    const rows = database.prepare(`select * from "${table}"`).iterate() as Iterable<Row>;
    for (const page of boundedPages(rows, sizeOf, ROWS_AT_A_TIME)) yield { table, rows: page };
  }
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row))
    size += typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 8;
  return size;
}
