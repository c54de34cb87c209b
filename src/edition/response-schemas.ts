/** Schemas of the reviews dataset, of search results, and of errors. */
import { z } from "zod";
import { businessSchema } from "../business.ts";
import { analysisSchema } from "../insights-document.ts";
import { issueSchema } from "../issue.ts";
import { reviewIdSchema, reviewSchema } from "../review.ts";
import { aggregateRatingSchema } from "./aggregate-rating.ts";

/** `GET /reviews.json`. */
export const reviewsDatasetSchema = z
  .object({
    business: businessSchema.describe("The business that the reviews are about"),
    aggregate_rating: aggregateRatingSchema.describe("Mean and count of the stars of all these reviews"),
    reviews: z.array(reviewSchema).describe("Every published review, newest first"),
  })
  .meta({ id: "ReviewsDataset", title: "All verified reviews" });

/** `GET /api/reviews/search`, and the tool `search_reviews`. */
export const searchResultSchema = z
  .object({
    matched: z.int().min(0).describe("The number of matching reviews, before the limit"),
    returned: z.int().min(0).max(100).describe("Length of `reviews`"),
    reviews: z.array(reviewSchema).describe("In the order asked for; newest first without one"),
    hints: z.array(z.string()).optional().describe("What was most likely meant otherwise; absent if nothing"),
  })
  .meta({ id: "SearchResult", title: "Reviews that match" });

/** `GET /api/changes` and `GET /api/changes/{cursor}` (interface §10). */
export const changesSchema = z
  .object({
    cursor: z.string().describe("Where the copy is now: ask `/api/changes/{cursor}` next. An opaque word"),
    is_complete: z.boolean().describe("Whether that is all: otherwise ask at once with the new cursor"),
    changed: z.array(reviewSchema).max(1000).describe("Reviews to store, new or in the place of what the copy has"),
    removed: z.array(reviewIdSchema).max(1000).describe("Ids of reviews to delete, which the copy may not have"),
  })
  .meta({ id: "Changes", title: "What is new to a copy" });

/** `GET /api/reviews/{id}`, and the tool `get_review`. */
export const singleReviewSchema = z
  .object({
    review: reviewSchema.describe("The review"),
    analysis: analysisSchema.describe("What its text says"),
    url: z.url().describe("Its page"),
  })
  .meta({ id: "SingleReview", title: "One review with its analysis" });

/** The body of every error (interface §2); `issues` wherever the input was at fault. */
export const errorSchema = z
  .object({
    error: z.string().describe("What is wrong, in one sentence"),
    issues: z.array(issueSchema).optional().describe("Every fault of the input; absent if the input is not at fault"),
  })
  .meta({ id: "Error", title: "What went wrong" });
