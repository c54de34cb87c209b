/**
 * Erases removed text from the store: first from its rows and data derived from them, in the transaction of the
 * removal, then from the freed space of its files.
 */
import { removeUnneededAnalyses } from "../analysis/analysis-sweep.ts";
import { REDACTED_AUTHOR, redactRow, type StoredRemovals, withoutRemoved } from "../import/apply/redaction.ts";
import { unnamedAuthor } from "../import/review/candidate.ts";
import { indexRemovals, type RemovalIndex, removalKeysOf, suspectOf } from "../import/review/removal-keys.ts";
import { identityPart } from "../review.ts";
import { eraseCorrections, eraseLostNotes, eraseNotes, lostCorrections } from "../store/correction-rows.ts";
import { deleteEdits, recordEdits } from "../store/edit-rows.ts";
import { rewriteSavedRows } from "../store/history/change-rows.ts";
import {
  askForErasure,
  listRemovals,
  markErased,
  pendingErasures,
  type RemovalKey,
  renameRemoval,
} from "../store/history/removal-rows.ts";
import { allSavedRows } from "../store/history/saved-rows.ts";
import { forgetQuotedReviews } from "../store/notice-rows.ts";
import { deleteReviews, idsByIdentity, replaceReview, reviewPages, rowsDiffer } from "../store/review-writes.ts";
import { deleteSightings, sightedIds } from "../store/sighting-rows.ts";
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
 * cleared. Called inside a transaction, after the removals were written and `stored` was read.
 */
export async function applyRemovals(transaction: Database, stored: StoredRemovals, now: Date): Promise<Erased> {
  const { index } = stored;
  const deleted: { id: string; source: string }[] = [];
  const redacted: string[] = [];
  if (index.isEmpty) return { deleted, redacted };
  for await (const rows of reviewPages(transaction, BATCH)) {
    const [gone, edited]: [string[], string[]] = [[], []];
    for (const row of rows) {
      const left = withoutRemoved(row, index);
      // The words may be gone already, and corrections of them rest.
      const isWordless = left === undefined || index.findById(row.id)?.what.has("text") === true;
      if (isWordless) await eraseCorrections(transaction, row.id, row.text);
      if (left !== undefined && !rowsDiffer(row, left)) continue;
      if (left === undefined) deleted.push({ id: row.id, source: row.source });
      else await replaceReview(transaction, row.id, left);
      (left === undefined ? gone : edited).push(row.id);
      if (!isWordless) await eraseNotes(transaction, row.id);
    }
    await recordEdits(transaction, edited, now);
    await deleteReviews(transaction, gone);
    await deleteEdits(transaction, gone);
    await forgetQuotedReviews(transaction, gone);
    redacted.push(...edited);
  }
  const versions = await indexSavedVersions(transaction, stored);
  for (const { id } of await lostCorrections(transaction)) {
    const what = versions.findById(id)?.what;
    if (what?.has("review") === true || what?.has("text") === true) await eraseCorrections(transaction, id);
  }
  await eraseLostNotes(transaction);
  await eraseSightings(transaction, versions, deleted);
  await rewriteSavedRows(transaction, (saved) => savedRowWithoutRemoved(saved, index, versions));
  await removeUnneededAnalyses(transaction);
  await askForErasure(transaction, now);
  return { deleted, redacted };
}

/** Forgets when imports had, or lacked, the removed reviews. */
export async function eraseSightings(
  transaction: Database,
  index: RemovalIndex,
  deleted: Erased["deleted"] = [],
): Promise<void> {
  const ids = await sightedIds(transaction);
  const removed = ids.filter((id) => index.findById(id)?.what.has("review") === true);
  await deleteSightings(transaction, [...removed, ...deleted.map(({ id }) => id)]);
}

/** Updates redactions to the ids that their reviews have now: undoing a time zone change gave the reviews other ids. */
export async function renameRedactions(transaction: Database): Promise<void> {
  const redactions = (await listRemovals(transaction)).filter(({ what }) => what !== "review");
  const stored = await idsByIdentity(transaction, redactions.map(({ id }) => identityPart(id))); // biome-ignore format: one page
  for (const id of new Set(redactions.map((redaction) => redaction.id))) {
    const present = stored.get(identityPart(id));
    if (present !== undefined && present !== id) await renameRemoval(transaction, id, present);
  }
}

/**
 * The removals with the keys of all saved versions of their reviews. A version may have other words than the removed one,
 * and another id if the review came back without its own: what has the id or the words of a version is one, too.
 */
async function indexSavedVersions(transaction: Database, stored: StoredRemovals): Promise<RemovalIndex> {
  const keys = [...stored.keys];
  const nameOf = ({ kind, key }: RemovalKey) => `${kind} ${key}`;
  const known = new Set(keys.map(nameOf));
  for (let { index } = stored; ; index = indexRemovals(stored.removals, keys)) {
    const before = keys.length;
    for await (const page of allSavedRows(transaction)) {
      for (const { became, body } of page) {
        if (body === null) continue;
        const row = JSON.parse(body) as ReviewTable;
        const match = (became === null ? undefined : index.findById(became)) ?? index.find(suspectOf(row));
        if (match === undefined) continue;
        for (const key of savedKeysOf(row).filter((one) => !known.has(nameOf(one)))) {
          known.add(nameOf(key));
          keys.push({ ...key, id: match.id });
        }
      }
    }
    if (keys.length === before) return index;
  }
}

/** The keys of a saved row. The stars of a customer without a name are any customer's. */
function savedKeysOf(row: ReviewTable): RemovalKey[] {
  const isNamed = row.author !== REDACTED_AUTHOR && row.author !== unnamedAuthor(row.source);
  return removalKeysOf(row).filter(({ kind }) => isNamed || !kind.startsWith("stars"));
}

/** Applies the removals to a saved row. One without a body records only that there was no review. */
function savedRowWithoutRemoved(
  saved: SavedRowTable,
  index: RemovalIndex,
  versions: RemovalIndex,
): SavedRowTable | null {
  const match = versions.findById(saved.id);
  if (saved.body === null || match === undefined) return saved;
  const row = JSON.parse(saved.body) as ReviewTable;
  const left = match.what.has("review") ? undefined : withoutRemoved(row, index) && redactRow(row, match.what);
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
