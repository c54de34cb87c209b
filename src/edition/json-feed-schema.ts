/** The schema of the JSON Feed, for its description in OpenAPI: what renders the feed need not load it. */
import { z } from "zod";
import { ownerReplySchema } from "../review.ts";

const author = z.object({
  name: z.string().describe("Name for people"),
  url: z.url().optional().describe("Page of the author"),
  avatar: z.url().optional().describe("Picture of the author"),
});

/** The document that `renderJsonFeed` writes. */
export const jsonFeedSchema = z
  .object({
    version: z.literal("https://jsonfeed.org/version/1.1").describe("The format's version"),
    title: z.string().describe("Title of the feed"),
    home_page_url: z.url().describe("The front page"),
    feed_url: z.url().describe("The address of this feed, which is also its WebSub topic"),
    description: z.string().describe("What the feed holds"),
    icon: z.url().optional().describe("Address of the business's logo"),
    language: z.string().describe("Language of the pages (BCP 47)"),
    authors: z.array(author).describe("The business"),
    hubs: z
      .array(
        z.object({
          type: z.literal("WebSub").describe("The hub's protocol"),
          url: z.url().describe("Where to subscribe"),
        }),
      )
      .describe("Hubs that notify subscribers of changes"),
    items: z
      .array(
        z.object({
          id: z.url().describe("Identifier: the address of the review's page"),
          url: z.url().describe("Page of the review"),
          title: z.string().describe("Stars and customer, in words"),
          content_text: z.string().describe("The customer's text, or a sentence that says that there is none"),
          date_published: z.iso
            .datetime({ offset: true })
            .describe("Noon of the review's day, in the business's time zone"),
          date_modified: z.iso
            .datetime({ offset: true })
            .optional()
            .describe(
              "When the stars, the words or the owner's reply were edited; never before noon of the reply's day",
            ),
          authors: z.array(author).describe("The customer"),
          tags: z.array(z.string()).describe("Labels of the services mentioned"),
          _goodword: z
            .object({
              rating: z.int().min(1).max(5).describe("Stars, 1 to 5"),
              source: z.string().describe("Where it was written: google, yelp, facebook, first_party, …"),
              source_url: z.url().nullable().describe("Permalink at the source"),
              verified: z.boolean().describe("Whether the review comes from a verified source"),
              owner_reply: ownerReplySchema.nullable().describe("The owner's public reply"),
            })
            .describe("What JSON Feed has no field for"),
        }),
      )
      .max(50)
      .describe("The newest reviews, newest first"),
  })
  .meta({ id: "JsonFeed", title: "JSON Feed 1.1 of the newest reviews" });
