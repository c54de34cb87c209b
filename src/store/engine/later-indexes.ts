/** Fills an empty table before its indexes are made. */
import { type Kysely, SqliteAdapter, sql } from "kysely";

/**
 * Adds the rows of `work` to an empty table inside a transaction. On SQLite the table's own indexes are made afterwards,
 * which sorts their rows once instead of adding each at a place of its own; the table's constraints stay in force
 * meanwhile. Other connections see neither before the commit. On PostgreSQL they would wait for it, so there the indexes
 * stay.
 * @throws Error outside a transaction: if the work failed, the indexes would be gone.
 */
export async function withIndexesLater<Tables, Result>(
  database: Kysely<Tables>,
  table: keyof Tables & string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!database.isTransaction) throw new Error("The indexes of a table are made later only inside a transaction");
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return await work();
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master where type = 'index' and tbl_name = ${table} and sql is not null
  `.execute(database);
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(database);
  const result = await work();
  for (const { definition } of indexes) await sql.raw(definition).execute(database);
  return result;
}
