/** SQL that reads the rows that a change saved for undo, in bounded pages. */
import { sql } from "kysely";
import { boundedPages } from "../../lib/bounded-pages.ts";
import type { Database, SavedRowTable } from "../tables.ts";

const ROWS_AT_A_TIME = 100;

/**
 * The saved rows of a change, ordered by id; with `isFormer`, only those of reviews that there were before it. A page may
 * be deleted before the next one is read.
 */
export async function* savedRowsOf(
  database: Database,
  number: number,
  { isFormer = false }: { readonly isFormer?: boolean } = {},
): AsyncGenerator<readonly SavedRowTable[]> {
  for (let after = ""; ; ) {
    const all = database.selectFrom("saved_row").where("change", "=", number).where("id", ">", after).orderBy("id");
    const own = isFormer ? all.where("body", "is not", null) : all;
    const bytes = sql<number | string>`coalesce(octet_length(body), 0)`.as("bytes");
    const sizes = await own.select(["id", bytes]).limit(ROWS_AT_A_TIME).execute();
    const [page] = boundedPages(sizes, (each) => Number(each.bytes));
    const last = page?.at(-1);
    if (last === undefined) return;
    yield await own.selectAll().where("id", "<=", last.id).execute();
    after = last.id;
  }
}
