/**
 * The aspects that most reviews praise and criticise. Pages, summary and questions use this one ranking, so that they
 * name the same ones.
 */
import type { Aspect } from "../../insights-document.ts";
import type { Theme } from "../theme/themes.ts";

/** A theme, and in how many of some reviews it is criticised. */
export interface CriticisedTheme extends Theme {
  readonly count: number;
}

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

/** From these shares of an aspect's criticism on, what it is of is named with it: one theme, or several, which may leave more out. */
const [MIN_SHARE_OF_ONE, MIN_SHARE_OF_SEVERAL] = [0.75, 0.6];
const MAX_NAMED = 3;

/**
 * The themes that most of the reviews that criticise an aspect criticise, too, the most frequent first, each with the
 * number of those reviews: where only the air
 * conditioning is meant, "poor quality" says too little, and so does "the place" where it is the parking and the lift.
 * `positions` are those reviews. Empty where the fewest themes that most of them criticise are too many.
 */
export function criticisedThemes(themes: readonly Theme[], positions: ArrayLike<number>): CriticisedTheme[] {
  const critical = new Set(Array.from(positions));
  const frequent = themes
    .map((theme) => ({ theme, of: theme.criticising.filter((position) => critical.has(position)) }))
    .filter(({ of }) => of.length >= MIN_REVIEWS)
    .toSorted((a, b) => b.of.length - a.of.length)
    .slice(0, MAX_NAMED);
  const covered = new Set<number>();
  for (const [at, { of }] of frequent.entries()) {
    for (const position of of) covered.add(position);
    const least = critical.size * (at === 0 ? MIN_SHARE_OF_ONE : MIN_SHARE_OF_SEVERAL);
    if (covered.size >= least)
      return frequent.slice(0, at + 1).map(({ theme, of }) => ({ ...theme, count: of.length }));
  }
  return [];
}
