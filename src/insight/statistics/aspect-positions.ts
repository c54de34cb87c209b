/** The reviews that mention an aspect. */
import type { Sentiment } from "../../insights-document.ts";
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
