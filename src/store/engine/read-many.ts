/**
 * Reads many rows, and makes of each what is wanted as it comes. SQLite gives the values alone: a row with names takes
 * twice as long, and all rows at once would be kept until the last one is made.
 */
import type { Kysely, SelectQueryBuilder } from "kysely";
import { isOnPostgres } from "./postgres.ts";
import { madeOfValues } from "./sqlite.ts";

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
}

/** What `make` makes of each row of a query that selects nothing yet, in the order of the rows. */
export async function readMany<
  Tables,
  Table extends keyof Tables & string,
  const Columns extends readonly (keyof Tables[Table] & string)[],
  Made,
>(
  database: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, unknown>,
  { columns, make }: Making<Tables[Table], Columns, Made>,
): Promise<Made[]> {
  const selecting = query.select(columns as never);
  const makeOf = make as (values: readonly unknown[], place: number) => Made;
  if (!isOnPostgres(database)) {
    const { rows } = await database.executeQuery<Made>(madeOfValues(selecting.compile(), makeOf));
    return rows;
  }
  const rows = (await selecting.execute()) as Record<string, unknown>[];
  return rows.map((row, place) =>
    makeOf(
      columns.map((column) => row[column]),
      place,
    ),
  );
}
