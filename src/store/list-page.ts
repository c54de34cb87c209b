/** Pages of lists that may be long: one query each, which reads no more than the page. */
import { type SelectQueryBuilder, sql } from "kysely";
import type { Database, Tables } from "./tables.ts";

/** The place of a row in the order of its list: the values of some columns. */
export type ListPlace<Column extends string = string> = Readonly<Record<Column, string>>;

export interface ListWish<Column extends string = string> {
  readonly limit: number;
  /** The last row of the page before. */
  readonly after?: ListPlace<Column> | undefined;
}

/** `last`: the last row, if there are others after it. */
export interface ListPage<Row, Column extends string = string> {
  readonly rows: readonly Row[];
  readonly last: ListPlace<Column> | undefined;
}

/** The number of its rows. */
export async function countRows<Row>(
  database: Database,
  list: SelectQueryBuilder<Tables, never, Row>,
): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${list} as listed`.execute(
    database,
  );
  return Number(rows[0]?.count);
}

/** Reads a page of a list in the order of these columns, which together identify a row: the highest first, or `ascending`. */
export async function readPage<Row, Column extends keyof Row & string>(
  database: Database,
  list: SelectQueryBuilder<Tables, never, Row>,
  columns: readonly Column[],
  { limit, after, ascending = false }: ListWish<Column> & { readonly ascending?: boolean },
): Promise<ListPage<Row, Column>> {
  const [direction, beyond] = ascending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const place = sql.join(columns.map((column) => sql.ref(column)));
  const order = sql.join(columns.map((column) => sql`${sql.ref(column)} ${direction}`));
  const rest = after && sql`where (${place}) ${beyond} (${sql.join(columns.map((column) => after[column]))})`;
  const { rows } = await sql<Row>`
    select * from ${list} as listed ${rest ?? sql``} order by ${order} limit ${limit + 1}
  `.execute(database);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit),
    last: last && (Object.fromEntries(columns.map((name) => [name, String(last[name])])) as ListPlace<Column>),
  };
}
