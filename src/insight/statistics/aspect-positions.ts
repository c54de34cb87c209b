/** The reviews that mention an aspect. */
import type { Aspect, Sentiment } from "../../insights-document.ts";
import { type AnalysedReviews, positionsOf, SENTIMENTS } from "./analysed-reviews.ts";

/** A review that mentions an aspect, with the sentiment of its first mention. */
export interface AspectMentionAt {
  readonly position: number;
  readonly sentiment: Sentiment;
}

/** Up to `max` mentions of the aspect per sentiment, newest first. */
export function newestMentions(analysed: AnalysedReviews, id: string, max: number): AspectMentionAt[] {
  const mentions = SENTIMENTS.flatMap((sentiment) =>
    Array.from(positionsOf(analysed, sentiment, id).subarray(0, max), (position) => ({ position, sentiment })),
  );
  return mentions.sort((a, b) => a.position - b.position);
}

/** The newest review with this sentiment for the aspect, even if its first mention of it has another. */
export function newestWith(analysed: AnalysedReviews, sentiment: Sentiment, id: string): number | undefined {
  const [first] = positionsOf(analysed, sentiment, id);
  const [more] = positionsOf(analysed, `more ${sentiment}`, id);
  return first === undefined || more === undefined ? (first ?? more) : Math.min(first, more);
}

/** Numbers of reviews that gave poor stars, and good ones. */
export interface PoorAndGood {
  readonly poor: number;
  readonly good: number;
}

/** A rating of at most this many stars is called poor. */
export const MAX_POOR_STARS = 2;
/** A rating of at least this many stars is called good. */
export const MIN_GOOD_STARS = 4;

/** How many of the reviews at these positions gave poor stars, and how many good ones. */
export function poorAndGood({ ratings }: AnalysedReviews, positions: ArrayLike<number>): PoorAndGood {
  let [poor, good] = [0, 0];
  for (let at = 0; at < positions.length; at++) {
    const stars = ratings[positions[at] as number] as number;
    if (stars <= MAX_POOR_STARS) poor++;
    else if (stars >= MIN_GOOD_STARS) good++;
  }
  return { poor, good };
}

/** The same of all reviews that speak of an aspect. */
export function starsOnAspect(analysed: AnalysedReviews, id: string): PoorAndGood {
  const lists = SENTIMENTS.map((sentiment) => poorAndGood(analysed, positionsOf(analysed, sentiment, id)));
  return {
    poor: lists.reduce((sum, { poor }) => sum + poor, 0),
    good: lists.reduce((sum, { good }) => sum + good, 0),
  };
}

/** Whether a count exceeds another by a third of itself: praise is an estimate, and of criticism more is missed. */
function isClearlyMore(one: number, other: number): boolean {
  return one * 2 >= other * 3;
}

/**
 * What clearly more reviews say of an aspect than its opposite, if the stars of all that speak of it say so, too;
 * undefined where neither is clear.
 */
export function clearSide(
  analysed: AnalysedReviews,
  { id, positive_count, negative_count }: Aspect,
): "positive" | "negative" | undefined {
  const { poor, good } = starsOnAspect(analysed, id);
  if (isClearlyMore(positive_count, negative_count) && isClearlyMore(good, poor)) return "positive";
  return isClearlyMore(negative_count, positive_count) && isClearlyMore(poor, good) ? "negative" : undefined;
}
