/** Reads many rows as arrays of values, which takes SQLite half as long as objects with names. */
import type { Kysely, SelectQueryBuilder } from "kysely";
import { isOnPostgres } from "./postgres.ts";
import type { ArrayQuery } from "./sqlite.ts";

type Values<Row, Columns extends readonly (keyof Row)[]> = {
  readonly [Place in keyof Columns]: Row[Columns[Place]];
};

interface Mapping<Row, Columns extends readonly (keyof Row & string)[], Result> {
  readonly columns: Columns;
  /** Gets the values of the columns, in their order, and the index of the row. */
  readonly make: (values: Values<Row, Columns>, index: number) => Result;
}

/** Maps each row of a query that selects nothing yet. */
export async function readColumns<
  Tables,
  Table extends keyof Tables & string,
  const Columns extends readonly (keyof Tables[Table] & string)[],
  Result,
>(
  database: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, unknown>,
  { columns, make }: Mapping<Tables[Table], Columns, Result>,
): Promise<Result[]> {
  const selecting = query.select(columns as never).compile();
  const map = make as unknown as (values: unknown, index: number) => Result;
  if (!isOnPostgres(database)) {
    const asArrays: ArrayQuery = { ...selecting, returnsArrays: true };
    return (await database.executeQuery(asArrays)).rows.map(map);
  }
  const { rows } = await database.executeQuery<Record<string, unknown>>(selecting);
  return rows.map((row, index) => map(columns.map((column) => row[column]), index)); // biome-ignore format: one map
}
