/** What survives a restart: the reviews, the business, the revision of both. Opened over one of two engines. */
import { existsSync } from "node:fs";
import { PostgresAdapter, sql } from "kysely";
import { type BusinessFile, businessFileSchema } from "../business.ts";
import type { Review } from "../review.ts";
import { openPostgres } from "./engine/postgres.ts";
import { compactSqlite, copySqlite, createPrivateFile, openSqlite } from "./engine/sqlite.ts";
import { isPostgres } from "./engine/store-url.ts";
import { migrate } from "./migrations.ts";
import { publishedReviews, removedReviewIds } from "./review-rows.ts";
import type { Database, Tables } from "./tables.ts";

/** Which state of the data: a number that rises by one with each change, and the time of that change. */
export interface Revision {
  readonly number: number;
  readonly revised_at: Date;
}

/** One consistent reading of everything that is published. */
export interface Snapshot {
  readonly revision: Revision;
  /** Undefined when the store was never told of a business. */
  readonly business: BusinessFile | undefined;
  /** The verified reviews, newest first. */
  readonly reviews: readonly Review[];
  /** Kept analyses by their key. */
  readonly analyses: ReadonlyMap<string, string>;
  /** The ids of reviews that the owner removed: their addresses say that they are gone. */
  readonly removed: readonly string[];
}

/** An opened store. `database` is for the row modules of this folder only. */
export interface Store {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the store that `url` names, `sqlite:path`, `sqlite::memory:` or `postgres://…`, and brings its tables up to date.
 * @throws Error when it cannot be opened, or was written by a newer program.
 */
export async function openStore(url: string): Promise<Store> {
  const database = await openDatabase(url);
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return { database, close: () => database.destroy() };
}

/** Whether the store that `url` names is there already: opening one that is not makes it. */
export function isStoreThere(url: string): boolean {
  return !url.startsWith("sqlite:") || existsSync(url.slice("sqlite:".length));
}

async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith("sqlite:")) return openSqlite<Tables>(url.slice("sqlite:".length));
  if (isPostgres(url)) return await openPostgres<Tables>(url);
  throw new Error("Cannot open the store: DATABASE_URL begins with neither sqlite: nor postgres:");
}

/** The revision that the store holds now. Cheap: asked several times a second. */
export async function readRevision(database: Database): Promise<Revision> {
  const row = await database.selectFrom("revision").select(["number", "revised_at"]).executeTakeFirstOrThrow();
  return { number: row.number, revised_at: new Date(row.revised_at) };
}

/**
 * Locks out other changes of what is published until the transaction ends. To be called first in a transaction whose
 * writes depend on what it reads; the embedded engine locks as a transaction begins.
 */
export async function lockRevision(transaction: Database): Promise<void> {
  await transaction.updateTable("revision").set({ id: 1 }).where("id", "=", 1).execute();
}

/**
 * Moves the revision on, above `above` where that is higher; called inside the transaction that changes what it counts.
 */
export async function raiseRevision(transaction: Database, now: Date, above = 0): Promise<void> {
  await transaction
    .updateTable("revision")
    .set(({ eb }) => ({
      number: eb.case().when("number", "<", above).then(above).else(eb.ref("number")).end(),
      revised_at: now.toISOString(),
    }))
    .execute();
  await transaction
    .updateTable("revision")
    .set(({ eb }) => ({ number: eb("number", "+", 1) }))
    .execute();
}

/** The owner's file, or undefined when none was imported. */
export async function readBusiness(database: Database): Promise<BusinessFile | undefined> {
  const row = await database.selectFrom("business").select("file").executeTakeFirst();
  return row && businessFileSchema.parse(JSON.parse(row.file));
}

/** Keeps the owner's file. Gives whether it differs from what was kept. */
export async function writeBusiness(transaction: Database, file: BusinessFile): Promise<boolean> {
  const text = JSON.stringify(file);
  if ((await readBusinessText(transaction)) === text) return false;
  await writeBusinessText(transaction, text);
  return true;
}

/** The owner's file as it is kept, null when none was imported. */
export async function readBusinessText(database: Database): Promise<string | null> {
  const row = await database.selectFrom("business").select("file").executeTakeFirst();
  return row?.file ?? null;
}

/** Puts the owner's file back as it was kept; null takes it out. */
export async function writeBusinessText(transaction: Database, file: string | null): Promise<void> {
  if (file === null) return void (await transaction.deleteFrom("business").execute());
  await transaction
    .insertInto("business")
    .values({ id: 1, file })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ file }))
    .execute();
}

/** Reads everything that is published, in one transaction, so that no two parts are of different revisions. */
export async function readSnapshot(store: Store): Promise<Snapshot> {
  return await store.database
    .transaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const revision = await readRevision(transaction);
      const business = await readBusiness(transaction);
      const sources = (business ?? { verified_sources: ["google"] }).verified_sources;
      const reviews = await publishedReviews(transaction, sources);
      const rows = await transaction.selectFrom("analysis").selectAll().execute();
      const analyses = new Map(rows.map(({ key, body }) => [key, body]));
      return { revision, business, reviews, analyses, removed: await removedReviewIds(transaction) };
    });
}

/** Writes a consistent copy of the embedded store to a new file with mode 0600. */
export async function backupStore({ database }: Store, file: string): Promise<void> {
  createPrivateFile(file);
  await sql`vacuum into ${file}`.execute(database);
}

/**
 * Opens a private copy of a backup, brought to today's tables and gone when closed; the file itself is only read.
 * @throws Error when it is no backup of a store, or damaged, or written by a newer program.
 */
export async function openBackup(file: string): Promise<Store> {
  const database = copySqlite<Tables>(file);
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return { database, close: () => database.destroy() };
}

/** Writes the tables anew that hold reviews' words. The server's own log and its archive are the operator's. */
async function compactPostgres(database: Database): Promise<void> {
  await sql`vacuum full review, analysis, review_copy`.execute(database);
}

/** The file in which an embedded store lies; undefined for a store without one. */
export function fileOfStore(url: string): string | undefined {
  const path = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : "";
  return path === "" || path === ":memory:" ? undefined : path;
}

/**
 * Writes the store anew without its freed space, where deleted words may lie, and empties the write-ahead log.
 * @throws Error when another program kept reading the store for a minute.
 */
export async function clearFreedSpace({ database }: Store): Promise<void> {
  if (database.getExecutor().adapter instanceof PostgresAdapter) await compactPostgres(database);
  else await compactSqlite(database);
}
