/** The store, in SQLite or PostgreSQL: everything that survives a restart, and the revision of its published data. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type BusinessFile, businessFileSchema, verifiedSourcesOf } from "../business.ts";
import { dateOfReviewId, type Review } from "../review.ts";
import { type ChangeSequence, readChangeSequence } from "./change-sequence.ts";
import { type CorrectionInForce, correctionsInForce, settleCorrections } from "./correction-rows.ts";
import { type Edit, newestEdits } from "./edit-rows.ts";
import { dropCachedEdition } from "./edition-cache-row.ts";
import { explainConnecting, isOnPostgres, openPostgres, rewriteTables } from "./engine/postgres.ts";
import { overwriteLog } from "./engine/postgres-log.ts";
import { readColumns } from "./engine/read-columns.ts";
import { compactSqlite, createPrivateFile, definedIn, makeSqliteFile, openSqlite } from "./engine/sqlite.ts";
import { isPostgres, storeFileOf } from "./engine/store-url.ts";
import { migrate, requireOwnFile } from "./migrations.ts";
import { type PublicHistory, readPublicHistory } from "./public-history.ts";
import { goneReviewIds, idsWrittenSince, latestChange, type PastChange, publishedReviews } from "./review-rows.ts";
import type { Database, Tables } from "./tables.ts";

/** The state of the data: a number that rises with each change, and the time of the change. */
export interface Revision {
  readonly number: number;
  readonly revised_at: Date;
}

/** A consistent snapshot of everything that is published, or of what changed since an earlier one. */
export interface Snapshot {
  readonly revision: Revision;
  /** Undefined if no business file has been imported. */
  readonly business: BusinessFile | undefined;
  /** The published reviews, newest first; if `changes` is given, only those of its days. */
  readonly reviews: readonly Review[];
  /** What was written since the earlier snapshot; undefined if all reviews were read. */
  readonly changes?: SnapshotChanges | undefined;
  /** The stored analyses by key; empty if `changes` is given: analysing a few texts again is faster than looking them up. */
  readonly analyses: ReadonlyMap<string, string>;
  /** The owner's corrections of findings in these reviews and in those that did not change. */
  readonly corrections: readonly CorrectionInForce[];
  readonly history: PublicHistory;
  /** When the newest reviews were edited, by id. */
  readonly edits: ReadonlyMap<string, Edit>;
  /** The ids of removed and withdrawn reviews: their addresses answer 410 Gone. */
  readonly gone: readonly string[];
  /** The latest change in the history; undefined before the first. */
  readonly change?: PastChange | undefined;
  /** What happened to published reviews, for copies that follow it. */
  readonly sequence: ChangeSequence;
}

/** The state of the store at a snapshot. The next snapshot needs it to read only what changed since. */
export type StoreState = Pick<Snapshot, "revision" | "business" | "change"> & {
  readonly sequence: Pick<ChangeSequence, "ends">;
};

/** The state of the store at a snapshot, without what only an edition needs. */
export function stateOf({ revision, business, change, sequence }: Snapshot): StoreState {
  return { revision, business, change, sequence: { ends: sequence.ends } };
}

interface SnapshotChanges {
  /** The days on which something changed. Copies of a review have the same day, so other days stay as they are. */
  readonly days: ReadonlySet<string>;
  /** The ids of the reviews that were written or deleted. Others of these days are unchanged if they are still published. */
  readonly written: ReadonlySet<string>;
}

/** An open store. Only the modules of this folder use `database` to write SQL. */
export interface Store extends AsyncDisposable {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the store at `url` (`sqlite:path`, `sqlite::memory:` or `postgres://…`) and migrates its tables.
 * @throws Error when it cannot be opened, or was written by a newer program.
 */
export async function openStore(url: string): Promise<Store> {
  let database: Database | undefined;
  try {
    if (!isPostgres(url)) requireOwnFile(definedIn(storeFileOf(url))); // opening a file changes it
    database = await openDatabase(url);
    await migrate(database);
  } catch (error) {
    await database?.destroy();
    throw isPostgres(url) ? explainConnecting(error) : explainOpening(error, storeFileOf(url));
  }
  return storeOver(database);
}

/** The store of an open database whose tables are migrated. */
export function storeOver(database: Database): Store {
  const close = () => database.destroy();
  return { database, close, [Symbol.asyncDispose]: close };
}

/** SQLite's codes for a file that may not be written, and for one that cannot be opened. */
const SQLITE_NO_ACCESS: readonly unknown[] = [8, 14];
const SYSTEM_NO_ACCESS: readonly unknown[] = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOENT"];

/** Names the place of a store that this user may not write, and the setting that chose it. */
function explainOpening(error: unknown, file: string | undefined): unknown {
  if (file === undefined || !(error instanceof Error)) return error;
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
  if (!SYSTEM_NO_ACCESS.includes(code) && !SQLITE_NO_ACCESS.includes((errcode ?? 0) & 0xff)) return error;
  return new Error(
    `The store ${resolve(file)} cannot be written: this user may not write it or its folder, or the disk is read-only (${error.message}). Nothing was changed. Set DATABASE_URL to sqlite:PATH with a path that this user may write, or change the rights`,
    { cause: error },
  );
}

async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith("sqlite:")) {
    const file = storeFileOf(url);
    if (file !== undefined) await makeStoreFile(file);
    return openSqlite<Tables>(url.slice("sqlite:".length));
  }
  if (isPostgres(url)) return await openPostgres<Tables>(url);
  throw new Error("Cannot open the store: DATABASE_URL begins with neither sqlite: nor postgres:");
}

/**
 * Makes a store that is not there, if the disk allows files a second name. Otherwise the file is made as it is opened, and
 * beside the log of a store that was deleted: SQLite drops such a log only where the file is empty.
 */
async function makeStoreFile(file: string): Promise<void> {
  if (["", "-wal", "-journal"].some((ending) => existsSync(`${file}${ending}`))) return;
  await makeSqliteFile<Tables>(file, migrate).catch(() => {}); // opening it says what is in the way
}

/** The current revision. */
export async function readRevision(database: Database): Promise<Revision> {
  const row = await database.selectFrom("revision").selectAll().executeTakeFirst();
  if (row === undefined) throw new Error("The store has no revision");
  return { number: row.number, revised_at: new Date(row.revised_at) };
}

/**
 * Blocks other changes to published data until the transaction ends. Call it first in a transaction whose writes depend
 * on its reads. SQLite takes this lock when a transaction begins.
 */
export async function lockRevision(transaction: Database): Promise<void> {
  await transaction.updateTable("revision").set({ id: 1 }).where("id", "=", 1).execute();
}

/**
 * Raises the revision, to more than `above` if given. Call it inside the transaction that makes the change, at its end:
 * corrections are settled with it, and raise it once more, so that everything is read again. A cached edition is deleted.
 */
export async function raiseRevision(transaction: Database, now: Date, above = 0): Promise<void> {
  const isSettled = await settleCorrections(transaction, verifiedSourcesOf(await readBusiness(transaction)));
  await transaction
    .updateTable("revision")
    .set(({ eb }) => ({
      number: eb.case().when("number", "<", above).then(above).else(eb.ref("number")).end(),
      revised_at: now.toISOString(),
    }))
    .execute();
  await transaction
    .updateTable("revision")
    .set(({ eb }) => ({ number: eb("number", "+", isSettled ? 2 : 1) }))
    .execute();
  await dropCachedEdition(transaction);
}

/** The business file, or undefined if none has been imported. */
export async function readBusiness(database: Database): Promise<BusinessFile | undefined> {
  return parseBusiness(await readBusinessText(database));
}

/** The business file in its stored JSON; undefined for null. */
export function parseBusiness(file: string | null): BusinessFile | undefined {
  return file === null ? undefined : businessFileSchema.parse(JSON.parse(file));
}

/** Stores the business file. Returns whether it differs from the stored one. */
export async function writeBusiness(transaction: Database, file: BusinessFile): Promise<boolean> {
  const text = JSON.stringify(file);
  if ((await readBusinessText(transaction)) === text) return false;
  await writeBusinessText(transaction, text);
  return true;
}

/** The stored JSON of the business file; null if none has been imported. */
export async function readBusinessText(database: Database): Promise<string | null> {
  const row = await database.selectFrom("business").select("file").executeTakeFirst();
  return row?.file ?? null;
}

/** Restores the stored JSON of a business file; null deletes it. */
export async function writeBusinessText(transaction: Database, file: string | null): Promise<void> {
  if (file === null) return void (await transaction.deleteFrom("business").execute());
  await transaction
    .insertInto("business")
    .values({ id: 1, file })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ file }))
    .execute();
}

/**
 * Reads everything that is published in one transaction, so that all parts have the same revision. With the `last`
 * snapshot's state, only what changed since, if the history shows it.
 */
export async function readSnapshot(store: Store, last?: StoreState): Promise<Snapshot> {
  return await inOneState(store, async (transaction) => await snapshotIn(transaction, last));
}

/** The snapshot of a transaction, with what it has written. */
export async function snapshotIn(transaction: Database, last?: StoreState): Promise<Snapshot> {
  const revision = await readRevision(transaction);
  const business = await readBusiness(transaction);
  const change = await latestChange(transaction);
  const sources = verifiedSourcesOf(business);
  const isComparable = last?.change !== undefined && isDeepStrictEqual(last.business, business);
  const revisions = revision.number - (last?.revision.number ?? 0);
  const written = isComparable ? await idsWrittenSince(transaction, last.change, revisions) : undefined;
  const changes = written && { days: new Set(Array.from(written, dateOfReviewId)), written };
  const reviews = await publishedReviews(transaction, sources, changes?.days);
  const analyses = changes === undefined ? await readAnalyses(transaction) : new Map<string, string>();
  const gone = await goneReviewIds(transaction);
  const corrections = await correctionsInForce(transaction);
  const edits = await newestEdits(transaction, sources);
  const history = await readPublicHistory(transaction);
  const sequence = await readChangeSequence(transaction, last?.sequence.ends.at(-1));
  return { revision, business, reviews, changes, analyses, corrections, edits, history, gone, change, sequence };
}

/** Reads in a transaction of its own, so that everything has the same revision. */
async function inOneState<T>(store: Store, read: (transaction: Database) => Promise<T>): Promise<T> {
  const transaction = store.database.transaction().setAccessMode("read only");
  return await transaction.setIsolationLevel("repeatable read").execute(read);
}

/** All analyses by their keys. */
async function readAnalyses(transaction: Database): Promise<ReadonlyMap<string, string>> {
  const analyses = new Map<string, string>();
  await readColumns(transaction, transaction.selectFrom("analysis"), {
    columns: ["key", "body"],
    make: ([key, body]) => void analyses.set(key, body),
  });
  return analyses;
}

/** Writes a consistent copy of the SQLite store to a new file with mode 0600. */
export async function backupStore({ database }: Store, file: string): Promise<void> {
  createPrivateFile(file);
  await sql`vacuum into ${file}`.execute(database);
}

/** The PostgreSQL tables that hold review texts. Its archives and replicas are up to the operator. */
const TABLES_WITH_WORDS = [
  { table: "review", index: "review_pkey" },
  { table: "analysis", index: "analysis_pkey" },
  { table: "saved_row", index: "saved_row_pkey" },
  { table: "correction", index: "correction_pkey" },
  { table: "edition_cache", index: "edition_cache_pkey" },
];

/**
 * Rewrites the store without its free pages, which may still hold deleted text, and empties the write-ahead log. Returns
 * false if PostgreSQL's log remains, because the user of `DATABASE_URL` may not clear it or the server still needs it.
 * @throws Error when another program keeps reading the store for a minute, or for `waitMs`.
 */
export async function clearFreedSpace({ database }: Store, waitMs?: number): Promise<boolean> {
  if (isOnPostgres(database)) {
    await rewriteTables(database, TABLES_WITH_WORDS, waitMs);
    return await overwriteLog(database);
  }
  await compactSqlite(database, waitMs);
  return true;
}
