/**
 * The history: what changed the store, with copies of what each of the latest changes replaced, so that it can be taken
 * back. Reviews are written through an open change only, so that no write goes without its copy.
 */
import { deleteReviews, insertReviews, replaceReview, reviewsById } from "../review-writes.ts";
import type { ChangeTable, Database, ReviewCopyTable, ReviewTable } from "../tables.ts";

/** For how many changes copies are kept, and how many bytes of them besides those of the latest change. */
export const COPIED_CHANGES = 10;
export const COPIED_BYTES = 32_000_000;
/** How many lines the history keeps. */
const LINES_KEPT = 1000;
const ROWS_AT_A_TIME = 100;

/** The commands whose changes can be taken back. */
const UNDOABLE = ["import", "withdraw", "restore"] as const;

/** A line of the history, as `goodword history --json` prints it. */
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

/** A change that is being made, inside its transaction. */
export interface OpenChange {
  /** Adds rows. `isKnownSkipped`: one whose source key is known already is the same review, and left out. */
  insert(rows: readonly ReviewTable[], options?: { readonly isKnownSkipped?: boolean }): Promise<void>;
  /** Puts `row` in the place of `before`; its id may be another. */
  replace(before: ReviewTable, row: ReviewTable): Promise<void>;
  /** Deletes the rows of these ids. `became` gives the id under which a deleted row comes back, where it does. */
  delete(ids: readonly string[], became?: (id: string) => string | null): Promise<void>;
  /** Writes the line of the history. `businessBefore`: the owner's file before, undefined when it stays. */
  finish(counts: ChangeCounts, businessBefore?: string | null): Promise<void>;
}

/** Begins a change by a command. Nothing of it is kept unless `finish` is called in the same transaction. */
export async function openChange(
  transaction: Database,
  { command, files, at }: { readonly command: string; readonly files: readonly string[]; readonly at: Date },
): Promise<OpenChange> {
  const latest = await transaction.selectFrom("change").select("number").orderBy("number", "desc").executeTakeFirst();
  const number = (latest?.number ?? 0) + 1;
  // Copies of a change that was begun in this place and never finished: an import that changed nothing in public.
  await transaction.deleteFrom("review_copy").where("change", "=", number).execute();
  let waiting: ReviewCopyTable[] = [];
  let bytes = 0;

  async function keep(copies: readonly Omit<ReviewCopyTable, "change">[]): Promise<void> {
    for (const { id, became, body } of copies) {
      bytes += id.length + (body === null ? 0 : Buffer.byteLength(body));
      waiting.push({ change: number, id, became, body });
      if (waiting.length === ROWS_AT_A_TIME) await flush();
    }
  }

  /** The first copy of an id is what it was before the change; what comes later is the change's own. */
  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    await transaction
      .insertInto("review_copy")
      .values(waiting)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    waiting = [];
  }

  return {
    async insert(rows, options) {
      await keep(rows.map(({ id }) => ({ id, became: null, body: null })));
      await insertReviews(transaction, rows, options);
    },
    async replace(before, row) {
      const isRenamed = before.id !== row.id;
      await keep([{ id: before.id, became: isRenamed ? row.id : null, body: JSON.stringify(before) }]);
      if (isRenamed) await keep([{ id: row.id, became: null, body: null }]);
      await replaceReview(transaction, before.id, row);
    },
    async delete(ids, became = () => null) {
      const rows = await reviewsById(transaction, ids);
      await keep(rows.map((row) => ({ id: row.id, became: became(row.id), body: JSON.stringify(row) })));
      await deleteReviews(transaction, ids);
    },
    async finish(counts, businessBefore) {
      await flush();
      const row: ChangeTable = {
        ...{ number, at: at.toISOString(), command, files: JSON.stringify(files), ...counts, undone: 0 },
        business_before: businessBefore === undefined ? null : JSON.stringify(businessBefore),
        copied_bytes: isUndoable(command) ? bytes : null,
      };
      await transaction.insertInto("change").values(row).execute();
      await dropOldCopies(transaction);
    },
  };
}

function isUndoable(command: string): boolean {
  return UNDOABLE.some((name) => name === command);
}

/** Bounds what the copies take: those of the latest change are kept whatever their size, those before while they fit. */
async function dropOldCopies(transaction: Database): Promise<void> {
  const changes = await transaction
    .selectFrom("change")
    .select(["number", "copied_bytes"])
    .where("copied_bytes", "is not", null)
    .where("undone", "=", 0)
    .orderBy("number", "desc")
    .execute();
  let bytes = 0;
  for (const [index, { number, copied_bytes }] of changes.entries()) {
    if (index > 0) bytes += copied_bytes ?? 0;
    if (index === 0 || (index < COPIED_CHANGES && bytes <= COPIED_BYTES)) continue;
    await dropCopies(transaction, number);
  }
  const oldest = await transaction
    .selectFrom("change")
    .select("number")
    .orderBy("number", "desc")
    .offset(LINES_KEPT)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined) await transaction.deleteFrom("change").where("number", "<=", oldest.number).execute();
}

async function dropCopies(transaction: Database, number: number): Promise<void> {
  await transaction.deleteFrom("review_copy").where("change", "=", number).execute();
  await transaction.updateTable("change").set({ copied_bytes: null }).where("number", "=", number).execute();
}

/** The history, newest first. */
export async function readHistory(database: Database): Promise<HistoryLine[]> {
  const rows = await database.selectFrom("change").selectAll().orderBy("number", "desc").execute();
  return rows.map(historyLine);
}

function historyLine({ number, at, command, files, added, changed, withdrawn, undone }: ChangeTable): HistoryLine {
  return { number, at, command, files: JSON.parse(files) as string[], added, changed, withdrawn, undone: undone === 1 };
}

/** How many bytes the copies take in all. */
export async function countCopiedBytes(database: Database): Promise<number> {
  const row = await database
    .selectFrom("change")
    .select(({ fn }) => fn.sum<number | string | null>("copied_bytes").as("bytes"))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** The change that `goodword undo` would take back. */
export interface UndoableChange extends HistoryLine {
  /** Whether its copies are still there. */
  readonly isCopied: boolean;
  /** The owner's file before, undefined when the change left it alone. */
  readonly businessBefore: string | null | undefined;
}

/** The latest import, withdrawal or restore that is not undone yet. */
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
  return { ...historyLine(row), isCopied: row.copied_bytes !== null, businessBefore };
}

/** Puts the reviews back as they were before a change. Gives what that did. Its copies are gone afterwards. */
export async function takeBackReviews(transaction: Database, number: number): Promise<ChangeCounts> {
  let [added, changed, taken, renamed] = [0, 0, 0, 0];
  for await (const copies of copiesOf(transaction, number)) {
    const ids = copies.map(({ id }) => id);
    const present = new Set((await reviewsById(transaction, ids)).map(({ id }) => id));
    await deleteReviews(transaction, ids);
    for (const { id, became, body } of copies) {
      if (body === null) taken += present.has(id) ? 1 : 0;
      else if (present.has(id) || became !== null) changed += 1;
      else added += 1;
      if (body !== null && became !== null) renamed += 1;
    }
  }
  for await (const copies of copiesOf(transaction, number)) {
    const rows = copies.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as ReviewTable]));
    await insertReviews(transaction, rows, { isKnownSkipped: true });
  }
  await dropCopies(transaction, number);
  await transaction.updateTable("change").set({ undone: 1 }).where("number", "=", number).execute();
  return { added, changed, withdrawn: Math.max(0, taken - renamed) };
}

/** Which reviews got another id, in the changes that have copies: the latest first. */
export async function listRenamings(database: Database): Promise<{ readonly id: string; readonly became: string }[]> {
  const rows = await database
    .selectFrom("review_copy")
    .select(["id", "became"])
    .where("became", "is not", null)
    .orderBy("change", "desc")
    .execute();
  return rows.map(({ id, became }) => ({ id, became: became ?? "" }));
}

/** Every copy, page by page, for a removal: gives the changed copy, null to drop it, or the same to leave it. */
export async function rewriteCopies(
  transaction: Database,
  rewrite: (copy: ReviewCopyTable) => ReviewCopyTable | null,
): Promise<void> {
  const changes = await transaction.selectFrom("review_copy").select("change").distinct().execute();
  for (const { change } of changes) {
    for await (const copies of copiesOf(transaction, change)) {
      for (const copy of copies) {
        const rewritten = rewrite(copy);
        if (rewritten === copy) continue;
        const row = transaction.deleteFrom("review_copy").where("change", "=", change).where("id", "=", copy.id);
        await row.execute();
        if (rewritten !== null) await transaction.insertInto("review_copy").values(rewritten).execute();
      }
    }
  }
}

/** The copies of a change, by id. A page may be deleted before the next is read. */
async function* copiesOf(database: Database, number: number): AsyncGenerator<readonly ReviewCopyTable[]> {
  for (let after = ""; ; ) {
    const copies = await database
      .selectFrom("review_copy")
      .selectAll()
      .where("change", "=", number)
      .where("id", ">", after)
      .orderBy("id")
      .limit(ROWS_AT_A_TIME)
      .execute();
    const last = copies.at(-1);
    if (last === undefined) return;
    yield copies;
    after = last.id;
  }
}
