/**
 * The history of changes. The rows that the latest changes replaced are saved (table `saved_row`), so that they can be
 * undone. All writes of reviews go through an open change, which saves every row that it replaces or deletes.
 * `takeBackReviews` puts the saved rows back; `maintenance/undo.ts` restores everything else.
 */
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { boundedPages, MAX_PAGE_BYTES } from "../../lib/bounded-pages.ts";
import { insertMany } from "../engine/insert-many.ts";
import { deleteReviews, insertReviews, replaceReview, reviewPagesById, storedIds } from "../review-writes.ts";
import { readSourcePlaces } from "../source-place-rows.ts";
import type { ChangeTable, Database, ReviewTable, SavedRowTable, SourcePlaceTable } from "../tables.ts";
import { addWithdrawn, forgetReturned } from "./withdrawn-rows.ts";

/** The number of changes with saved rows, and the size of these rows without those of the latest change. */
export const MAX_SAVED_CHANGES = 10;
export const MAX_SAVED_BYTES = 32_000_000;
/** The number of changes that the history lists. */
const MAX_LINES = 1000;
const ROWS_AT_A_TIME = 100;

/** The commands that can be undone. */
const UNDOABLE = ["import", "withdraw", "restore"] as const;

/** A line of the output of `goodword history --json`. */
export interface HistoryLine {
  readonly number: number;
  readonly at: string;
  readonly command: string;
  readonly files: readonly string[];
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
  readonly undone: boolean;
}

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
}

/** A change in progress, inside its transaction. */
export interface OpenChange {
  /** Adds rows. With `skipsConflicts`, rows whose id or source key is already stored are skipped. */
  insert(rows: readonly ReviewTable[], options?: { readonly skipsConflicts?: boolean }): Promise<void>;
  /** Replaces `before` with `row`, which may have another id. */
  replace(before: ReviewTable, row: ReviewTable): Promise<void>;
  /** Deletes the rows with these ids. `became` returns the new id of a row that is inserted again. */
  delete(ids: readonly string[], became?: (id: string) => string | null): Promise<void>;
  /** Adds the change to the history. `businessBefore`: the former business file, or undefined if it is unchanged. */
  finish(counts: ChangeCounts, businessBefore?: string | null): Promise<void>;
}

/** Begins a change. It is discarded unless `finish` is called in the same transaction. */
export async function openChange(
  transaction: Database,
  { command, files, at }: { readonly command: string; readonly files: readonly string[]; readonly at: Date },
): Promise<OpenChange> {
  const latest = await transaction.selectFrom("change").select("number").orderBy("number", "desc").executeTakeFirst();
  const number = (latest?.number ?? 0) + 1;
  const placesBefore = await readSourcePlaces(transaction);
  // An earlier change with this number may have saved rows and never finished: an import that changed nothing published.
  await transaction.deleteFrom("saved_row").where("change", "=", number).execute();
  let waiting: SavedRowTable[] = [];
  let [bytes, waitingBytes] = [0, 0];

  async function save(rows: readonly Omit<SavedRowTable, "change">[]): Promise<void> {
    for (const { id, became, body } of rows) {
      const size = id.length + (body === null ? 0 : Buffer.byteLength(body));
      bytes += size;
      waitingBytes += size;
      waiting.push({ change: number, id, became, body });
      if (waiting.length === ROWS_AT_A_TIME || waitingBytes > MAX_PAGE_BYTES) await flush();
    }
  }

  /** Only the first saved row of an id counts: this change itself wrote the later ones. */
  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    await insertMany(transaction, "saved_row", { rows: waiting, skipsConflicts: true });
    waiting = [];
    waitingBytes = 0;
  }

  return {
    async insert(rows, options) {
      await save(rows.map(({ id }) => ({ id, became: null, body: null })));
      await insertReviews(transaction, rows, options);
    },
    async replace(before, row) {
      const isRenamed = before.id !== row.id;
      await save([{ id: before.id, became: isRenamed ? row.id : null, body: JSON.stringify(before) }]);
      if (isRenamed) await save([{ id: row.id, became: null, body: null }]);
      await replaceReview(transaction, before.id, row);
    },
    async delete(ids, became = () => null) {
      const gone: string[] = [];
      for await (const rows of reviewPagesById(transaction, ids)) {
        await save(rows.map((row) => ({ id: row.id, became: became(row.id), body: JSON.stringify(row) })));
        for (const { id } of rows) if (became(id) === null) gone.push(id);
      }
      await deleteReviews(transaction, ids);
      await addWithdrawn(transaction, gone);
    },
    async finish(counts, businessBefore) {
      await flush();
      await forgetReturned(transaction);
      const row: ChangeTable = {
        ...{ number, at: at.toISOString(), command, files: JSON.stringify(files), ...counts, undone: 0 },
        business_before: businessBefore === undefined ? null : JSON.stringify(businessBefore),
        places_before: isDeepStrictEqual(await readSourcePlaces(transaction), placesBefore)
          ? null
          : JSON.stringify(placesBefore),
        saved_bytes: isUndoable(command) ? bytes : null,
      };
      await transaction.insertInto("change").values(row).execute();
      await dropOldSavedRows(transaction);
    },
  };
}

function isUndoable(command: string): boolean {
  return UNDOABLE.some((name) => name === command);
}

/** Limits the size of the saved rows. Those of the latest change always stay, older ones while they fit. */
async function dropOldSavedRows(transaction: Database): Promise<void> {
  const changes = await transaction
    .selectFrom("change")
    .select(["number", "saved_bytes"])
    .where("saved_bytes", "is not", null)
    .where("undone", "=", 0)
    .orderBy("number", "desc")
    .execute();
  let bytes = 0;
  for (const [index, { number, saved_bytes }] of changes.entries()) {
    if (index > 0) bytes += saved_bytes ?? 0;
    if (index === 0 || (index < MAX_SAVED_CHANGES && bytes <= MAX_SAVED_BYTES)) continue;
    await dropSavedRows(transaction, number);
  }
  const oldest = await transaction
    .selectFrom("change")
    .select("number")
    .orderBy("number", "desc")
    .offset(MAX_LINES)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined) await transaction.deleteFrom("change").where("number", "<=", oldest.number).execute();
}

async function dropSavedRows(transaction: Database, number: number): Promise<void> {
  await transaction.deleteFrom("saved_row").where("change", "=", number).execute();
  await transaction.updateTable("change").set({ saved_bytes: null }).where("number", "=", number).execute();
}

/** The history, newest first. */
export async function readHistory(database: Database): Promise<HistoryLine[]> {
  const rows = await database.selectFrom("change").selectAll().orderBy("number", "desc").execute();
  return rows.map(historyLine);
}

function historyLine({ number, at, command, files, added, changed, withdrawn, undone }: ChangeTable): HistoryLine {
  return { number, at, command, files: JSON.parse(files) as string[], added, changed, withdrawn, undone: undone === 1 };
}

/** The total size of the saved rows in bytes. */
export async function countSavedBytes(database: Database): Promise<number> {
  const row = await database
    .selectFrom("change")
    .select(({ fn }) => fn.sum<number | string | null>("saved_bytes").as("bytes"))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** The change that `goodword undo` would undo. */
export interface UndoableChange extends HistoryLine {
  /** Whether the rows that it replaced are still saved. */
  readonly areRowsSaved: boolean;
  /** The former business file; undefined if the change did not affect it. */
  readonly businessBefore: string | null | undefined;
  /** The former places of sources; undefined if the change did not affect them. */
  readonly placesBefore: readonly SourcePlaceTable[] | undefined;
}

/** The latest import, withdrawal or restore that has not been undone. */
export async function lastUndoable(database: Database): Promise<UndoableChange | undefined> {
  const row = await database
    .selectFrom("change")
    .selectAll()
    .where("command", "in", UNDOABLE)
    .where("undone", "=", 0)
    .orderBy("number", "desc")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const businessBefore = row.business_before === null ? undefined : (JSON.parse(row.business_before) as string | null);
  const placesBefore = row.places_before === null ? undefined : (JSON.parse(row.places_before) as SourcePlaceTable[]);
  return { ...historyLine(row), areRowsSaved: row.saved_bytes !== null, businessBefore, placesBefore };
}

/** Restores the reviews as they were before a change, and deletes its saved rows. Returns what was changed. */
export async function takeBackReviews(transaction: Database, number: number): Promise<ChangeCounts> {
  let [added, changed, withdrawn, renamed] = [0, 0, 0, 0];
  for await (const saved of savedRowsOf(transaction, number)) {
    const ids = saved.map(({ id }) => id);
    const present = await storedIds(transaction, ids);
    await deleteReviews(transaction, ids);
    await addWithdrawn(
      transaction,
      saved.flatMap(({ id, body }) => (body === null && present.has(id) ? [id] : [])),
    );
    for (const { id, became, body } of saved) {
      if (body === null) withdrawn += present.has(id) ? 1 : 0;
      else if (present.has(id) || became !== null) changed += 1;
      else added += 1;
      if (body !== null && became !== null) renamed += 1;
    }
  }
  for await (const saved of savedRowsOf(transaction, number)) {
    const rows = saved.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as ReviewTable]));
    await insertReviews(transaction, rows, { skipsConflicts: true });
  }
  await forgetReturned(transaction);
  await dropSavedRows(transaction, number);
  await transaction.updateTable("change").set({ undone: 1 }).where("number", "=", number).execute();
  return { added, changed, withdrawn: Math.max(0, withdrawn - renamed) };
}

/** The reviews that got another id in changes with saved rows, latest first. */
export async function listRenamings(database: Database): Promise<{ readonly id: string; readonly became: string }[]> {
  const rows = await database
    .selectFrom("saved_row")
    .select(["id", "became"])
    .where("became", "is not", null)
    .orderBy("change", "desc")
    .execute();
  return rows.map(({ id, became }) => ({ id, became: became ?? "" }));
}

/** Rewrites every saved row, for removals. `rewrite` returns a changed row, the same one, or null to delete it. */
export async function rewriteSavedRows(
  transaction: Database,
  rewrite: (saved: SavedRowTable) => SavedRowTable | null,
): Promise<void> {
  const changes = await transaction.selectFrom("saved_row").select("change").distinct().execute();
  for (const { change } of changes) {
    for await (const saved of savedRowsOf(transaction, change)) {
      for (const row of saved) {
        const rewritten = rewrite(row);
        if (rewritten === row) continue;
        const former = transaction.deleteFrom("saved_row").where("change", "=", change).where("id", "=", row.id);
        await former.execute();
        if (rewritten !== null) await transaction.insertInto("saved_row").values(rewritten).execute();
      }
    }
  }
}

/** The saved rows of a change, ordered by id, in bounded pages. A page may be deleted before the next one is read. */
async function* savedRowsOf(database: Database, number: number): AsyncGenerator<readonly SavedRowTable[]> {
  for (let after = ""; ; ) {
    const own = database.selectFrom("saved_row").where("change", "=", number).where("id", ">", after).orderBy("id");
    const bytes = sql<number | string>`coalesce(octet_length(body), 0)`.as("bytes");
    const sizes = await own.select(["id", bytes]).limit(ROWS_AT_A_TIME).execute();
    const [page] = boundedPages(sizes, (each) => Number(each.bytes));
    const last = page?.at(-1);
    if (last === undefined) return;
    yield await own.selectAll().where("id", "<=", last.id).execute();
    after = last.id;
  }
}
