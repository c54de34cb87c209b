/**
 * The aspects that most reviews praise and criticise. Pages, summary and questions use this one ranking, so that they
 * name the same ones.
 */
import type { Aspect } from "../../insights-document.ts";
import type { Theme } from "../theme/themes.ts";

/** A theme, and in how many of some reviews it is named. */
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

const MAX_NAMED = 3;
/** A theme is named so many times as often in criticism of an aspect as in all reviews, and criticised in this share of it. */
const [MIN_RATIO, MIN_CRITICISED] = [2, 0.5];

/**
 * The themes that reviews which criticise an aspect criticise, too, and name clearly more often than others do, the most
 * frequent first, and in how many they are named: where it is the air conditioning, "poor quality" says too little, and so does "the place" where
 * it is the parking and the lift. `critical`: the positions of those reviews; `texts`: the number of all whose words were
 * read.
 */
export function criticisedThemes(
  themes: readonly Theme[],
  { critical, texts }: { readonly critical: ArrayLike<number>; readonly texts: number },
): CriticisedTheme[] {
  const reviews = new Set(Array.from(critical));
  const share = reviews.size / texts;
  const least = Math.min(MIN_RATIO * share, (1 + share) / 2); // where most reviews are critical, nothing is twice as often
  const within = (positions: Uint32Array) => positions.filter((position) => reviews.has(position)).length;
  return themes
    .map((theme) => ({ ...theme, count: within(theme.positions) }))
    .filter(({ count, positions, criticising }) => {
      if (count < MIN_REVIEWS || count < least * positions.length) return false;
      return within(criticising) >= MIN_CRITICISED * count;
    })
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_NAMED);
}
