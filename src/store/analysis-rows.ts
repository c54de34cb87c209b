/** Kept analyses as rows, and the texts that they are of. All of it is derived: a row that is missing is made again. */

import { isPublished } from "./review-rows.ts";
import type { AnalysisTable, Database } from "./tables.ts";

const ROWS_AT_A_TIME = 300;

/** A published review that may have words, as an analysis needs it. */
export interface PublishedText {
  readonly id: string;
  readonly date: string;
  readonly rating: number;
  readonly text: string;
}

/** Those of the keys under which an analysis is kept. */
export async function knownAnalysisKeys(database: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await database.selectFrom("analysis").select("key").where("key", "in", keys).execute();
  return new Set(rows.map(({ key }) => key));
}

/** The analyses that are kept under these keys. */
export async function analysesByKeys(database: Database, keys: readonly string[]): Promise<AnalysisTable[]> {
  if (keys.length === 0) return [];
  return await database.selectFrom("analysis").selectAll().where("key", "in", keys).execute();
}

/** Keeps analyses; one whose key is known already says the same, and is left out. */
export async function keepAnalyses(database: Database, rows: readonly AnalysisTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
    await database
      .insertInto("analysis")
      .values(rows.slice(start, start + ROWS_AT_A_TIME))
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
  }
}

/** How many analyses are kept. */
export async function countAnalyses(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom("analysis")
    .select((select) => select.fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Up to `limit` keys that come after `after`, ascending. */
export async function analysisKeysAfter(database: Database, after: string, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("analysis")
    .select("key")
    .where("key", ">", after)
    .orderBy("key")
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

export async function deleteAnalyses(database: Database, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await database.deleteFrom("analysis").where("key", "in", keys).execute();
}

/** How many published reviews have a text. */
export async function countPublishedTexts(database: Database, verifiedSources: readonly string[]): Promise<number> {
  const { count } = await database
    .selectFrom("review")
    .select((select) => select.fn.countAll<number | string>().as("count"))
    .where(isPublished(verifiedSources))
    .where("text", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The texts of published reviews, newest first, `size` at a time: what a page is used for may take its time. */
export async function* publishedTexts(
  database: Database,
  verifiedSources: readonly string[],
  size = ROWS_AT_A_TIME,
): AsyncGenerator<readonly PublishedText[]> {
  for (let last: PublishedText | undefined; ; ) {
    const after = last;
    let query = database
      .selectFrom("review")
      .select(["id", "date", "rating", "text"])
      .where(isPublished(verifiedSources))
      .where("text", "is not", null);
    if (after !== undefined) {
      query = query.where((where) =>
        where.or([
          where("date", "<", after.date),
          where.and([where("date", "=", after.date), where("id", "<", after.id)]),
        ]),
      );
    }
    const rows = await query.orderBy("date", "desc").orderBy("id", "desc").limit(size).execute();
    const page = rows.map((row) => ({ ...row, text: row.text ?? "" }));
    if (page.length > 0) yield page;
    last = page.at(-1);
    if (last === undefined || page.length < size) return;
  }
}
