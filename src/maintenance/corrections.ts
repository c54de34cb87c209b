/** Corrects what the analysis found in published reviews, and takes corrections back. No review is changed by it. */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { UNNAMED_BUSINESS } from "../business.ts";
import type { Correction } from "../correction.ts";
import { analysisKeysOf, openReviewAnalyser } from "../edition/review-analyser.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import { analysesByKeys } from "../store/analysis-rows.ts";
import {
  addCorrections,
  type CorrectionPlace,
  correctedFinding,
  correctedTextKey,
  correctionPage,
  correctionsInForce,
  correctionsOf,
  deleteCorrection,
  listCorrections,
  type StoredCorrection,
  spanOf,
} from "../store/correction-rows.ts";
import { openChange } from "../store/history/change-rows.ts";
import type { ListPage, ListWish } from "../store/list-page.ts";
import { lockRevision, raiseRevision, readBusiness, readRevision, type Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { requirePublished, reviewFault, reviewIdOf } from "./published-ids.ts";

const MAX_NOTE_CHARACTERS = 1_000;
const NOTHING_CHANGED = "Nothing was changed.";

/** The finding to correct: `id` is an id or the address of a review's page, `aspect` an id or a label. */
export interface WantedCorrection extends Pick<Correction, "is"> {
  readonly id: string;
  readonly aspect: string;
  readonly note?: string | undefined;
}

export interface CorrectionReport {
  readonly correction: Correction;
  readonly revision: number;
}

/**
 * Corrects a finding. A correction of the same finding is replaced; what the analysis had found stays on record.
 * @throws Invalid when the review is not published, or nothing was found in it about the aspect.
 */
export async function correctFinding(
  store: Store,
  { id: given, aspect: named, is, note = "" }: WantedCorrection,
  { now, model }: { readonly now: Date; readonly model?: string | undefined },
): Promise<CorrectionReport> {
  requireShownNote(note);
  return await store.database.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    const [review] = await requirePublished(transaction, [given]);
    if (review === undefined) throw new Invalid([reviewFault(given, "is not published")]);
    const business = (await readBusiness(transaction)) ?? UNNAMED_BUSINESS;
    const settings = { taxonomy: taxonomyOf(business), model };
    const rows = await analysesByKeys(transaction, analysisKeysOf(review, settings));
    const analyses = new Map(rows.map(({ key, body }) => [key, body]));
    const analyser = openReviewAnalyser({ analyses, corrections: [] }, business, settings);
    const { aspects } = analyser.analyse(review).analysis;
    const { id } = review;
    const text = review.text ?? "";
    const text_key = correctedTextKey(text);
    const name = named.trim().toLowerCase();
    const aspect = settings.taxonomy.aspects.find((one) => one.id === name || one.label.toLowerCase() === name)?.id ?? name; // biome-ignore format: one page
    const before = (await correctionsOf(transaction, id)).find(
      (one) => one.aspect === aspect && one.text_key === text_key,
    );
    const mention = aspects.find((one) => one.id === aspect);
    const finding = before ?? (mention && { was: mention.sentiment, ...spanOf(text, mention.evidence) });
    if (finding === undefined) throw new Invalid([aspectFault(id, named, aspects)]);
    const { was, evidence_from, evidence_to } = finding;
    const correction = { id, aspect, was, is, at: now.toISOString(), note: note.trim() || null };
    await addCorrections(transaction, [{ ...correction, text_key, evidence_from, evidence_to }]);
    return { correction, revision: await record(transaction, "correct", now) };
  });
}

/** A correction, and whether it counts: it rests while its review is not stored or has another text. */
export interface ListedCorrection {
  readonly correction: Correction;
  /** Where its evidence stands in the review's text, in UTF-16 units; empty while that is not known. */
  readonly evidence: readonly [from: number, to: number];
  readonly isInForce: boolean;
}

/** All corrections, newest first. */
export async function allCorrections({ database }: Store): Promise<readonly ListedCorrection[]> {
  return await listed(database, await listCorrections(database));
}

/** A page of them. */
export async function correctedFindings(
  { database }: Store,
  wish: ListWish<keyof CorrectionPlace>,
): Promise<ListPage<ListedCorrection, keyof CorrectionPlace>> {
  const { rows, last } = await correctionPage(database, wish);
  return { rows: await listed(database, rows), last };
}

async function listed(database: Database, rows: readonly StoredCorrection[]): Promise<readonly ListedCorrection[]> {
  const inForce = new Set((await correctionsInForce(database, rows)).map(correctedFinding));
  return rows.map((stored) => {
    const { id, aspect, was, is, at, note, evidence_from, evidence_to } = stored;
    const isInForce = inForce.has(correctedFinding(stored));
    return { correction: { id, aspect, was, is, at, note }, evidence: [evidence_from, evidence_to], isInForce };
  });
}

/**
 * Takes a correction back: that of the review's present text, or if there is none, those of its earlier texts.
 * @throws Invalid when there is no such correction.
 */
export async function takeBackCorrection(
  store: Store,
  { id: given, aspect: named }: Pick<WantedCorrection, "id" | "aspect">,
  now: Date,
): Promise<CorrectionReport> {
  return await store.database.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    const [id, aspect] = [reviewIdOf(given), named.trim().toLowerCase()];
    const ofReview = await correctionsOf(transaction, id);
    const all = ofReview.filter((one) => one.aspect === aspect);
    const inForce = new Set((await correctionsInForce(transaction, all)).map(correctedFinding));
    const present = all.filter((one) => inForce.has(correctedFinding(one)));
    const [first] = all;
    if (first === undefined) throw new Invalid([notCorrectedFault(id, named, ofReview)]);
    for (const each of present.length > 0 ? present : all) await deleteCorrection(transaction, each);
    return { correction: present[0] ?? first, revision: await record(transaction, "uncorrect", now) };
  });
}

/** Adds a correction to the history and has everything published again. Returns the new revision. */
async function record(transaction: Database, command: "correct" | "uncorrect", now: Date): Promise<number> {
  const change = await openChange(transaction, { command, files: [], at: now });
  await change.finish({ added: 0, changed: 0, withdrawn: 0 });
  await raiseRevision(transaction, now);
  return (await readRevision(transaction)).number;
}

function aspectFault(
  id: string,
  named: string,
  found: readonly { readonly id: string; readonly sentiment: string }[],
): Issue {
  const list = found.map((mention) => `${mention.id} (${mention.sentiment})`).join(", ");
  const others = list === "" ? "Nothing was found in it." : `What was found in it: ${list}.`;
  const message = `Nothing about ${quote(named)} was found in the review ${id}. ${others} ${NOTHING_CHANGED}`;
  return { code: "aspect", path: ["aspect"], message };
}

function notCorrectedFault(id: string, named: string, ofReview: readonly StoredCorrection[]): Issue {
  const others = ofReview.length === 0 ? "" : ` Corrected in it: ${ofReview.map(({ aspect }) => aspect).join(", ")}.`;
  const message = `There is no correction of ${quote(named)} in the review ${quote(id)}.${others} goodword corrections lists them. ${NOTHING_CHANGED}`;
  return { code: "correction", path: ofReview.length === 0 ? ["id"] : ["aspect"], message };
}

/** @throws Invalid when a backup of the note could not be restored. */
function requireShownNote(note: string): void {
  const fault =
    note.length > MAX_NOTE_CHARACTERS
      ? `has ${note.length} characters, but may have ${MAX_NOTE_CHARACTERS}`
      : /\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(note)
        ? "holds a character that cannot be shown, such as a line break"
        : undefined;
  if (fault !== undefined)
    throw new Invalid([{ code: "note", path: ["note"], message: `The note ${fault}. ${NOTHING_CHANGED}` }]);
}
