/**
 * Replaces the contents of the store by a backup, row by row in one transaction. A running server sees it like any
 * other change: no file is replaced, and no old write-ahead log can be applied to the wrong file.
 */
import { isDeepStrictEqual } from "node:util";
import { copyNeededAnalyses } from "../analysis/analysis-sweep.ts";
import { verifiedSourcesOf } from "../business.ts";
import { changedPowers } from "../business-powers.ts";
import { readRemovals, withoutRemoved } from "../import/apply/redaction.ts";
import { indexRemovals, type RemovalIndex, suspectOf } from "../import/review/removal-keys.ts";
import { languageOfText } from "../insight/text/language.ts";
import { identityPart } from "../review.ts";
import {
  addCorrections,
  correctedFinding,
  correctionsInForce,
  listCorrections,
  type StoredCorrection,
  settleCorrections,
} from "../store/correction-rows.ts";
import { copyEdits, isEdited, recordEdits } from "../store/edit-rows.ts";
import { openBackup } from "../store/history/backup-file.ts";
import { type ChangeCounts, type OpenChange, openChange } from "../store/history/change-rows.ts";
import { comparePrints, type PublishedPrints, publishedPrints } from "../store/history/published-difference.ts";
import {
  addRemovals,
  listRemovalKeys,
  listRemovals,
  type Removal,
  type RemovalKey,
} from "../store/history/removal-rows.ts";
import { copyHubRows, copyPublishedChanges } from "../store/history/store-copy.ts";
import { withdrawnReviews } from "../store/history/withdrawn-rows.ts";
import { sourceImports } from "../store/published-change-rows.ts";
import { reviewPages, reviewPagesById, reviewsById, rowsDiffer, storedIds } from "../store/review-writes.ts";
import { readSourcePlaces, writeSourcePlaces } from "../store/source-place-rows.ts";
import {
  lockRevision,
  parseBusiness,
  raiseRevision,
  readBusiness,
  readBusinessText,
  readRevision,
  type Store,
  writeBusinessText,
} from "../store/store.ts";
import type { Database, ReviewTable } from "../store/tables.ts";
import { applyRemovals, correctionWithoutRemoved, type Erased, findRemoved, renameRedactions } from "./erasure.ts";

const BATCH = 300;

/** What a backup decides otherwise than the store, besides words that undo brings back. */
export interface RestoreEffects extends RemovalEffects {
  /** What is fetched, sent and verified, old and new, a sentence each. */
  readonly powers: readonly string[];
}

/** What the removals of a backup do to a store, for good. */
interface RemovalEffects {
  /** The number of removals and redactions that the store did not have or had revoked. */
  readonly removals: number;
  /** The ids of the store's reviews that they delete, and of those that they redact. */
  readonly deleted: readonly string[];
  readonly redacted: readonly string[];
}

const NO_REMOVALS: RemovalEffects = { removals: 0, deleted: [], redacted: [] };

export interface RestoreReport extends ChangeCounts, RemovalEffects {
  readonly revision: number;
  /** When the backup's last change was made. */
  readonly backedUpAt: Date;
  readonly isBusinessChanged: boolean;
  /** Whether subscriptions were restored, which happens only in a store without imports. */
  readonly isNew: boolean;
}

/** A backup that was opened and checked. It is restored only with what the owner has seen of it. */
export interface Restore {
  /** What restoring it into the store would decide; undefined stands for a new store. */
  effects(store: Store | undefined): Promise<RestoreEffects>;
  /**
   * Restores the backup. Reviews, business and analyses become those of the backup; removals and redactions of both hold;
   * subscriptions stay as they are, unless nothing was ever imported into the store. The revision rises.
   * @throws Error when its effects are not the `confirmed` ones.
   */
  apply(store: Store, now: Date, confirmed: RestoreEffects): Promise<RestoreReport>;
  close(): Promise<void>;
}

/** Opens a backup, which somebody else may have made. @throws Error when goodword cannot have written it. */
export async function openRestore(file: string): Promise<Restore> {
  const backup = await openBackup(file);
  return {
    effects: async (store) => ({
      powers: await powersOf(backup.database, store?.database),
      ...(store === undefined ? NO_REMOVALS : await previewRemovals(store.database, backup.database)),
    }),
    async apply(store, now, confirmed) {
      return await store.database.transaction().execute(async (transaction) => {
        await lockRevision(transaction);
        const powers = await powersOf(backup.database, transaction);
        const report = await restore(transaction, backup, file, now);
        if (!isConfirmed({ ...report, powers }, confirmed))
          throw new Error("The store was changed while you were asked. Nothing was restored: restore again.");
        return report;
      });
    },
    close: backup.close,
  };
}

async function powersOf(backup: Database, present: Database | undefined): Promise<string[]> {
  return changedPowers(present && (await readBusiness(present)), await readBusiness(backup));
}

/** Whether these are the effects that the owner saw. The number of removals says nothing of the store's reviews. */
function isConfirmed(effects: RestoreEffects, confirmed: RestoreEffects): boolean {
  const [actual, seen] = [effects, confirmed].map((each) => [each.powers, each.deleted, each.redacted]);
  return isDeepStrictEqual(actual, seen);
}

async function restore(transaction: Database, backup: Store, file: string, now: Date): Promise<RestoreReport> {
  const before = await readRevision(transaction);
  const theirs = await readRevision(backup.database);
  const [business, restored] = [await readBusinessText(transaction), await readBusinessText(backup.database)];
  const printsBefore = await publishedPrints(transaction, verifiedSourcesOf(parseBusiness(business)));
  const effects = await uniteRemovals(transaction, backup.database, now);
  const { index } = await readRemovals(transaction);
  const change = await openChange(transaction, { command: "restore", files: [file], at: now });
  const counts = await replaceReviews(transaction, change, { backup: backup.database, index, now });
  await renameRedactions(transaction);
  const isBusinessChanged = business !== restored;
  if (isBusinessChanged) await writeBusinessText(transaction, restored);
  if (await settleCorrections(transaction, verifiedSourcesOf(parseBusiness(restored))))
    await raiseRevision(transaction, now);
  const corrections = await uniteCorrections(transaction, backup.database, index);
  if (corrections.length > 0) await raiseRevision(transaction, now); // for texts that the restore does not write
  await writeSourcePlaces(transaction, await readSourcePlaces(backup.database));
  await copyNeededAnalyses(backup.database, transaction);
  const isNew = before.number === 0;
  if (isNew) await copyHubRows(backup.database, transaction);
  if (isNew) await copyPublishedChanges(backup.database, transaction);
  const { added, changed, withdrawn } = counts;
  const prints = await publishedPrints(transaction, verifiedSourcesOf(parseBusiness(restored)));
  const isCorrecting = corrections.length > 0 && (await arePublished(transaction, corrections, prints));
  if (isBusinessChanged || isCorrecting || effects.removals + added + changed + withdrawn > 0) {
    await change.addWithdrawn(await withdrawnReviews(backup.database));
    const removed = new Set(effects.deleted.map(identityPart));
    await change.finish(counts, {
      businessBefore: isBusinessChanged ? business : undefined,
      imports: await sourceImports(backup.database),
      isCorrecting,
      published: comparePrints(printsBefore, prints, (part) => removed.has(part)),
    });
    await raiseRevision(transaction, now, theirs.number);
  }
  const { number: revision } = await readRevision(transaction);
  return { ...counts, revision, backedUpAt: theirs.revised_at, isBusinessChanged, isNew, ...effects };
}

/** Adds the corrections of the backup that the store does not have; removals apply to them. Returns them. */
async function uniteCorrections(
  transaction: Database,
  backup: Database,
  index: RemovalIndex,
): Promise<StoredCorrection[]> {
  const own = new Set((await listCorrections(transaction)).map(correctedFinding));
  const fresh: StoredCorrection[] = [];
  for (const given of await listCorrections(backup)) {
    const [row] = await reviewsById(backup, [given.id]);
    const match = index.findById(given.id) ?? (row && index.find(suspectOf(row)));
    const isUnknown = row === undefined && !index.isEmpty; // its review may be a copy of a removed one
    const correction = isUnknown ? { ...given, note: null } : given;
    const left = correctionWithoutRemoved(correction, match);
    if (left !== undefined && !own.has(correctedFinding(left))) fresh.push(left);
  }
  await addCorrections(transaction, fresh, { keepsOwn: true });
  return fresh;
}

/** Whether some of these corrections count for what is published. Settled, they may have got other ids. */
async function arePublished(
  transaction: Database,
  corrections: readonly StoredCorrection[],
  published: PublishedPrints,
): Promise<boolean> {
  const inForce = await correctionsInForce(transaction);
  const counted = inForce.filter(({ id }) => published.has(identityPart(id)));
  const findings = new Set(counted.map(({ aspect, text_key }) => `${aspect} ${text_key}`));
  return corrections.some(({ aspect, text_key }) => findings.has(`${aspect} ${text_key}`));
}

/** Adds the removals of the backup to those of the store, and applies them. */
async function uniteRemovals(transaction: Database, backup: Database, now: Date): Promise<RemovalEffects> {
  const { removals, keys } = await newRemovals(transaction, backup);
  if (removals.length === 0) return NO_REMOVALS;
  await addRemovals(transaction, removals, keys);
  const erased = await applyRemovals(transaction, now);
  await raiseRevision(transaction, now); // the history does not list erased rows, so that all must be read again
  return effectsOf(removals, erased);
}

/** What `uniteRemovals` would do. */
async function previewRemovals(present: Database, backup: Database): Promise<RemovalEffects> {
  const { removals, keys } = await newRemovals(present, backup);
  if (removals.length === 0) return NO_REMOVALS;
  const all = [...(await listRemovals(present)), ...removals];
  const index = indexRemovals(all, [...(await listRemovalKeys(present)), ...keys]);
  return effectsOf(removals, await findRemoved(present, index));
}

function effectsOf({ length }: readonly Removal[], { deleted, redacted }: Erased): RemovalEffects {
  return { removals: length, deleted: deleted.map(({ id }) => id), redacted };
}

/**
 * The removals of the backup that the store does not have, under the ids that the store has for their reviews, and the
 * keys of those of whose reviews the store has none.
 */
async function newRemovals(
  present: Database,
  backup: Database,
): Promise<{ readonly removals: readonly Removal[]; readonly keys: readonly RemovalKey[] }> {
  const own = await listRemovals(present);
  const ids = new Map(own.map(({ id }) => [identityPart(id), id]));
  const known = new Set(own.map(({ id, what }) => `${id} ${what}`));
  const renamed = (await listRemovals(backup)).map((each) => ({
    ...each,
    id: ids.get(identityPart(each.id)) ?? each.id,
  }));
  const removals = renamed.filter(({ id, what }) => !known.has(`${id} ${what}`) && !known.has(`${id} review`));
  const fresh = new Set(removals.map(({ id }) => id));
  for (const id of ids.values()) fresh.delete(id);
  return { removals, keys: (await listRemovalKeys(backup)).filter(({ id }) => fresh.has(id)) };
}

/** Replaces the reviews of the store by those of the backup. Equal rows are not written. */
async function replaceReviews(
  transaction: Database,
  change: OpenChange,
  { backup, index, now }: { readonly backup: Database; readonly index: RemovalIndex; readonly now: Date },
): Promise<ChangeCounts> {
  let [added, changed, withdrawn] = [0, 0, 0];
  /** The rows of the backup with the removals applied. Languages are found in the texts, whatever the backup says. */
  const restorable = (rows: readonly ReviewTable[]) =>
    rows
      .map((row) => withoutRemoved(row, index))
      .filter((row) => row !== undefined)
      .map((row) => ({ ...row, language: languageOfText(row.text) }));
  const replaced = new Set<string>();
  const edited: string[] = [];
  for await (const rows of reviewPages(transaction, BATCH)) {
    const gone = new Map(rows.map((row) => [row.id, row]));
    for await (const page of reviewPagesById(backup, [...gone.keys()]))
      for (const other of restorable(page)) {
        const row = gone.get(other.id);
        if (row === undefined || rowsDiffer(row, other)) replaced.add(other.id);
        else gone.delete(other.id);
        if (row !== undefined && isEdited(row, other)) edited.push(row.id);
      }
    const ids = [...gone.keys()];
    withdrawn += ids.filter((id) => !replaced.has(id)).length;
    await change.delete(ids);
  }
  for await (const rows of reviewPages(backup, BATCH)) {
    const unchanged = await storedIds(
      transaction,
      rows.map(({ id }) => id),
    );
    const fresh = restorable(rows).filter(({ id }) => !unchanged.has(id));
    for (const { id } of fresh) {
      if (replaced.has(id)) changed += 1;
      else added += 1;
    }
    await change.insert(fresh);
  }
  await copyEdits(backup, transaction);
  await recordEdits(transaction, edited, now);
  return { added, changed, withdrawn };
}
