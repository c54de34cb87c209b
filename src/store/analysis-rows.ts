/** SQL for cached analyses and the texts that they belong to. They are derived: a missing row is computed again. */

import { sql } from "kysely";
import { boundedPages } from "../lib/bounded-pages.ts";
import { insertMany } from "./engine/insert-many.ts";
import { verifiedCondition } from "./review-rows.ts";
import type { AnalysisTable, Database } from "./tables.ts";

const ROWS_AT_A_TIME = 300;

/** The fields of a published review that an analysis needs. */
export interface PublishedText {
  readonly id: string;
  readonly date: string;
  readonly rating: number;
  readonly text: string;
}

/** The given keys that have a stored analysis. */
export async function knownAnalysisKeys(database: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await database.selectFrom("analysis").select("key").where("key", "in", keys).execute();
  return new Set(rows.map(({ key }) => key));
}

/** The stored analyses with these keys. */
export async function analysesByKeys(database: Database, keys: readonly string[]): Promise<AnalysisTable[]> {
  if (keys.length === 0) return [];
  return await database.selectFrom("analysis").selectAll().where("key", "in", keys).execute();
}

/** The stored analyses whose keys begin so. */
export async function analysesBelow(database: Database, beginning: string): Promise<string[]> {
  const rows = await database.selectFrom("analysis").select("body").where("key", "like", `${beginning}%`).execute();
  return rows.map(({ body }) => body);
}

/** Stores analyses. Keys that exist are skipped: the same key always has the same analysis. */
export async function keepAnalyses(database: Database, rows: readonly AnalysisTable[]): Promise<void> {
  await insertMany(database, "analysis", { rows, skipsConflicts: true });
}

/** The number of stored analyses. */
export async function countAnalyses(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom("analysis")
    .select((select) => select.fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Up to `limit` keys above `after`, in ascending order. */
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

/** The number of published reviews with a text. */
export async function countPublishedTexts(database: Database, verifiedSources: readonly string[]): Promise<number> {
  const { count } = await database
    .selectFrom("review")
    .select((select) => select.fn.countAll<number | string>().as("count"))
    .where(verifiedCondition(verifiedSources))
    .where("text", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The texts of published reviews, newest first, in bounded pages of at most `size`. No query stays open between pages. */
export async function* publishedTexts(
  database: Database,
  verifiedSources: readonly string[],
  size = ROWS_AT_A_TIME,
): AsyncGenerator<readonly PublishedText[]> {
  for (let last: { readonly id: string; readonly date: string } | undefined; ; ) {
    const after = last;
    let query = database
      .selectFrom("review")
      .select(["id", "date", sql<number>`octet_length(text)`.as("bytes")])
      .where(verifiedCondition(verifiedSources))
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
    for (const page of boundedPages(rows, ({ bytes }) => bytes)) {
      const ids = page.map(({ id }) => id);
      const texts = database.selectFrom("review").select(["id", "date", "rating", "text"]).where("id", "in", ids);
      const read = await texts.orderBy("date", "desc").orderBy("id", "desc").execute();
      yield read.map((row) => ({ ...row, text: row.text ?? "" }));
    }
    last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
  }
}
