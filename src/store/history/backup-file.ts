/** Reads a backup: a SQLite file of unknown origin, which may be damaged or hostile. */
import { pathToFileURL } from "node:url";
import { type Kysely, sql } from "kysely";

/** The tables that identify a store. */
const STORE_TABLES = ["revision", "review", "business"];

/**
 * Copies all tables of a backup into an empty SQLite database. The file is opened read-only, and of its schema only plain
 * CREATE TABLE statements are run.
 * @throws Error when it is not a store, or damaged; {@link explainBackupFault} tells the owner.
 */
export async function loadBackup<Tables>(database: Kysely<Tables>, file: string): Promise<void> {
  await sql`attach ${`${pathToFileURL(file).href}?mode=ro`} as original`.execute(database);
  const check = await sql<{ integrity_check: string }>`pragma original.integrity_check(1)`.execute(database);
  if (check.rows[0]?.integrity_check !== "ok") throw new Error(DAMAGED);
  const { rows: tables } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from original.sqlite_master where type = 'table' and name not like 'sqlite_%'
  `.execute(database);
  if (tables.length === 0) throw new Error("it is empty");
  if (!STORE_TABLES.every((table) => tables.some(({ name }) => name === table)))
    throw new Error("it is a database of another program, and holds no store of goodword");
  for (const { name, definition } of tables) {
    if (!/^create table [^;]*$/i.test(definition) || name.includes('"'))
      throw new Error("it holds tables that goodword does not make");
    await sql.raw(definition).execute(database); // prepared as one statement, so nothing after it runs
    await sql`insert into ${sql.id("main", name)} select * from ${sql.id("original", name)}`.execute(database);
  }
  await sql`detach original`.execute(database);
}

/** Explains to the owner why a backup cannot be read. */
export function explainBackupFault(file: string, error: unknown): string {
  const isUnopened = (error as Error).message.startsWith("unable to open");
  const code = isUnopened ? CANNOT_OPEN : Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const reason = FILE_FAULTS[code] ?? (error as Error).message.replace(/\.$/, "");
  return `Cannot restore ${JSON.stringify(file)}: ${reason}. The store is as it was.`;
}

const DAMAGED = "it is damaged; take an older backup";
const CANNOT_OPEN = 14;

/** Explanations of SQLite's result codes for a file that it cannot read. */
const FILE_FAULTS: Readonly<Record<number, string>> = {
  11: DAMAGED,
  [CANNOT_OPEN]: "it cannot be opened, or is a folder; name the file that goodword backup wrote",
  26: "it is not a database; name the file that goodword backup wrote",
};
