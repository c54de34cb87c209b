/** The JSON Feed of the newest reviews (JSON Feed 1.1; interface §1, feed items). */
import { z } from "zod";
import type { Business } from "../business.ts";
import { ownerReplySchema } from "../review.ts";
import { type FeedItem, feedHead } from "./feed-item.ts";
import { HUB_PATH } from "./topic.ts";

const author = z.object({ name: z.string(), url: z.url().optional(), avatar: z.url().optional() });

/** The document that `renderJsonFeed` writes. */
export const jsonFeedSchema = z
  .object({
    version: z.literal("https://jsonfeed.org/version/1.1"),
    title: z.string(),
    home_page_url: z.url(),
    feed_url: z.url(),
    description: z.string(),
    icon: z.url().optional(),
    language: z.string(),
    authors: z.array(author),
    hubs: z.array(z.object({ type: z.literal("WebSub"), url: z.url() })),
    items: z
      .array(
        z.object({
          id: z.url(),
          url: z.url(),
          title: z.string(),
          content_text: z.string(),
          date_published: z.iso.datetime({ offset: true }),
          date_modified: z.iso.datetime({ offset: true }).optional(),
          authors: z.array(author),
          tags: z.array(z.string()).describe("Labels of the services mentioned"),
          _goodword: z.object({
            rating: z.int().min(1).max(5),
            source: z.string(),
            source_url: z.url().nullable(),
            verified: z.boolean(),
            owner_reply: ownerReplySchema.nullable(),
          }),
        }),
      )
      .max(50),
  })
  .meta({ id: "JsonFeed", title: "JSON Feed 1.1 of the newest reviews" });

/** Renders `/api/feed.json`. */
export function renderJsonFeed(
  business: Business,
  language: string,
  items: readonly FeedItem[],
  baseUrl: string,
): string {
  const { title, description } = feedHead(business);
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: `${baseUrl}/`,
    feed_url: `${baseUrl}/api/feed.json`,
    description,
    ...(business.logo_url === undefined ? {} : { icon: business.logo_url }),
    language,
    authors: [{ name: business.name, url: `${baseUrl}/` }],
    hubs: [{ type: "WebSub", url: `${baseUrl}${HUB_PATH}` }],
    items: items.map(renderItem),
  });
}

function renderItem({ review, url, title, text, published, modified, tags }: FeedItem): object {
  const { rating, source, source_url, verified, owner_reply } = review;
  const avatar = review.author_avatar_url === null ? {} : { avatar: review.author_avatar_url };
  return {
    id: url,
    url,
    title,
    content_text: text,
    date_published: published,
    ...(modified === published ? {} : { date_modified: modified }),
    authors: [{ name: review.author, ...avatar }],
    tags,
    _goodword: { rating, source, source_url, verified, owner_reply },
  };
}
