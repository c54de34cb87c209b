/**
 * SQL for sightings, which say when an import had a review last, and for vanished reviews. Neither table holds a word or a
 * name. A restore closes rows instead of deleting them, so that undo can open them again.
 */
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { insertMany } from "./engine/insert-many.ts";
import { countRows, type ListPage, type ListPlace, type ListWish, readPage } from "./list-page.ts";
import type { Database, ReviewTable, SightingTable, VanishedReviewTable } from "./tables.ts";

const TABLES = ["sighting", "vanished_review"] as const;

export type VanishedReview = Omit<VanishedReviewTable, "change" | "until_change">;

/** The sightings of these reviews of a source, latest first. The id of those of all its reviews is empty. */
export async function sightingsOf(
  database: Database,
  source: string,
  ids: readonly string[],
): Promise<Pick<SightingTable, "id" | "place" | "at" | "made_at" | "arrived">[]> {
  const query = database.selectFrom("sighting").select(["id", "place", "at", "made_at", "arrived"]);
  const open = query.where("source", "=", source).where("id", "in", ids).where("until_change", "is", null);
  return await open.orderBy("at", "desc").execute();
}

/** Records sightings of one source and place by one change. Those of 0, of imports that changed nothing, replace others. */
export async function recordSightings(transaction: Database, rows: readonly SightingTable[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const ofSource = transaction.deleteFrom("sighting").where("source", "=", first.source);
  const same = ofSource.where("place", "=", first.place).where("change", "=", first.change);
  if (first.change === 0) await same.where("id", "in", rows.map(({ id }) => id)).execute(); // biome-ignore format: one statement
  await insertMany(transaction, "sighting", { rows });
}

/** Deletes the sightings of a source that are older than one that no undo can take back. */
export async function dropOldSightings(transaction: Database, source: string): Promise<void> {
  await sql`
    delete from sighting where source = ${source} and until_change is null and exists (
      select 1 from sighting newer
      where newer.source = sighting.source and newer.id in (sighting.id, '') and newer.until_change is null
        and newer.place = sighting.place and newer.at > sighting.at
        and newer.change < coalesce((select min(number) from change where saved_bytes is not null and undone = 0), 1)
    )
  `.execute(transaction);
}

/** The vanished reviews, also those that are back; of one source if it is given. */
export async function vanishedOf(database: Database, source?: string): Promise<VanishedReview[]> {
  const all = database.selectFrom("vanished_review").where("until_change", "is", null);
  const query = source === undefined ? all : all.where("source", "=", source);
  return await query.select(["id", "source", "rating", "had_last_at", "lacked_first_at", "returned_at"]).execute();
}

/**
 * The numbers of the changes that found vanished reviews, or some to be back. After an undo, which
 * deletes the finds, such an import is recognised by having changed nothing else.
 */
export async function changesThatFound(database: Database): Promise<ReadonlySet<number>> {
  const rows = await database.selectFrom("vanished_review").select("change").distinct().execute();
  const imports = database.selectFrom("change").select("number").where("command", "=", "import");
  const empty = imports.where("added", "=", 0).where("changed", "=", 0).where("withdrawn", "=", 0);
  const others = await empty.where("business_before", "is", null).execute();
  return new Set([...rows.map(({ change }) => change), ...others.map(({ number }) => number)]);
}

/** Records what a change found: reviews that have vanished, and the return of others, whose former rows it closes. */
export async function recordVanished(
  transaction: Database,
  change: number,
  rows: readonly VanishedReview[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const former = transaction.updateTable("vanished_review").set({ until_change: change }).where("id", "in", ids);
  await former.where("until_change", "is", null).execute();
  await insertMany(transaction, "vanished_review", {
    rows: rows.map((row) => ({ ...row, change, until_change: null })),
  });
}

/** What decides whether a review that an import lacks has vanished. */
export type LackedReview = Pick<ReviewTable, "id" | "source_id" | "author" | "date" | "rating" | "arrived">;

/** The reviews with these ids. */
export async function lackedReviews(database: Database, ids: readonly string[]): Promise<LackedReview[]> {
  const query = database.selectFrom("review").select(["id", "source_id", "author", "date", "rating", "arrived"]);
  return await query.where("id", "in", ids).orderBy("id").execute();
}

/** The reviews of a source by any of these authors on any of these days. */
export async function reviewsOfAuthors(
  database: Database,
  source: string,
  given: readonly Pick<ReviewTable, "author" | "date">[],
): Promise<Pick<ReviewTable, "id" | "author" | "date">[]> {
  if (given.length === 0) return [];
  const query = database.selectFrom("review").select(["id", "author", "date"]).where("source", "=", source);
  const [authors, days] = [given.map(({ author }) => author), given.map(({ date }) => date)];
  return await query.where("date", "in", days).where("author", "in", authors).execute();
}

/** The ids of a source's reviews in the order in which Google lists them: by their last edit. */
export async function idsByEdit(database: Database, source: string): Promise<string[]> {
  const query = database.selectFrom("review").select("id").where("source", "=", source);
  const rows = await query.orderBy(sql`coalesce(updated_at, written_at, date)`).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/** The number of stored reviews of a source, published or not. */
export async function countOfSource(database: Database, source: string): Promise<number> {
  const query = database.selectFrom("review").select(({ fn }) => fn.countAll<number | string>().as("count"));
  return Number((await query.where("source", "=", source).executeTakeFirst())?.count);
}

/** Takes back what a change recorded. */
export async function takeBackSightings(transaction: Database, change: number): Promise<void> {
  for (const table of TABLES) {
    await transaction.deleteFrom(table).where("change", "=", change).execute();
    await transaction.updateTable(table).set({ until_change: null }).where("until_change", "=", change).execute();
  }
}

/** Puts the sightings and vanished reviews of a backup in the place of the store's, as the work of a change. */
export async function restoreSightings(transaction: Database, backup: Database, change: number): Promise<void> {
  for (const table of TABLES) {
    const open = transaction.updateTable(table).set({ until_change: change }).where("until_change", "is", null);
    await open.execute();
  }
  const sightings = backup.selectFrom("sighting").selectAll().where("until_change", "is", null);
  const latest = new Map(
    (await sightings.orderBy("at").execute()).map((row) => [`${row.source} ${row.id} ${row.place}`, row]),
  );
  await insertMany(transaction, "sighting", { rows: [...latest.values()].map((row) => ({ ...row, change })) });
  const vanished = backup.selectFrom("vanished_review").selectAll().where("until_change", "is", null);
  await insertMany(transaction, "vanished_review", {
    rows: (await vanished.execute()).map((row) => ({ ...row, change })),
  });
  for (const table of TABLES)
    await sql`
      delete from ${sql.table(table)} where change = ${change} and id <> ''
        and id not in (select id from review) and id not in (select id from withdrawn_review)
    `.execute(transaction);
}

/** Whether a backup lists others of the store's reviews as vanished, or otherwise, than the store does. */
export async function listsOtherVanished(database: Database, backup: Database): Promise<boolean> {
  const [own, theirs] = [await vanishedOf(database), await vanishedOf(backup)];
  const stored = new Set<string>();
  const ids = theirs.map(({ id }) => id);
  for (const table of ids.length === 0 ? [] : (["review", "withdrawn_review"] as const))
    for (const { id } of await database.selectFrom(table).select("id").where("id", "in", ids).execute()) stored.add(id);
  const [shown, restorable] = [own, theirs.filter(({ id }) => stored.has(id))].map((rows) =>
    rows.map((row) => JSON.stringify(row)).toSorted(),
  );
  return !isDeepStrictEqual(shown, restorable);
}

/** Gives reviews their new ids. */
export async function renameSightings(transaction: Database, renamed: ReadonlyMap<string, string>): Promise<void> {
  if (renamed.size === 0) return;
  const ids = [...renamed.keys()];
  for (const table of TABLES) {
    const rows = await transaction.selectFrom(table).selectAll().where("id", "in", ids).execute();
    if (rows.length === 0) continue;
    await transaction.deleteFrom(table).where("id", "in", ids).execute();
    const others = rows.map((row) => ({ ...row, id: renamed.get(row.id) ?? row.id }));
    await insertMany(transaction, table, { rows: others as never, skipsConflicts: true });
  }
}

/** Forgets reviews, as a removal requires. */
export async function deleteSightings(transaction: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of TABLES) await transaction.deleteFrom(table).where("id", "in", ids).execute();
}

/** The ids of all reviews in both tables, once each. */
export async function sightedIds(database: Database): Promise<string[]> {
  const tables = TABLES.map((table) => database.selectFrom(table).select("id").distinct().execute());
  return [...new Set((await Promise.all(tables)).flat().map(({ id }) => id))].filter((id) => id !== "");
}

export interface ListedVanished extends VanishedReview {
  /** The change that took it out of the store; null if it is there, 0 if undo or a restore took it out. */
  readonly withdrawn_by: number | null;
}

/** All vanished reviews, those that are back too, the latest first; only those that a change found, if it is given. */
export async function listVanishedRows(database: Database, change?: number): Promise<ListedVanished[]> {
  const query = vanishedQuery(database);
  const chosen =
    change === undefined ? query : query.where("vanished_review.change", "=", change).where("returned_at", "is", null);
  return await chosen.orderBy("lacked_first_at", "desc").orderBy("vanished_review.id", "desc").execute();
}

/** What the place of one in their list consists of. */
export const VANISHED_PLACE = ["lacked_first_at", "id"] as const;
export type VanishedPlace = ListPlace<(typeof VANISHED_PLACE)[number]>;

/** A page of those of which the store has something to tell, or `isGone`: only those that are not back. */
export async function vanishedPage(
  database: Database,
  { isGone = false, ...wish }: ListWish<keyof VanishedPlace> & { readonly isGone?: boolean },
): Promise<ListPage<ListedVanished, keyof VanishedPlace>> {
  return await readPage(database, told(database, isGone), VANISHED_PLACE, wish);
}

/** The number of vanished reviews that are not back. */
export async function countVanished(database: Database): Promise<number> {
  return await countRows(database, told(database, true));
}

/** Without those that undo, or a restore, took out of the store. */
function told(database: Database, isGone: boolean) {
  const query = vanishedQuery(database)
    .leftJoin("review", "review.id", "vanished_review.id")
    .where((where) => where.or([where("review.id", "is not", null), where("withdrawn_by", ">", 0)]));
  return isGone ? query.where("returned_at", "is", null) : query;
}

function vanishedQuery(database: Database) {
  return database
    .selectFrom("vanished_review")
    .leftJoin("withdrawn_review", "withdrawn_review.id", "vanished_review.id")
    .select(["vanished_review.id", "vanished_review.source", "vanished_review.rating"])
    .select(["had_last_at", "lacked_first_at", "returned_at", "withdrawn_by"])
    .where("until_change", "is", null);
}
