/**
 * SQL for corrections. A row belongs to a review's text: it counts while the review has that text. It holds no words but
 * the owner's note: the evidence is a span of the text.
 */
import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Correction } from "../../correction.ts";
import { identityPart } from "../../review.ts";
import { insertMany } from "../engine/insert-many.ts";
import { reviewPagesById } from "../review-writes.ts";
import type { CorrectionTable, Database } from "../tables.ts";

const ROWS_AT_A_TIME = 300;

export type StoredCorrection = Readonly<CorrectionTable>;

/** A correction of a text that a stored review has. */
export interface CorrectionInForce extends Correction {
  /** The words on which the corrected finding was based. */
  readonly evidence: string;
}

/** What identifies a text for its corrections. */
export function correctedTextKey(text: string): string {
  return hash("sha256", text);
}

/** All corrections, newest first. */
export async function listCorrections(database: Database): Promise<StoredCorrection[]> {
  const query = database.selectFrom("correction").selectAll().orderBy("at", "desc");
  return await query.orderBy("id").orderBy("aspect").orderBy("text_key").execute();
}

/** The corrections of texts that stored reviews have, newest first. */
export async function correctionsInForce(database: Database): Promise<CorrectionInForce[]> {
  const corrections = await listCorrections(database);
  const ids = [...new Set(corrections.map(({ id }) => id))];
  const inForce = new Map<StoredCorrection, CorrectionInForce>();
  const byId = Map.groupBy(corrections, ({ id }) => id);
  for (let from = 0; from < ids.length; from += ROWS_AT_A_TIME) {
    for await (const page of reviewPagesById(database, ids.slice(from, from + ROWS_AT_A_TIME))) {
      for (const { id, text } of page) {
        const key = text === null ? undefined : correctedTextKey(text);
        for (const row of byId.get(id) ?? []) {
          const { text_key, evidence_from, evidence_to, ...correction } = row;
          const evidence = text?.slice(evidence_from, evidence_to) ?? "";
          if (text_key === key) inForce.set(row, { ...correction, evidence });
        }
      }
    }
  }
  return corrections.flatMap((row) => inForce.get(row) ?? []);
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

/** Gives the corrections of reviews to the ids that these have now. */
export async function renameCorrections(transaction: Database, renamed: ReadonlyMap<string, string>): Promise<void> {
  if (renamed.size === 0) return;
  const ids = [...renamed.keys()];
  const rows = await transaction.selectFrom("correction").selectAll().where("id", "in", ids).execute();
  if (rows.length === 0) return;
  await transaction.deleteFrom("correction").where("id", "in", ids).execute();
  await addCorrections(transaction, rows.map((row) => ({ ...row, id: renamed.get(row.id) ?? row.id })), { keepsOwn: true }); // biome-ignore format: one page
}

/** Finds reviews again whose day, and so the beginning of their ids, changed while they were out of the store. */
export async function followCorrectedReviews(transaction: Database): Promise<void> {
  const lost = await transaction
    .selectFrom("correction")
    .select("id")
    .distinct()
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("review").select("review.id").whereRef("review.id", "=", "correction.id"))),
    )
    .execute();
  if (lost.length === 0) return;
  const byIdentity = new Map(lost.map(({ id }) => [identityPart(id), id]));
  const identities = sql.join([...byIdentity.keys()]);
  const { rows } = await sql<{ id: string }>`select id from review where substr(id, 11) in (${identities})`.execute(
    transaction,
  );
  await renameCorrections(transaction, new Map(rows.map(({ id }) => [byIdentity.get(identityPart(id)) ?? id, id])));
}
