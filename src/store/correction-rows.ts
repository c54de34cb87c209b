/**
 * SQL for corrections. A row belongs to a review's text: it counts while the review has that text. It holds no words but
 * the owner's note: the evidence is a span of the text.
 */
import { hash } from "node:crypto";
import { type ExpressionBuilder, sql } from "kysely";
import { dateOfReviewId, identityPart, type Review } from "../review.ts";
import { insertMany } from "./engine/insert-many.ts";
import { type ListPage, type ListPlace, type ListWish, readPage } from "./list-page.ts";
import { publishedReviews } from "./review-rows.ts";
import { reviewPagesById } from "./review-writes.ts";
import type { CorrectionTable, Database, ReviewTable, Tables } from "./tables.ts";

export type StoredCorrection = Readonly<CorrectionTable>;

/** A correction of a text that a stored review has. */
export interface CorrectionInForce extends StoredCorrection {
  /** The words on which the corrected finding was based. */
  readonly evidence: string;
}

/** What identifies a text for its corrections. */
export function correctedTextKey(text: string): string {
  return hash("sha256", text);
}

/** Where the evidence of a finding stands in its text. */
export function spanOf(text: string, evidence: string): Pick<StoredCorrection, "evidence_from" | "evidence_to"> {
  const from = text.indexOf(evidence);
  return { evidence_from: from, evidence_to: from + evidence.length };
}

/** The span of a correction whose finding is not confirmed. It has no words, so that the correction rests. */
export const UNCONFIRMED = { evidence_from: 0, evidence_to: 0 } as const;

export function isUnconfirmed({ evidence_to }: StoredCorrection): boolean {
  return evidence_to === UNCONFIRMED.evidence_to;
}

/** The key of the corrected finding: review without the day of its id, aspect, text. */
export function correctedFinding({ id, aspect, text_key }: StoredCorrection): string {
  return `${identityPart(id)} ${aspect} ${text_key}`;
}

/** All corrections, newest first. */
export async function listCorrections(database: Database): Promise<StoredCorrection[]> {
  const query = database.selectFrom("correction").selectAll().orderBy("at", "desc");
  return await query.orderBy("id").orderBy("aspect").orderBy("text_key").execute();
}

/** What the place of one in their list consists of. */
export const CORRECTION_PLACE = ["at", "id", "text_key", "aspect"] as const;
export type CorrectionPlace = ListPlace<(typeof CORRECTION_PLACE)[number]>;

/** A page of corrections, newest first. */
export async function correctionPage(
  database: Database,
  wish: ListWish<keyof CorrectionPlace>,
): Promise<ListPage<StoredCorrection, keyof CorrectionPlace>> {
  return await readPage(database, database.selectFrom("correction").selectAll(), CORRECTION_PLACE, wish);
}

/** The corrections under the ids of these reviews. */
export async function correctionsUnder(database: Database, ids: readonly string[]): Promise<StoredCorrection[]> {
  if (ids.length === 0) return [];
  return await database.selectFrom("correction").selectAll().where("id", "in", ids).execute();
}

/** The corrections of a review, whatever day its ids tell, newest first. */
export async function correctionsOf(database: Database, id: string): Promise<StoredCorrection[]> {
  const query = database.selectFrom("correction").selectAll().where(sql`substr(id, 11)`, "=", identityPart(id));
  return await query.orderBy("at", "desc").orderBy("id").orderBy("aspect").orderBy("text_key").execute();
}

/** Those of the corrections, or of all, newest first, that are of texts which stored reviews have. */
export async function correctionsInForce(
  database: Database,
  given?: readonly StoredCorrection[],
): Promise<CorrectionInForce[]> {
  const corrections = given ?? (await listCorrections(database));
  const ids = [...new Set(corrections.map(({ id }) => id))];
  const inForce = new Map<StoredCorrection, CorrectionInForce>();
  const byId = Map.groupBy(corrections, ({ id }) => id);
  for await (const page of reviewPagesById(database, ids)) {
    for (const { id, text } of page) {
      const key = text === null ? undefined : correctedTextKey(text);
      for (const row of byId.get(id) ?? []) {
        const evidence = text?.slice(row.evidence_from, row.evidence_to) ?? "";
        if (row.text_key === key && evidence !== "") inForce.set(row, { ...row, evidence });
      }
    }
  }
  return corrections.flatMap((row) => inForce.get(row) ?? []);
}

/** The corrections that a restore took over without their texts (`analysis/correction-findings.ts`). */
export async function unconfirmedCorrections(database: Database): Promise<StoredCorrection[]> {
  return await database
    .selectFrom("correction")
    .selectAll()
    .where("evidence_to", "=", UNCONFIRMED.evidence_to)
    .execute();
}

/** Stores corrections. One of the same finding in the same text is replaced, or with `keepsOwn` stays. */
export async function addCorrections(
  transaction: Database,
  rows: readonly StoredCorrection[],
  { keepsOwn = false }: { readonly keepsOwn?: boolean } = {},
): Promise<void> {
  for (const { id, aspect, text_key } of keepsOwn ? [] : rows)
    await deleteCorrection(transaction, { id, aspect, text_key });
  await insertMany(transaction, "correction", { rows, skipsConflicts: keepsOwn });
}

/** Deletes the correction of one finding in one text. */
export async function deleteCorrection(
  transaction: Database,
  { id, aspect, text_key }: Pick<StoredCorrection, "id" | "aspect" | "text_key">,
): Promise<void> {
  const query = transaction.deleteFrom("correction").where("id", "=", id).where("aspect", "=", aspect);
  await query.where("text_key", "=", text_key).execute();
}

/** The ids of all reviews, as a subquery. */
const storedIds = ({ selectFrom }: ExpressionBuilder<Tables, "correction">) => selectFrom("review").select("review.id");

/** Deletes the corrections of a review whose words are erased, and those that rest for these words without a review. */
export async function eraseCorrections(transaction: Database, id: string, text: string | null = null): Promise<void> {
  await transaction
    .deleteFrom("correction")
    .where((where) => {
      const isOfWords = where("text_key", "=", text === null ? "" : correctedTextKey(text));
      return where.or([where("id", "=", id), where.and([isOfWords, where("id", "not in", storedIds)])]);
    })
    .execute();
}

/** Deletes the notes on a review whose author is erased: they may name the customer. */
export async function eraseNotes(transaction: Database, id: string): Promise<void> {
  await transaction.updateTable("correction").set({ note: null }).where("id", "=", id).execute();
}

/** The corrections of reviews that are not stored. */
export async function lostCorrections(database: Database): Promise<Pick<StoredCorrection, "id" | "text_key">[]> {
  return await database.selectFrom("correction").select(["id", "text_key"]).where("id", "not in", storedIds).execute();
}

/** Deletes the notes on reviews that are not stored. One of them may be about any review: it came back as another one. */
export async function eraseLostNotes(transaction: Database): Promise<void> {
  await transaction.updateTable("correction").set({ note: null }).where("id", "not in", storedIds).execute();
}

/** Gives the corrections of reviews to the ids that these have now. */
export async function renameCorrections(transaction: Database, renamed: ReadonlyMap<string, string>): Promise<void> {
  if (renamed.size === 0) return;
  const ids = [...renamed.keys()];
  const rows = await transaction.selectFrom("correction").selectAll().where("id", "in", ids).execute();
  if (rows.length === 0) return;
  await transaction.deleteFrom("correction").where("id", "in", ids).execute();
  await addCorrections(transaction, rows.map((row) => ({ ...row, id: renamed.get(row.id) ?? row.id })), { keepsOwn: true }); // biome-ignore format: one page
}

/** A text of at least this many characters identifies a review of a day, as it does for removals. */
export const MIN_TELLING_CHARACTERS = 20;
const DAY_MS = 86_400_000;

/** The day of a review. On a neighbouring one the same review may be in another time zone. */
export function dayNumber(id: string): number {
  return Date.parse(dateOfReviewId(id)) / DAY_MS;
}

/**
 * Gives these new rows the corrections of reviews that are no longer stored: of the same identity, or of the same words
 * on the same or a neighbouring day, because an export may come back without ids or in another time zone.
 */
export async function followCorrectedReviews(transaction: Database, rows: readonly ReviewTable[]): Promise<void> {
  const lost = await lostCorrections(transaction);
  if (lost.length === 0) return;
  const byIdentity = new Map(lost.map(({ id }) => [identityPart(id), id]));
  const byText = Map.groupBy(lost, ({ text_key }) => text_key);
  const renamed = new Map<string, string>();
  for (const { id, text } of rows) {
    const sameWords = text !== null && text.length >= MIN_TELLING_CHARACTERS ? byText.get(correctedTextKey(text)) : [];
    const neighbour = sameWords?.find((one) => Math.abs(dayNumber(one.id) - dayNumber(id)) <= 1);
    const found = byIdentity.get(identityPart(id)) ?? neighbour?.id;
    if (found !== undefined) renamed.set(found, id);
  }
  await renameCorrections(transaction, renamed);
}

/**
 * Gives the corrections of reviews that are not published to their published copies: a review that two sources have is
 * one, whichever of them it is published under. Returns whether there were any.
 */
export async function settleCorrections(transaction: Database, verifiedSources: readonly string[]): Promise<boolean> {
  const corrections = await transaction
    .selectFrom("correction")
    .leftJoin("review", "review.id", "correction.id")
    .selectAll("correction")
    .select("review.author")
    .execute();
  if (corrections.length === 0) return false;
  const days = new Set(corrections.map(({ id }) => dateOfReviewId(id)));
  const published = await publishedReviews(transaction, verifiedSources, days);
  const ids = new Set(published.map(({ id }) => id));
  const unpublished = corrections.filter(({ id }) => !ids.has(id));
  const byText =
    unpublished.length > 0 ? Map.groupBy(published, ({ text }) => correctedTextKey(text ?? "")) : undefined;
  let isAny = false;
  for (const { author, ...correction } of unpublished) {
    const isCopy = ({ id, text, ...other }: Review) =>
      dateOfReviewId(id) === dateOfReviewId(correction.id) &&
      (author === null ? (text ?? "").length >= MIN_TELLING_CHARACTERS : other.author === author);
    const copy = byText?.get(correction.text_key)?.find(isCopy);
    if (copy === undefined) continue;
    isAny = true;
    await deleteCorrection(transaction, correction);
    await addCorrections(transaction, [{ ...correction, id: copy.id }], { keepsOwn: true });
  }
  return isAny;
}
