/**
 * Compares what a SQLite file defines with what this program defines: the file may be a stranger's, and reading a view of
 * theirs may never end.
 */
import { sql } from "kysely";
import { openSqlite } from "./engine/sqlite.ts";
import { MIGRATIONS, makeTables } from "./migrations.ts";
import type { Database, Tables } from "./tables.ts";

/** What SQLite itself defines, for its statistics. */
const OWN = new Set([
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
]);
/** What SQLite takes for space, which is less than JavaScript does. */
const SPACE = /[ \t\n\r\f]+/g;

/** A row of SQLite's schema. */
export interface Definition {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly definition: string | null;
}

/** What SQLite's schema defines, by kind and name, without space. SQLite's own entries are left out. */
export async function definitions(database: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<Definition>`
    select type, name, tbl_name, sql as definition from sqlite_master
  `.execute(database);
  return definitionsOf(rows);
}

/** The same of the rows of a schema. */
export function definitionsOf(rows: readonly Definition[]): ReadonlyMap<string, string> {
  const others = rows.filter(({ definition }) => definition !== null && !OWN.has(definition));
  return new Map(
    others.map(({ type, name, tbl_name, definition }) => {
      return [`${type} ${name}`, `${tbl_name}: ${definition?.replaceAll(SPACE, " ")}`];
    }),
  );
}

/** @throws Error when something of the file, or `only` one thing of it, is not defined as this program defines it. */
export function requireOwnDefinitions(
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
 * What a SQLite store defines otherwise than this program, as an error; undefined if nothing. A stranger may have put it in
 * the place of a site's store, and reading a view of theirs may never end, while every other site waits.
 * @throws Error when no table of it may be read, not even the list of its migrations.
 */
export async function strangeTables(database: Database): Promise<Error | undefined> {
  ownTables ??= definitionsOfStore();
  const found = await definitions(database);
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
  const own = await definitions(database);
  await database.destroy();
  return own;
}
