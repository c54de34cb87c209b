/**
 * Finds what a backup's corrections are of. Nothing that a backup says of a finding is believed: others would publish, or
 * hide, what nobody wrote. One whose text the store does not have is unconfirmed, and rests, until that text is back.
 */
import { analyseText } from "../insight/text-analysis.ts";
import type { Review } from "../review.ts";
import {
  addCorrections,
  correctedTextKey,
  deleteCorrection,
  type StoredCorrection,
  spanOf,
  unconfirmedCorrections,
} from "../store/correction-rows.ts";
import { reviewPagesById } from "../store/review-writes.ts";
import { readBusiness } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { modelFindings } from "./analysis-sweep.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/**
 * The correction as one of what is found in this review about its aspect, which may be another sentiment by now; undefined
 * if nothing is.
 */
export async function confirmedCorrection(
  database: Database,
  correction: StoredCorrection,
  review: Pick<Review, "text" | "rating">,
): Promise<StoredCorrection | undefined> {
  const taxonomy = taxonomyOf(await readBusiness(database));
  const text = review.text ?? "";
  const ofStars = [review.rating, 1, 2, 3, 4, 5].flatMap((rating) => analyseText(text, rating, taxonomy).aspects);
  const all = [...(await modelFindings(database, review)), ...ofStars]; // the stars may have changed since
  const found = all.filter(({ id }) => id === correction.aspect);
  const finding = found.find(({ sentiment }) => sentiment === correction.was) ?? found[0];
  return finding && { ...correction, was: finding.sentiment, ...spanOf(text, finding.evidence) };
}

/** Confirms corrections whose texts are back; deletes those of what is not found in them. */
export async function confirmCorrections(transaction: Database): Promise<void> {
  const corrections = Map.groupBy(await unconfirmedCorrections(transaction), ({ id }) => id);
  for await (const page of reviewPagesById(transaction, [...corrections.keys()])) {
    for (const review of page) {
      const key = correctedTextKey(review.text ?? "");
      for (const correction of corrections.get(review.id) ?? []) {
        if (correction.text_key !== key) continue;
        const found = await confirmedCorrection(transaction, correction, review);
        if (found === undefined) await deleteCorrection(transaction, correction);
        else await addCorrections(transaction, [found]);
      }
    }
  }
}
