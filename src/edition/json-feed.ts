/** The JSON Feed of the newest reviews (JSON Feed 1.1; interface §1, feed items). */
import type { Business } from "../business.ts";
import { type FeedItem, feedHead } from "./feed-item.ts";
import { HUB_PATH } from "./topic.ts";

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
