/**
 * Replaces the contents of the store by a backup, row by row in one transaction. A running server sees it like any
 * other change: no file is replaced, and no old write-ahead log can be applied to the wrong file.
 */
import { isDeepStrictEqual } from "node:util";
import { copyNeededAnalyses } from "../analysis/analysis-sweep.ts";
import { confirmCorrections, confirmedCorrection } from "../analysis/correction-findings.ts";
import { type BusinessFile, verifiedSourcesOf } from "../business.ts";
import { changedPowers } from "../business-powers.ts";
import { type CorrectionCounts, countCorrections } from "../correction.ts";
import { readRemovals, withoutRemoved } from "../import/apply/redaction.ts";
import { memoryWarning } from "../import/publishing-memory.ts";
import type { RemovalIndex } from "../import/review/removal-keys.ts";
import { languageOfText } from "../insight/text/language.ts";
import { dateOfReviewId, identityPart } from "../review.ts";
import {
  addCorrections,
  correctedFinding,
  correctedTextKey,
  correctionsInForce,
  dayNumber,
  isUnconfirmed,
  listCorrections,
  MIN_TELLING_CHARACTERS,
  type StoredCorrection,
  settleCorrections,
  UNCONFIRMED,
} from "../store/correction-rows.ts";
import { commit } from "../store/dry-run.ts";
import { copyEdits, isEdited, recordEdits } from "../store/edit-rows.ts";
import { openBackup } from "../store/history/backup-file.ts";
import { recordChangeNotice } from "../store/history/change-notice.ts";
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
import { type PublishedCounts, sourceImports } from "../store/published-change-rows.ts";
import { copyRows } from "../store/review-rows.ts";
import { reviewPages, reviewPagesById, reviewsById, rowsDiffer, storedIds } from "../store/review-writes.ts";
import { listsOtherVanished, restoreSightings } from "../store/sighting-rows.ts";
import { readSourcePlaces, writeSourcePlaces } from "../store/source-place-rows.ts";
import {
  lockRevision,
  openStore,
  parseBusiness,
  raiseRevision,
  readBusinessText,
  readRevision,
  type Store,
  writeBusinessText,
} from "../store/store.ts";
import type { Database, ReviewTable } from "../store/tables.ts";
import { applyRemovals, eraseSightings, renameRedactions } from "./erasure.ts";

const BATCH = 300;
/** Every change of the store looks for the texts of corrections that rest. */
const MAX_RESTING = 10_000;

/** What a backup changes in the store. */
export interface RestoreEffects extends RemovalEffects {
  /** The business before and after, where it is another one. */
  readonly business: { readonly from: BusinessFile | undefined; readonly to: BusinessFile | undefined } | undefined;
  /** How many reviews leave the pages, return to them, and change on them. */
  readonly published: PublishedCounts;
  /** What is fetched, sent and verified, old and new, a sentence each. */
  readonly powers: readonly string[];
  /** What the corrections do that the store did not have; undo does not take them back. */
  readonly corrections: RestoredCorrections;
  /** If a server lacks the memory to publish what the store then holds. */
  readonly memory: string | undefined;
}

interface RestoredCorrections extends CorrectionCounts {
  /** The number of those whose texts the store does not have, so that what they do is not known. */
  readonly resting: number;
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

export interface RestoreReport extends ChangeCounts, RestoreEffects {
  readonly revision: number;
  /** When the backup's last change was made. */
  readonly backedUpAt: Date;
  readonly isBusinessChanged: boolean;
  /** Whether the list of vanished reviews was another. */
  readonly isListChanged: boolean;
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

export interface RestoreOptions {
  readonly memoryMb?: number | undefined;
  /** What the history calls the backup. */
  readonly name?: string;
  /** Whether SQLite reads the file in this process, where nothing can end it: where no other may be started. */
  readonly inThisProcess?: boolean;
}

/** Opens a backup, which somebody else may have made. @throws Error when goodword cannot have written it. */
export async function openRestore(file: string, options: RestoreOptions = {}): Promise<Restore> {
  const { memoryMb, name = file, inThisProcess = false } = options;
  const backup = await openBackup(file, name, inThisProcess);
  const run = async (store: Store, now: Date, confirmed?: RestoreEffects) =>
    await commit(store.database, confirmed === undefined, async (transaction) => {
      await lockRevision(transaction);
      const restored = await restore(transaction, backup, name, now);
      const isGrown = restored.added + restored.changed > 0;
      const report = { ...restored, memory: isGrown ? await memoryWarning(transaction, memoryMb) : undefined };
      if (confirmed !== undefined && !isConfirmed(report, confirmed))
        throw new Error("The store was changed while you were asked. Nothing was restored: restore again.");
      return report;
    });
  return {
    async effects(store) {
      await using empty = store === undefined ? await openStore("sqlite:") : undefined;
      const { removals, ...found } = await run(store ?? empty ?? backup, new Date());
      const { business, published, powers, deleted, redacted, corrections, memory } = found;
      const erased = { removals: store === undefined ? 0 : removals, deleted, redacted };
      return { business, published, powers, ...erased, corrections, memory };
    },
    apply: run,
    close: backup.close,
  };
}

/** Whether these are the effects that the owner saw. The number of removals says nothing of the store's reviews. */
function isConfirmed(effects: RestoreEffects, confirmed: RestoreEffects): boolean {
  const [actual, seen] = [effects, confirmed].map((each) => {
    const leaving = each.published.withdrawn + each.published.removed;
    return [each.business, leaving, each.powers, each.deleted, each.redacted, each.corrections, each.memory];
  });
  return isDeepStrictEqual(actual, seen);
}

async function restore(
  transaction: Database,
  backup: Store,
  file: string,
  now: Date,
): Promise<Omit<RestoreReport, "memory">> {
  const before = await readRevision(transaction);
  const theirs = await readRevision(backup.database);
  const [business, restored] = [await readBusinessText(transaction), await readBusinessText(backup.database)];
  const powers = changedPowers(parseBusiness(business), parseBusiness(restored));
  const printsBefore = await publishedPrints(transaction, verifiedSourcesOf(parseBusiness(business)));
  const withdrawnBefore = await withdrawnReviews(transaction);
  const { index, ...effects } = await uniteRemovals(transaction, backup.database, now);
  const change = await openChange(transaction, { command: "restore", files: [file], at: now });
  const counts = await replaceReviews(transaction, change, { backup: backup.database, index, now });
  await renameRedactions(transaction);
  const isBusinessChanged = business !== restored;
  if (isBusinessChanged) await writeBusinessText(transaction, restored);
  if (await settleCorrections(transaction, verifiedSourcesOf(parseBusiness(restored))))
    await raiseRevision(transaction, now);
  await writeSourcePlaces(transaction, await readSourcePlaces(backup.database));
  await copyNeededAnalyses(backup.database, transaction);
  const fresh = await uniteCorrections(transaction, backup.database, index);
  if (fresh.length > 0) await raiseRevision(transaction, now); // for texts that the restore does not write
  const isNew = before.number === 0;
  if (isNew) await copyHubRows(backup.database, transaction);
  if (isNew) await copyPublishedChanges(backup.database, transaction);
  const { added, changed, withdrawn } = counts;
  const prints = await publishedPrints(transaction, verifiedSourcesOf(parseBusiness(restored)));
  const removed = new Set(effects.deleted.map(identityPart));
  const published = comparePrints(printsBefore, prints, (part) => removed.has(part));
  const isCorrecting = fresh.length > 0 && (await arePublished(transaction, fresh, prints));
  const isListChanged = await listsOtherVanished(transaction, backup.database);
  if (isBusinessChanged || isListChanged || isCorrecting || effects.removals + added + changed + withdrawn > 0) {
    await change.addWithdrawn(await withdrawnReviews(backup.database));
    await restoreSightings(transaction, backup.database, change.number);
    await eraseSightings(transaction, index);
    const { fresh, ...changes } = await change.finish(counts, {
      businessBefore: isBusinessChanged ? business : undefined,
      imports: await sourceImports(backup.database),
      isCorrecting,
      published,
    });
    const known = new Set([...printsBefore.keys(), ...withdrawnBefore.map(({ id }) => identityPart(id))]);
    const unknown = fresh.filter((id) => !known.has(identityPart(id))); // the owner was never told of them here
    const told = { ...changes, added: unknown.length, fresh: unknown };
    if (unknown.length > 0 && !isNew)
      await recordChangeNotice(transaction, {
        ...{ number: change.number, published: told, isEdit: false, at: now, isFirst: known.size === 0, vanished: 0 },
      });
    await raiseRevision(transaction, now, theirs.number);
  } else if (isNew && theirs.number > 0) await raiseRevision(transaction, now, theirs.number); // it has a history now
  await confirmCorrections(transaction); // the store's own, whose texts the backup brought
  const { number: revision } = await readRevision(transaction);
  const [resting = [], known = []] = [true, false].map((rests) => fresh.filter((one) => isUnconfirmed(one) === rests));
  const corrections = { ...countCorrections(known), resting: resting.length };
  const altered = {
    ...{ isBusinessChanged, isListChanged, published },
    business: isBusinessChanged ? { from: parseBusiness(business), to: parseBusiness(restored) } : undefined,
  };
  return { ...counts, ...effects, powers, corrections, revision, backedUpAt: theirs.revised_at, ...altered, isNew };
}

/**
 * Adds the corrections of the backup that the store does not have: of what is found in the texts that it has now, and, to
 * rest, of texts that it has not. These go if they may be of a removed review, of whose words no hash may stay.
 */
async function uniteCorrections(
  transaction: Database,
  backup: Database,
  index: RemovalIndex,
): Promise<readonly StoredCorrection[]> {
  const stored = await listCorrections(transaction);
  const own = new Set(stored.map(correctedFinding));
  const offered = (await listCorrections(backup)).filter((each) => !own.has(correctedFinding(each)));
  if (offered.length === 0) return [];
  const holders = await reviewsWithText(transaction, offered);
  const removals = Map.groupBy(await listRemovals(transaction), ({ what }) => (what === "author" ? "author" : "words"));
  const daysOf = (removed: readonly Removal[] = []) =>
    new Set(removed.flatMap(({ id }) => [-1, 0, 1].map((days) => dayNumber(id) + days)));
  const [wordless, nameless] = [daysOf(removals.get("words")), daysOf(removals.get("author"))];
  const ofWords = new Set(stored.map(findingInWords));
  let resting = 0;
  const fresh: StoredCorrection[] = [];
  for (const each of offered) {
    const ids = holders.get(each.text_key)?.filter((id) => dateOfReviewId(id) === dateOfReviewId(each.id)) ?? [];
    const [review] = await reviewsById(transaction, ids.includes(each.id) ? [each.id] : ids.slice(0, 1));
    if (review === undefined) {
      const day = dayNumber(each.id);
      if (!wordless.has(day) && !ofWords.has(findingInWords(each)) && resting++ < MAX_RESTING)
        fresh.push({ ...each, ...UNCONFIRMED, note: nameless.has(day) ? null : each.note });
      ofWords.add(findingInWords(each));
      continue;
    }
    const isCopy = review.id !== each.id; // of the corrected review, from another source
    if (isCopy && (review.text ?? "").length < MIN_TELLING_CHARACTERS) continue;
    const note = isCopy || index.findById(each.id) !== undefined ? null : each.note;
    const found = await confirmedCorrection(transaction, { ...each, id: review.id, note }, review);
    if (found !== undefined) fresh.push(found);
  }
  await addCorrections(transaction, fresh, { keepsOwn: true });
  return fresh;
}

/** What a correction is of where two sources have its review: a finding in words of a day. */
function findingInWords({ id, aspect, text_key }: StoredCorrection): string {
  return `${dateOfReviewId(id)} ${aspect} ${text_key}`;
}

/** The ids of the stored reviews of these corrections' days, published or not, by the keys of their texts. */
async function reviewsWithText(
  transaction: Database,
  corrections: readonly StoredCorrection[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = new Map<string, string[]>();
  const days = new Set(corrections.map(({ id }) => dateOfReviewId(id)));
  if (days.size === 0) return ids;
  for await (const page of copyRows(transaction, days))
    for (const { id, text } of page) ids.getOrInsertComputed(correctedTextKey(text ?? ""), () => []).push(id);
  return ids;
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
async function uniteRemovals(
  transaction: Database,
  backup: Database,
  now: Date,
): Promise<RemovalEffects & { readonly index: RemovalIndex }> {
  const { removals, keys } = await newRemovals(transaction, backup);
  await addRemovals(transaction, removals, keys);
  const stored = await readRemovals(transaction);
  const { index } = stored;
  if (removals.length === 0) return { ...NO_REMOVALS, index };
  const { deleted, redacted } = await applyRemovals(transaction, stored, now);
  await raiseRevision(transaction, now); // the history does not list erased rows, so that all must be read again
  return { removals: removals.length, deleted: deleted.map(({ id }) => id), redacted, index };
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
