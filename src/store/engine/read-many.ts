/**
 * Reads many rows, and makes of each what is wanted as it comes. SQLite gives the values alone, some hundred rows at a
 * time: a row with names takes twice as long, one by one they take half as long again, and all at once would be kept
 * until the last one is made.
 */
import { type CompiledQuery, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { isOnPostgres } from "./postgres.ts";
import { madeOfValues, type NextPage } from "./sqlite.ts";

type Values<Row, Columns extends readonly (keyof Row)[]> = {
  readonly [Place in keyof Columns]: Row[Columns[Place]];
};

/** What is read of each row, and what is made of it. */
interface Making<Row, Columns extends readonly (keyof Row & string)[], Made> {
  readonly columns: Columns;
  /**
   * Gets the values of the columns, in their order, and the row's place among all rows. It is called again for rows that
   * are read again, because the database was busy.
   */
  readonly make: (values: Values<Row, Columns>, place: number) => Made;
  /**
   * If there may be very many rows: the columns by which they come, in descending order, no two with the same values; or
   * none, if they may come in any order. The query selects them in several statements then, so call it in a transaction.
   */
  readonly pagedBy?: readonly Columns[number][];
}

const ROWS_AT_A_TIME = 500;

/** What `make` makes of each row of a query that selects nothing yet, and has no order if it is read in pages. */
export async function readMany<
  Tables,
  Table extends keyof Tables & string,
  const Columns extends readonly (keyof Tables[Table] & string)[],
  Made,
>(
  database: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, unknown>,
  { columns, make, pagedBy }: Making<Tables[Table], Columns, Made>,
): Promise<Made[]> {
  const all = query.select(columns as never);
  const makeOf = make as (values: readonly unknown[], place: number) => Made;
  const inOrder = (pagedBy ?? []).reduce((ordered, column) => ordered.orderBy(sql.ref(column), "desc"), all);
  if (isOnPostgres(database)) {
    const rows = (await inOrder.execute()) as Record<string, unknown>[];
    return rows.map((row, place) =>
      makeOf(
        columns.map((column) => row[column]),
        place,
      ),
    );
  }
  const pages = pagedBy === undefined ? undefined : pagesOf();
  const first = pages?.first ?? all.compile();
  return (await database.executeQuery<Made>(madeOfValues<Made>(first, { make: makeOf, next: pages?.next }))).rows;

  /** The first page, and those after a row. Without an order, rows come as they are stored. */
  function pagesOf(): { first: CompiledQuery; next: NextPage } {
    const isAnyOrder = inOrder === all;
    const page = isAnyOrder ? all.select(sql.ref("rowid").as("rowid")).orderBy(sql.ref("rowid")) : inOrder;
    const keys: readonly string[] = isAnyOrder ? ["rowid"] : (pagedBy ?? []);
    const [names, last] = [sql.join(keys.map((key) => sql.ref(key))), sql.join(keys)]; // whose values are given later
    const isAfter = sql<SqlBool>`(${names}) ${sql.raw(isAnyOrder ? ">" : "<")} (${last})`;
    const compiled = (one: typeof page) => one.limit(sql.lit(ROWS_AT_A_TIME)).compile();
    const places = isAnyOrder ? [columns.length] : keys.map((key) => columns.indexOf(key as Columns[number]));
    return { first: compiled(page), next: { query: compiled(page.where(isAfter)), places } };
  }
}
