/** SQL for removals and redactions, and whether their text still has to be erased from free pages. */
import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { identityPart } from "../../review.ts";
import { insertMany } from "../engine/insert-many.ts";
import { type ListPage, type ListPlace, type ListWish, readPage } from "../list-page.ts";
import type { Database, RemovalKeyTable, RemovalTable } from "../tables.ts";

export type Removal = Readonly<RemovalTable>;
export type RemovalKey = Readonly<RemovalKeyTable>;

/** The most keys that `import/review/removal-keys.ts` makes: the identity, and four of the words on each of three days. */
export const MAX_KEYS_OF_REMOVAL = 13;

/** All removals and redactions, newest first. */
export async function listRemovals(database: Database): Promise<Removal[]> {
  return await database.selectFrom("removal").selectAll().orderBy("at", "desc").orderBy("id").orderBy("what").execute();
}

/** What the place of one in their list consists of. */
export const REMOVAL_PLACE = ["at", "id", "what"] as const;
export type RemovalPlace = ListPlace<(typeof REMOVAL_PLACE)[number]>;

/** A page of removals and redactions, newest first. */
export async function removalPage(
  database: Database,
  wish: ListWish<keyof RemovalPlace>,
): Promise<ListPage<Removal, keyof RemovalPlace>> {
  return await readPage(database, database.selectFrom("removal").selectAll(), REMOVAL_PLACE, wish);
}

/** The removals and redactions of these reviews, whatever day their ids tell. */
export async function removalsOf(database: Database, ids: readonly string[]): Promise<Removal[]> {
  const parts = ids.map(identityPart);
  if (parts.length === 0) return [];
  return await database.selectFrom("removal").selectAll().where(sql<string>`substr(id, 11)`, "in", parts).execute();
}

/** Those of the ids under which keys are stored. */
export async function idsWithKeys(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await database.selectFrom("removal_key").select("id").distinct().where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function listRemovalKeys(database: Database): Promise<RemovalKey[]> {
  return await database.selectFrom("removal_key").selectAll().execute();
}

/** Stores removals; existing ones stay as they are. The removal of a whole review makes its redactions unnecessary. */
export async function addRemovals(
  transaction: Database,
  removals: readonly Removal[],
  keys: readonly RemovalKey[],
): Promise<void> {
  const whole = removals.filter(({ what }) => what === "review").map(({ id }) => id);
  if (whole.length > 0) await transaction.deleteFrom("removal").where("id", "in", whole).execute();
  await insertMany(transaction, "removal", { rows: removals, skipsConflicts: true });
  await insertMany(transaction, "removal_key", { rows: keys, skipsConflicts: true });
}

/** Deletes all removals and redactions of these reviews. */
export async function deleteRemovals(transaction: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.deleteFrom("removal").where("id", "in", ids).execute();
  await transaction.deleteFrom("removal_key").where("id", "in", ids).execute();
}

/** Changes the id of a removal when its review gets another id, which may have removals from an earlier time. */
export async function renameRemoval(transaction: Database, id: string, renamed: string): Promise<void> {
  await transaction
    .deleteFrom("removal")
    .where("id", "=", renamed)
    .where("what", "in", (query) => query.selectFrom("removal as moved").select("what").where("id", "=", id))
    .execute();
  const moved = await transaction.selectFrom("removal_key").select("id").where("id", "=", id).executeTakeFirst();
  // The keys of one version of the review: more could not be told from those of other reviews.
  if (moved !== undefined) await transaction.deleteFrom("removal_key").where("id", "=", renamed).execute();
  await transaction.updateTable("removal").set({ id: renamed }).where("id", "=", id).execute();
  await transaction.updateTable("removal_key").set({ id: renamed }).where("id", "=", id).execute();
}

/**
 * Records that removed text must be erased from the store's files. Each removal needs a request of its own, because an
 * erasure that began before it may have missed its text.
 */
export async function askForErasure(transaction: Database, now: Date): Promise<void> {
  const id = randomInt(1, MAX_ID);
  await transaction.insertInto("pending_erasure").values({ id, since: now.toISOString() }).execute();
}

/** Above the largest `integer` of PostgreSQL. */
const MAX_ID = 2 ** 31;

export async function isErasurePending(database: Database): Promise<boolean> {
  return (await pendingErasures(database)).length > 0;
}

/** The ids of the requests that an erasure must fulfil if it begins now. */
export async function pendingErasures(database: Database): Promise<number[]> {
  return (await database.selectFrom("pending_erasure").select("id").execute()).map(({ id }) => id);
}

/** Deletes the requests that an erasure has fulfilled. */
export async function markErased(database: Database, requests: readonly number[]): Promise<void> {
  await database.deleteFrom("pending_erasure").where("id", "in", requests).execute();
}
