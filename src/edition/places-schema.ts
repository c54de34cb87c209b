/** The schema of `/places.json`, which is at the address of a chain. */
import { z } from "zod";
import { aggregateRatingSchema } from "./aggregate-rating.ts";

const placeSchema = z.object({
  name: z.string().describe("The name of the business"),
  base_url: z.string().describe("The address of its own reviews"),
  locality: z.string().nullable().describe("The town"),
  aggregate_rating: aggregateRatingSchema.describe("Its own rating"),
  newest_review: z.iso.date().nullable().describe("The date of its newest review"),
});

/** One of the places of a chain. */
export type ChainPlace = Readonly<z.infer<typeof placeSchema>>;

export const placesSchema = z
  .object({
    name: z.string().describe("The name of the chain"),
    review_count: z.int().min(0).describe("Verified reviews of all places"),
    places: z.array(placeSchema).describe("In the order of the chain's page"),
  })
  .meta({ id: "Places", title: "Places of a chain" });
