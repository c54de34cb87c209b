/**
 * The aspects that most reviews praise and criticise. Pages, summary and questions use this one ranking, so that they
 * name the same ones.
 */
import type { Aspect } from "../../insights-document.ts";
import type { Theme } from "../theme/themes.ts";

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

/** From this share of an aspect's criticism on, what it is of is named with it. */
const MIN_SHARE_OF_CRITICISM = 0.75;

/**
 * The theme that most of the reviews that criticise an aspect criticise, too: where only the air conditioning is meant,
 * "poor quality" says too little. `positions` are those reviews, ascending.
 */
export function criticisedTheme(themes: readonly Theme[], positions: ArrayLike<number>): Theme | undefined {
  if (positions.length < MIN_REVIEWS) return undefined;
  const least = positions.length * MIN_SHARE_OF_CRITICISM;
  const critical = new Set(Array.from(positions));
  let [named, most]: [Theme | undefined, number] = [undefined, 0];
  for (const theme of themes) {
    if (theme.criticising.length < least) continue;
    const count = theme.criticising.reduce((sum, position) => sum + (critical.has(position) ? 1 : 0), 0);
    if (count >= least && count > most) [named, most] = [theme, count];
  }
  return named;
}
