/** The aggregate rating of all published reviews (interface §1). */
import { z } from "zod";
import type { Review } from "../review.ts";

const count = z.int().min(0);

export const aggregateRatingSchema = z
  .object({
    rating_value: z.number().min(1).max(5).nullable().describe("Mean stars, two decimals; null without reviews"),
    review_count: count,
    best_rating: z.literal(5),
    worst_rating: z.literal(1),
    rating_counts: z
      .object({ "5": count, "4": count, "3": count, "2": count, "1": count })
      .describe("How many reviews gave each number of stars"),
  })
  .meta({ id: "AggregateRating", title: "Aggregate rating" });

export type AggregateRating = Readonly<z.infer<typeof aggregateRatingSchema>>;

/** Counts and averages the ratings. */
export function aggregateRating(reviews: readonly Pick<Review, "rating">[]): AggregateRating {
  const of = (stars: number) => reviews.filter(({ rating }) => rating === stars).length;
  const sum = reviews.reduce((total, { rating }) => total + rating, 0);
  return {
    rating_value: reviews.length === 0 ? null : Math.round((sum / reviews.length) * 100) / 100,
    review_count: reviews.length,
    best_rating: 5,
    worst_rating: 1,
    rating_counts: { "5": of(5), "4": of(4), "3": of(3), "2": of(2), "1": of(1) },
  };
}
