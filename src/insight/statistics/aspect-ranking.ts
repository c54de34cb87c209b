/**
 * The aspects that most reviews praise and criticise. Pages, summary and questions use this one ranking, so that they
 * name the same ones.
 */
import type { Aspect } from "../../insights-document.ts";

/** Fewer reviews that say the same are not reported: one or two may be misread. */
export const MIN_REVIEWS = 3;

/** Most praised first. */
export function mostPraised(aspects: readonly Aspect[]): Aspect[] {
  return ranked(aspects, "positive_count");
}

/** Most criticised first. */
export function mostCriticised(aspects: readonly Aspect[]): Aspect[] {
  return ranked(aspects, "negative_count");
}

function ranked(aspects: readonly Aspect[], count: "positive_count" | "negative_count"): Aspect[] {
  return aspects.filter((aspect) => aspect[count] >= MIN_REVIEWS).toSorted((a, b) => b[count] - a[count]);
}
