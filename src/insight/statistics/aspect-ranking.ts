/**
 * The aspects that most reviews praise and criticise. Pages, summary and questions use this one ranking, so that they
 * name the same ones.
 */
import type { Aspect } from "../../insights-document.ts";

/** Fewer reviews that say the same are not reported: one or two may be misread. */
export const MIN_REVIEWS = 3;

/** Most praised first: `max` of them, and those that are praised as often as the last of these. */
export function mostPraised(aspects: readonly Aspect[], max: number): Aspect[] {
  return ranked(aspects, "positive_count", max);
}

/** Most criticised first: `max` of them, and those that are criticised as often as the last of these. */
export function mostCriticised(aspects: readonly Aspect[], max = Number.POSITIVE_INFINITY): Aspect[] {
  return ranked(aspects, "negative_count", max);
}

function ranked(aspects: readonly Aspect[], count: "positive_count" | "negative_count", max: number): Aspect[] {
  const all = aspects.filter((aspect) => aspect[count] >= MIN_REVIEWS).toSorted((a, b) => b[count] - a[count]);
  const least = all[max - 1]?.[count] ?? MIN_REVIEWS;
  return all.filter((aspect) => aspect[count] >= least);
}
