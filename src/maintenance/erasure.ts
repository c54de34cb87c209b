/**
 * Erases removed text from the store: first from its rows and data derived from them, in the transaction of the
 * removal, then from the freed space of its files.
 */
import { removeUnneededAnalyses } from "../analysis/analysis-sweep.ts";
import { readRemovals, redactRow, withoutRemoved } from "../import/apply/redaction.ts";
import type { RemovalIndex, RemovalMatch } from "../import/review/removal-keys.ts";
import { identityPart } from "../review.ts";
import { eraseCorrections, eraseNotes, listCorrections, type StoredCorrection } from "../store/correction-rows.ts";
import { deleteEdits, recordEdits } from "../store/edit-rows.ts";
import { listRenamings, rewriteSavedRows } from "../store/history/change-rows.ts";
import {
  askForErasure,
  listRemovals,
  markErased,
  pendingErasures,
  renameRemoval,
} from "../store/history/removal-rows.ts";
import { deleteReviews, replaceReview, reviewOfIdentity, reviewPages, rowsDiffer } from "../store/review-writes.ts";
import { clearFreedSpace, type Store } from "../store/store.ts";
import type { Database, ReviewTable, SavedRowTable } from "../store/tables.ts";

const BATCH = 300;

/** The result of applying removals: the deleted reviews, and the ids of the redacted ones. */
export interface Erased {
  readonly deleted: readonly { readonly id: string; readonly source: string }[];
  readonly redacted: readonly string[];
}

/**
 * Applies the removals to every row, every row saved for undo and every analysis, and records that freed space must be
 * cleared. Called inside a transaction, after the removals were written.
 */
export async function applyRemovals(transaction: Database, now: Date): Promise<Erased> {
  const { index } = await readRemovals(transaction);
  const erased = await findRemoved(transaction, index, async (found) => {
    for (const { row, left } of found) {
      if (left !== undefined) await replaceReview(transaction, row.id, left);
      if (left === undefined || left.text === null) await eraseCorrections(transaction, row.id, row.text);
      else await eraseNotes(transaction, row.id);
    }
    const idsOf = (isLeft: boolean) => found.filter(({ left }) => (left !== undefined) === isLeft).map(({ row }) => row.id); // biome-ignore format: one page
    const gone = idsOf(false);
    await recordEdits(transaction, idsOf(true), now);
    await deleteReviews(transaction, gone);
    await deleteEdits(transaction, gone);
  });
  if (index.isEmpty) return erased;
  const earlier = await earlierIdentities(transaction, index);
  for (const correction of await listCorrections(transaction)) {
    const left = correctionWithoutRemoved(correction, index.findById(correction.id) ?? earlier.get(correction.id));
    if (left === undefined) await eraseCorrections(transaction, correction.id);
    else if (left !== correction) await eraseNotes(transaction, correction.id);
  }
  await rewriteSavedRows(transaction, (saved) => savedRowWithoutRemoved(saved, index, earlier));
  await removeUnneededAnalyses(transaction);
  await askForErasure(transaction, now);
  return erased;
}

/** Applies a removal to a correction of its review: a note may quote the words or name the author. */
export function correctionWithoutRemoved(
  correction: StoredCorrection,
  match: RemovalMatch | undefined,
): StoredCorrection | undefined {
  if (match === undefined) return correction;
  if (match.what.has("review") || match.what.has("text")) return undefined;
  return correction.note === null ? correction : { ...correction, note: null };
}

/** A row that removals delete, or redact so that something is left of it. */
interface Found {
  readonly row: ReviewTable;
  readonly left: ReviewTable | undefined;
}

/** Finds what removals delete and redact among the stored reviews; `onFound` is called after each batch. */
export async function findRemoved(
  database: Database,
  index: RemovalIndex,
  onFound: (found: readonly Found[]) => Promise<void> = async () => {},
): Promise<Erased> {
  const deleted: { id: string; source: string }[] = [];
  const redacted: string[] = [];
  if (index.isEmpty) return { deleted, redacted };
  for await (const rows of reviewPages(database, BATCH)) {
    const all = rows.map((row) => ({ row, left: withoutRemoved(row, index) }));
    const found = all.filter(({ row, left }) => left === undefined || rowsDiffer(row, left));
    for (const { row, left } of found) {
      if (left === undefined) deleted.push({ id: row.id, source: row.source });
      else redacted.push(row.id);
    }
    await onFound(found);
  }
  return { deleted, redacted };
}

/** Updates redactions to the ids that their reviews have now: undoing a time zone change gave the reviews other ids. */
export async function renameRedactions(transaction: Database): Promise<void> {
  const redactions = (await listRemovals(transaction)).filter(({ what }) => what !== "review");
  for (const id of new Set(redactions.map((redaction) => redaction.id))) {
    const row = await reviewOfIdentity(transaction, identityPart(id));
    if (row !== undefined && row.id !== id) await renameRemoval(transaction, id, row.id);
  }
}

/**
 * The ids of removed and redacted reviews before an import gave them another identity. Saved rows hold their former text,
 * which the removal's own keys may not match.
 */
async function earlierIdentities(transaction: Database, index: RemovalIndex): Promise<Map<string, RemovalMatch>> {
  const earlier = new Map<string, RemovalMatch>();
  for (const { id, became } of await listRenamings(transaction)) {
    const match = index.findById(became) ?? earlier.get(became);
    if (match !== undefined) earlier.set(id, match);
  }
  return earlier;
}

/** Applies the removals to a saved row. One without a body records only that there was no review. */
function savedRowWithoutRemoved(
  saved: SavedRowTable,
  index: RemovalIndex,
  earlier: ReadonlyMap<string, RemovalMatch>,
): SavedRowTable | null {
  if (saved.body === null) return saved;
  const row = JSON.parse(saved.body) as ReviewTable;
  const match = earlier.get(saved.id);
  if (match?.what.has("review") === true) return null;
  const left = match === undefined ? withoutRemoved(row, index) : redactRow(row, match.what);
  if (left === undefined) return null;
  return rowsDiffer(row, left) ? { ...saved, body: JSON.stringify(left) } : saved;
}

export type Cleared = "nothing" | "tables" | "everything";

/**
 * Clears freed space if a removal requires it, even one that was interrupted. `alsoDelete` first deletes the files that
 * were derived from the store. Returns what was cleared: nothing if there was nothing to do, and the tables only if
 * PostgreSQL's write-ahead log may still hold the words.
 * @throws Error when another program kept reading the store for a minute; the space remains to be cleared.
 */
export async function clearErasedWords(store: Store, alsoDelete: () => void = () => {}): Promise<Cleared> {
  const requests = await pendingErasures(store.database); // first: a later removal requests an erasure of its own
  if (requests.length === 0) return "nothing";
  alsoDelete();
  const isLogCleared = await clearFreedSpace(store);
  await markErased(store.database, requests);
  return isLogCleared ? "everything" : "tables";
}
