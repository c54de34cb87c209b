/**
 * Inserts many rows. Compiling an insert of a hundred rows takes Kysely longer than SQLite needs to run it, so the
 * compiled query is cached.
 */
import { type CompiledQuery, type DialectAdapter, type Kysely, SqliteAdapter } from "kysely";
import { repeated } from "./sqlite.ts";

/** The number of rows of a statement, on PostgreSQL and in a transaction of SQLite. */
const [ROWS_AT_A_TIME, ROWS_ON_SQLITE] = [100, 20];

interface ManyRows<Row> {
  /** All with the same columns. */
  readonly rows: readonly Row[];
  /** Whether rows that conflict with a stored one are skipped, instead of being an error. */
  readonly areKnownSkipped?: boolean;
}

type AnyRow = Readonly<Record<string, unknown>>;

const written = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>();

/**
 * Adds rows to a table, a hundred with each statement, or twenty in a transaction of SQLite. A statement of several rows
 * that fails there leaves those before the fault, which end with the transaction: SQLite would keep a journal of each
 * statement to take them back, which takes longer than the rows.
 */
export async function insertMany<Tables, Table extends keyof Tables & string>(
  database: Kysely<Tables>,
  table: Table,
  { rows, areKnownSkipped = false }: ManyRows<Tables[Table]>,
): Promise<void> {
  const { adapter } = database.getExecutor();
  const isOnSqlite = database.isTransaction && adapter instanceof SqliteAdapter;
  const statements = written.get(adapter) ?? new Map<string, CompiledQuery>();
  written.set(adapter, statements);
  const all = rows as readonly AnyRow[];
  const columns = Object.keys(all[0] ?? {});
  for (let start = 0; start < all.length; ) {
    const left = all.length - start;
    const size = !isOnSqlite ? Math.min(left, ROWS_AT_A_TIME) : left < ROWS_ON_SQLITE ? 1 : ROWS_ON_SQLITE;
    const key = [table, areKnownSkipped, size, ...columns].join();
    const statement =
      statements.get(key) ??
      statementFor(database, table, { rows: all.slice(0, size), areKnownSkipped, mayStayHalf: isOnSqlite });
    statements.set(key, statement);
    const end = isOnSqlite ? start + size * Math.floor(left / size) : start + size;
    const values: unknown[][] = [];
    for (; start < end; start += size) values.push(valuesOf(all.slice(start, start + size), columns));
    await database.executeQuery(isOnSqlite ? repeated(statement, values) : { ...statement, parameters: values.flat() });
  }
}

function valuesOf(rows: readonly AnyRow[], columns: readonly string[]): unknown[] {
  const values: unknown[] = [];
  for (const row of rows) for (const column of columns) values.push(row[column]);
  return values;
}

function statementFor(
  database: unknown,
  table: string,
  { rows, areKnownSkipped = false, mayStayHalf }: ManyRows<AnyRow> & { readonly mayStayHalf: boolean },
): CompiledQuery {
  const anyTables = database as Kysely<Record<string, Record<string, unknown>>>;
  const insert = anyTables.insertInto(table).values([...rows]);
  const skipping = areKnownSkipped ? insert.onConflict((conflict) => conflict.doNothing()) : insert;
  return (mayStayHalf ? skipping.orFail() : skipping).compile();
}
