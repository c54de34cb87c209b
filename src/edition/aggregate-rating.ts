/** The aggregate rating of all published reviews (interface §1). */
import { z } from "zod";

const count = z.int().min(0);

export const aggregateRatingSchema = z
  .object({
    rating_value: z.number().min(1).max(5).nullable().describe("Mean stars, two decimals; null without reviews"),
    review_count: count.describe("How many reviews were counted: all that are published"),
    best_rating: z.literal(5).describe("The most stars a review can give"),
    worst_rating: z.literal(1).describe("The fewest stars a review can give"),
    rating_counts: z
      .object({
        "5": count.describe("Reviews with five stars"),
        "4": count.describe("Reviews with four stars"),
        "3": count.describe("Reviews with three stars"),
        "2": count.describe("Reviews with two stars"),
        "1": count.describe("Reviews with one star"),
      })
      .describe("How many reviews gave each number of stars"),
  })
  .meta({ id: "AggregateRating", title: "Aggregate rating" });

export type AggregateRating = Readonly<z.infer<typeof aggregateRatingSchema>>;

/** Counts and averages the stars of all reviews. */
export function aggregateRating(ratings: Uint8Array): AggregateRating {
  const counts = [0, 0, 0, 0, 0, 0];
  let sum = 0;
  for (const rating of ratings) {
    counts[rating] = (counts[rating] ?? 0) + 1;
    sum += rating;
  }
  const of = (stars: number) => counts[stars] ?? 0;
  return {
    rating_value: ratings.length === 0 ? null : Math.round((sum / ratings.length) * 100) / 100,
    review_count: ratings.length,
    best_rating: 5,
    worst_rating: 1,
    rating_counts: { "5": of(5), "4": of(4), "3": of(3), "2": of(2), "1": of(1) },
  };
}

/** The aggregate rating of reviews that are counted by their stars. */
export function aggregateRatingOf(counts: ReadonlyMap<number, number>): AggregateRating {
  return aggregateRating(Uint8Array.from([...counts].flatMap(([rating, count]) => Array<number>(count).fill(rating))));
}
