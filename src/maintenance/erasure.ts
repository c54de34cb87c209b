/**
 * Clears removed words from the store: from its rows and what was derived from them at once, in the transaction of the
 * removal, and from the freed space of its files afterwards.
 */
import { removeUnneededAnalyses } from "../analysis/analysis-sweep.ts";
import { readRemovals, redactRow, withoutRemoved } from "../import/apply/redaction.ts";
import type { RemovalIndex, RemovalMatch } from "../import/review/removal-keys.ts";
import { identityPart } from "../review.ts";
import { listRenamings, rewriteCopies } from "../store/history/change-rows.ts";
import {
  askForErasure,
  isErasurePending,
  listRemovals,
  markErased,
  renameRemoval,
} from "../store/history/removal-rows.ts";
import { deleteReviews, replaceReview, reviewOfIdentity, reviewsAfter, rowsDiffer } from "../store/review-writes.ts";
import { clearFreedSpace, type Store } from "../store/store.ts";
import type { Database, ReviewCopyTable, ReviewTable } from "../store/tables.ts";

const BATCH = 300;

/** What taking removed reviews out of the rows did: the reviews that are gone, and the ids of those redacted. */
export interface Erased {
  readonly deleted: readonly { readonly id: string; readonly source: string }[];
  readonly redacted: readonly string[];
}

/**
 * Brings every row, every copy for undoing and every analysis into agreement with the removals, and notes that freed
 * space is to be cleared. Called inside a transaction, after the removals were written.
 */
export async function applyRemovals(transaction: Database, now: Date): Promise<Erased> {
  const { index } = await readRemovals(transaction);
  const deleted: { id: string; source: string }[] = [];
  const redacted: string[] = [];
  if (index.isEmpty) return { deleted, redacted };
  for (let after = ""; ; ) {
    const rows = await reviewsAfter(transaction, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) break;
    const gone: ReviewTable[] = [];
    for (const row of rows) {
      const left = withoutRemoved(row, index);
      if (left === undefined) gone.push(row);
      else if (rowsDiffer(row, left)) {
        await replaceReview(transaction, row.id, left);
        redacted.push(row.id);
      }
    }
    const ids = gone.map(({ id }) => id);
    await deleteReviews(transaction, ids);
    deleted.push(...gone.map(({ id, source }) => ({ id, source })));
    after = last.id;
  }
  const earlier = await earlierIdentities(transaction, index);
  await rewriteCopies(transaction, (copy) => copyWithoutRemoved(copy, index, earlier));
  await removeUnneededAnalyses(transaction);
  await askForErasure(transaction, now);
  return { deleted, redacted };
}

/** Lists redactions under the ids that their reviews have now: undoing a change of the time zone gave them others. */
export async function renameRedactions(transaction: Database): Promise<void> {
  const redactions = (await listRemovals(transaction)).filter(({ what }) => what !== "review");
  for (const id of new Set(redactions.map((redaction) => redaction.id))) {
    const row = await reviewOfIdentity(transaction, identityPart(id));
    if (row !== undefined && row.id !== id) await renameRemoval(transaction, id, row.id);
  }
}

/**
 * What removed and redacted reviews were called before an import gave them another identity: the copies hold what they
 * said then, which may be other words.
 */
async function earlierIdentities(transaction: Database, index: RemovalIndex): Promise<Map<string, RemovalMatch>> {
  const earlier = new Map<string, RemovalMatch>();
  for (const { id, became } of await listRenamings(transaction)) {
    const match = index.findById(became) ?? earlier.get(became);
    if (match !== undefined) earlier.set(id, match);
  }
  return earlier;
}

/** A copy as the removals leave it. One that says only that there was no review holds no words. */
function copyWithoutRemoved(
  copy: ReviewCopyTable,
  index: RemovalIndex,
  earlier: ReadonlyMap<string, RemovalMatch>,
): ReviewCopyTable | null {
  if (copy.body === null) return copy;
  const row = JSON.parse(copy.body) as ReviewTable;
  const match = earlier.get(copy.id);
  if (match?.what.has("review") === true) return null;
  const left = match === undefined ? withoutRemoved(row, index) : redactRow(row, match.what);
  if (left === undefined) return null;
  return rowsDiffer(row, left) ? { ...copy, body: JSON.stringify(left) } : copy;
}

/**
 * Clears freed space when a removal asked for it, also one that was stopped half-way. Gives whether there was anything.
 * @throws Error when another program kept reading the store for a minute; it stays to be done.
 */
export async function clearErasedWords(store: Store): Promise<boolean> {
  if (!(await isErasurePending(store.database))) return false;
  await clearFreedSpace(store);
  await markErased(store.database);
  return true;
}
