/** What survives a restart: the reviews, the business, the revision of both. Opened over one of two engines. */
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { type BusinessFile, businessFileSchema } from "../business.ts";
import type { Review } from "../review.ts";
import { openPostgres } from "./engine/postgres.ts";
import { createPrivateFile, openSqlite } from "./engine/sqlite.ts";
import { isPostgres } from "./engine/store-url.ts";
import { migrate } from "./migrations.ts";
import { publishedReviews } from "./review-rows.ts";
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

/** Moves the revision on; called inside the transaction that changes what it counts. */
export async function raiseRevision(transaction: Database, now: Date): Promise<void> {
  await transaction
    .updateTable("revision")
    .set({ number: sql<number>`number + 1`, revised_at: now.toISOString() })
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
  const row = await transaction.selectFrom("business").select("file").executeTakeFirst();
  if (row?.file === text) return false;
  await transaction
    .insertInto("business")
    .values({ id: 1, file: text })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ file: text }))
    .execute();
  return true;
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
      const analyses = await transaction.selectFrom("analysis").selectAll().execute();
      return { revision, business, reviews, analyses: new Map(analyses.map(({ key, body }) => [key, body])) };
    });
}

/** Writes a consistent copy of the embedded store to a new file with mode 0600. */
export async function backupStore({ database }: Store, file: string): Promise<void> {
  createPrivateFile(file);
  await sql`vacuum into ${file}`.execute(database);
}
