/** The reviews that mention an aspect. */
import type { Sentiment } from "../../insights-document.ts";
import { type AnalysedReviews, positionsOf, SENTIMENTS } from "./analysed-reviews.ts";

/** A review that mentions an aspect, and what it says of it first. */
export interface AspectPlace {
  readonly position: number;
  readonly sentiment: Sentiment;
}

/** How many reviews say what of the aspect. */
export function aspectCounts(analysed: AnalysedReviews, id: string): Record<Sentiment, number> {
  const count = (sentiment: Sentiment) => positionsOf(analysed, sentiment, id).length;
  return { positive: count("positive"), neutral: count("neutral"), negative: count("negative") };
}

/** The newest reviews that mention the aspect, so many of each sentiment, newest first. */
export function newestPlaces(analysed: AnalysedReviews, id: string, most: number): AspectPlace[] {
  const places = SENTIMENTS.flatMap((sentiment) =>
    Array.from(positionsOf(analysed, sentiment, id).subarray(0, most), (position) => ({ position, sentiment })),
  );
  return places.sort((a, b) => a.position - b.position);
}

/** The newest review that says this of the aspect, be it not the first that it says of it. */
export function newestSaying(analysed: AnalysedReviews, sentiment: Sentiment, id: string): number | undefined {
  const [first] = positionsOf(analysed, sentiment, id);
  const [more] = positionsOf(analysed, `more ${sentiment}`, id);
  return first === undefined || more === undefined ? (first ?? more) : Math.min(first, more);
}
