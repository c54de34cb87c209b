/** Inserts many rows. Compiling an insert of a hundred rows takes Kysely longer than SQLite needs to run it, so the
 * compiled query is cached. */
import { type CompiledQuery, type DialectAdapter, type Kysely, SqliteAdapter } from "kysely";
import { repeated } from "./sqlite.ts";

const ROWS_AT_A_TIME = 100;

interface ManyRows<Row> {
  /** All with the same columns. */
  readonly rows: readonly Row[];
  /** Whether rows that conflict with a stored one are skipped, instead of being an error. */
  readonly areKnownSkipped?: boolean;
}

const written = new WeakMap<DialectAdapter, Map<string, CompiledQuery>>();

/**
 * Adds rows to a table, a hundred with each statement. In a transaction of SQLite, each row has the same statement
 * instead: one of a hundred rows needs a journal of its own there, which takes longer than the rows.
 */
export async function insertMany<Tables, Table extends keyof Tables & string>(
  database: Kysely<Tables>,
  table: Table,
  { rows, areKnownSkipped = false }: ManyRows<Tables[Table]>,
): Promise<void> {
  const { adapter } = database.getExecutor();
  const isEachAlone = database.isTransaction && adapter instanceof SqliteAdapter;
  const statements = written.get(adapter) ?? new Map<string, CompiledQuery>();
  written.set(adapter, statements);
  for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
    const some = rows.slice(start, start + ROWS_AT_A_TIME) as Record<string, unknown>[];
    const columns = Object.keys(some[0] ?? {});
    const inStatement = isEachAlone ? some.slice(0, 1) : some;
    const key = [table, areKnownSkipped, inStatement.length, ...columns].join();
    const statement = statements.get(key) ?? statementFor(database, table, { rows: inStatement, areKnownSkipped });
    statements.set(key, statement);
    const values = some.map((row) => columns.map((column) => row[column]));
    const query = isEachAlone ? repeated(statement, values) : { ...statement, parameters: values.flat() };
    await database.executeQuery(query);
  }
}

function statementFor(
  database: unknown,
  table: string,
  { rows, areKnownSkipped = false }: ManyRows<Record<string, unknown>>,
): CompiledQuery {
  const anyTables = database as Kysely<Record<string, Record<string, unknown>>>;
  const insert = anyTables.insertInto(table).values([...rows]);
  return (areKnownSkipped ? insert.onConflict((conflict) => conflict.doNothing()) : insert).compile();
}
