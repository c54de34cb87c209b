/**
 * SQL for commit marks: each transaction of a group commit also stores its number, so that the same writes can be tried
 * again when the answer to COMMIT is lost, and take effect once.
 */
import type { Database } from "./tables.ts";

/** Identifies a transaction: the number rises with each one of the same writer. */
export interface CommitMark {
  readonly writer: string;
  readonly number: number;
}

/** Marks of writers that started earlier than this are deleted: their processes have ended. */
const MAX_MARK_AGE_MS = 30 * 86_400_000;

/**
 * Stores the mark of this transaction. Returns false if it is stored already: an earlier try has taken effect. Waits for
 * an earlier try whose COMMIT is still in progress, because that holds the row.
 */
export async function setCommitMark(transaction: Database, { writer, number }: CommitMark): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("commit_mark")
    .values({ writer, number, started_at: new Date().toISOString() })
    .onConflict((conflict) =>
      conflict.column("writer").doUpdateSet({ number }).where("commit_mark.number", "<", number),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes the marks of writers that started long ago. */
export async function deleteOldMarks(transaction: Database): Promise<void> {
  const before = new Date(Date.now() - MAX_MARK_AGE_MS).toISOString();
  await transaction.deleteFrom("commit_mark").where("started_at", "<", before).execute();
}
