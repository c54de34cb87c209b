/**
 * Replaces the contents of the store by a backup, row by row in one transaction. A running server sees it like any
 * other change: no file is replaced, and no old write-ahead log can be applied to the wrong file.
 */
import { copyNeededAnalyses } from "../analysis/analysis-sweep.ts";
import { changedPowers } from "../business-powers.ts";
import { readRemovals, withoutRemoved } from "../import/apply/redaction.ts";
import type { RemovalIndex } from "../import/review/removal-keys.ts";
import { languageOfText } from "../insight/text/language.ts";
import { openBackup } from "../store/history/backup-file.ts";
import { type ChangeCounts, type OpenChange, openChange } from "../store/history/change-rows.ts";
import { addRemovals, listRemovalKeys, listRemovals, type Removal } from "../store/history/removal-rows.ts";
import { copyHubRows } from "../store/history/store-copy.ts";
import { addWithdrawn, withdrawnReviewIds } from "../store/history/withdrawn-rows.ts";
import { hasReviews, reviewsAfter, reviewsById, rowsDiffer } from "../store/review-writes.ts";
import {
  lockRevision,
  raiseRevision,
  readBusiness,
  readBusinessText,
  readRevision,
  type Store,
  writeBusinessText,
} from "../store/store.ts";
import type { Database, ReviewTable } from "../store/tables.ts";
import { applyRemovals, renameRedactions } from "./erasure.ts";

const BATCH = 300;

export interface RestoreReport extends ChangeCounts {
  readonly revision: number;
  /** When the backup's last change was made. */
  readonly backedUpAt: Date;
  readonly isBusinessChanged: boolean;
  /** Whether subscriptions were restored, which happens only in a store without imports. */
  readonly isNew: boolean;
  /** The number of removals in the backup that the store did not have or had revoked. */
  readonly removalsAdded: number;
}

/** A backup that was opened and checked. It is restored only with what the owner has seen of it. */
export interface Restore {
  /**
   * What the backup decides otherwise than the store, besides words: what is fetched, sent, verified and removed for
   * good; undefined stands for a new store.
   */
  effects(store: Store | undefined): Promise<string[]>;
  /**
   * Restores the backup. Reviews, business and analyses become those of the backup; removals and redactions of both hold;
   * subscriptions stay as they are, unless nothing was ever imported into the store. The revision rises.
   * @throws Error when its effects are not the `confirmed` ones.
   */
  apply(store: Store, now: Date, confirmed: readonly string[]): Promise<RestoreReport>;
  close(): Promise<void>;
}

/** Opens a backup, which somebody else may have made. @throws Error when goodword cannot have written it. */
export async function openRestore(file: string): Promise<Restore> {
  const backup = await openBackup(file);
  return {
    effects: (store) => effectsOf(backup.database, store?.database),
    async apply(store, now, confirmed) {
      return await store.database.transaction().execute(async (transaction) => {
        await lockRevision(transaction);
        if ((await effectsOf(backup.database, transaction)).join("\n") !== confirmed.join("\n"))
          throw new Error("The store was changed while you were asked. Nothing was restored: restore again.");
        return await restore(transaction, backup, file, now);
      });
    },
    close: backup.close,
  };
}

async function effectsOf(backup: Database, present: Database | undefined): Promise<string[]> {
  const business = present && (await readBusiness(present));
  const powers = changedPowers(business, await readBusiness(backup));
  if (present === undefined || !(await hasReviews(present))) return powers;
  const { length: count } = await newRemovals(present, backup);
  const what = "removals and redactions, new";
  return count === 0
    ? powers
    : [...powers, `${what}: ${count}, for good: goodword undo does not bring back their words`];
}

async function restore(transaction: Database, backup: Store, file: string, now: Date): Promise<RestoreReport> {
  const before = await readRevision(transaction);
  const theirs = await readRevision(backup.database);
  const removalsAdded = await uniteRemovals(transaction, backup.database, now);
  const { index } = await readRemovals(transaction);
  const change = await openChange(transaction, { command: "restore", files: [file], at: now });
  const counts = await replaceReviews(transaction, change, { backup: backup.database, index });
  await addWithdrawn(transaction, await withdrawnReviewIds(backup.database));
  await renameRedactions(transaction);
  const [business, restored] = [await readBusinessText(transaction), await readBusinessText(backup.database)];
  const isBusinessChanged = business !== restored;
  if (isBusinessChanged) await writeBusinessText(transaction, restored);
  await copyNeededAnalyses(backup.database, transaction);
  const isNew = before.number === 0;
  if (isNew) await copyHubRows(backup.database, transaction);
  const { added, changed, withdrawn } = counts;
  if (isBusinessChanged || removalsAdded + added + changed + withdrawn > 0) {
    await change.finish(counts, isBusinessChanged ? business : undefined);
    await raiseRevision(transaction, now, theirs.number);
  }
  const { number: revision } = await readRevision(transaction);
  return { ...counts, revision, backedUpAt: theirs.revised_at, isBusinessChanged, isNew, removalsAdded };
}

/** Adds the removals of the backup to those of the store. Returns the number of new ones. */
async function uniteRemovals(transaction: Database, backup: Database, now: Date): Promise<number> {
  const added = await newRemovals(transaction, backup);
  if (added.length === 0) return 0;
  await addRemovals(transaction, added, await listRemovalKeys(backup));
  await applyRemovals(transaction, now);
  await raiseRevision(transaction, now); // the history does not list erased rows, so that all must be read again
  return added.length;
}

/** The removals of the backup that the store does not have. */
async function newRemovals(present: Database, backup: Database): Promise<Removal[]> {
  const known = new Set((await listRemovals(present)).map(({ id, what }) => `${id} ${what}`));
  const removals = await listRemovals(backup);
  return removals.filter(({ id, what }) => !known.has(`${id} ${what}`) && !known.has(`${id} review`));
}

/** Replaces the reviews of the store by those of the backup. Equal rows are not written. */
async function replaceReviews(
  transaction: Database,
  change: OpenChange,
  { backup, index }: { readonly backup: Database; readonly index: RemovalIndex },
): Promise<ChangeCounts> {
  let [added, changed, withdrawn] = [0, 0, 0];
  /** The rows of the backup with the removals applied. Languages are found in the texts, whatever the backup says. */
  const restorable = (rows: readonly ReviewTable[]) =>
    rows
      .map((row) => withoutRemoved(row, index))
      .filter((row) => row !== undefined)
      .map((row) => ({ ...row, language: languageOfText(row.text) }));
  const replaced = new Set<string>();
  for (let after = ""; ; ) {
    const rows = await reviewsAfter(transaction, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) break;
    const ids = rows.map(({ id }) => id);
    const backedUp = new Map(restorable(await reviewsById(backup, ids)).map((row) => [row.id, row]));
    const gone = rows.filter((row) => {
      const other = backedUp.get(row.id);
      return other === undefined || rowsDiffer(row, other);
    });
    for (const { id } of gone) {
      if (backedUp.has(id)) replaced.add(id);
      else withdrawn += 1;
    }
    await change.delete(gone.map(({ id }) => id));
    after = last.id;
  }
  for (let after = ""; ; ) {
    const rows = await reviewsAfter(backup, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) break;
    const ids = rows.map(({ id }) => id);
    const unchanged = new Set((await reviewsById(transaction, ids)).map(({ id }) => id));
    const fresh = restorable(rows).filter(({ id }) => !unchanged.has(id));
    for (const { id } of fresh) {
      if (replaced.has(id)) changed += 1;
      else added += 1;
    }
    await change.insert(fresh);
    after = last.id;
  }
  return { added, changed, withdrawn };
}
