/**
 * Inserts many rows. Compiling an insert of many rows takes Kysely longer than SQLite needs to run it, so the compiled
 * query is cached.
 */
import { type CompiledQuery, type DialectAdapter, type Kysely, SqliteAdapter } from "kysely";

const ROWS_PER_STATEMENT = 50;

interface ManyRows<Row> {
  /** All with the same columns. */
  readonly rows: readonly Row[];
  /** Whether rows that conflict with a stored one are skipped, instead of being an error. */
  readonly skipsConflicts?: boolean;
}

type AnyRow = Readonly<Record<string, unknown>>;

const compiledInserts = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>();

/**
 * Adds rows to a table. If a statement fails in a transaction of SQLite, the rows before the fault stay until the
 * transaction is rolled back (`or fail`): undoing each statement by itself would need a journal of its own, which takes
 * longer than the rows.
 */
export async function insertMany<Tables, Table extends keyof Tables & string>(
  database: Kysely<Tables>,
  table: Table,
  { rows, skipsConflicts = false }: ManyRows<Tables[Table]>,
): Promise<void> {
  const { adapter } = database.getExecutor();
  const inserts = compiledInserts.getOrInsertComputed(adapter, () => new Map());
  const mayStayHalf = database.isTransaction && adapter instanceof SqliteAdapter;
  const columns = Object.keys((rows[0] ?? {}) as AnyRow);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const batch = rows.slice(start, start + ROWS_PER_STATEMENT) as readonly AnyRow[];
    const key = [table, skipsConflicts, mayStayHalf, batch.length, ...columns].join();
    const query = inserts.getOrInsertComputed(key, () => {
      const insert = (database as unknown as Kysely<Record<string, AnyRow>>).insertInto(table).values([...batch]);
      const skipping = skipsConflicts ? insert.onConflict((conflict) => conflict.doNothing()) : insert;
      return (mayStayHalf ? skipping.orFail() : skipping).compile();
    });
    const parameters: unknown[] = [];
    for (const row of batch) for (const column of columns) parameters.push(row[column]);
    await database.executeQuery({ ...query, parameters });
  }
}
