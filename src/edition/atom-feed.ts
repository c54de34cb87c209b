/** The Atom feed of the newest reviews (RFC 4287), with the same contents as the JSON Feed. */
import type { Business } from "../business.ts";
import { type FeedItem, feedHead } from "./feed-item.ts";
import { HUB_PATH } from "./topic.ts";

/** The namespace of the elements that Atom does not define: rating, source and the owner's reply. */
const NAMESPACE = "urn:goodword:review";

/**
 * The bytes of `/feed.xml`. Its `updated` is that of the newest entry, so that it does not depend on the time of
 * rendering; `emptySince` is used for a feed without entries.
 */
export function renderAtomFeed(
  business: Business,
  items: readonly FeedItem[],
  feed: { readonly baseUrl: string; readonly language: string; readonly emptySince: Date },
): string {
  const { title, description } = feedHead(business);
  const self = `${feed.baseUrl}/feed.xml`;
  const updated = items.map(({ modified }) => modified).toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:goodword="${NAMESPACE}" xml:lang="${escapeXml(feed.language)}">`,
    `<id>${escapeXml(self)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<subtitle>${escapeXml(description)}</subtitle>`,
    `<updated>${updated ?? feed.emptySince.toISOString()}</updated>`,
    `<author><name>${escapeXml(business.name)}</name><uri>${escapeXml(`${feed.baseUrl}/`)}</uri></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `<link rel="hub" href="${escapeXml(`${feed.baseUrl}${HUB_PATH}`)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(`${feed.baseUrl}/`)}"/>`,
    ...(business.logo_url === undefined ? [] : [`<icon>${escapeXml(business.logo_url)}</icon>`]),
    ...items.map(renderEntry),
    "</feed>",
  ];
  return `${lines.join("\n")}\n`;
}

function renderEntry({ review, url, title, text, published, modified, tags }: FeedItem): string {
  const { author_avatar_url: avatar, owner_reply: reply, source_url: sourceUrl } = review;
  return [
    "<entry>",
    `<id>${escapeXml(url)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<published>${published}</published>`,
    `<updated>${modified}</updated>`,
    `<author><name>${escapeXml(review.author)}</name></author>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
    ...(sourceUrl === null ? [] : [`<link rel="via" href="${escapeXml(sourceUrl)}"/>`]),
    ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    `<content type="text">${escapeXml(text)}</content>`,
    `<goodword:rating>${review.rating}</goodword:rating>`,
    `<goodword:source>${escapeXml(review.source)}</goodword:source>`,
    `<goodword:verified>${review.verified}</goodword:verified>`,
    ...(avatar === null ? [] : [`<goodword:avatar>${escapeXml(avatar)}</goodword:avatar>`]),
    ...(reply === null
      ? []
      : [
          `<goodword:reply${reply.date === null ? "" : ` date="${reply.date}"`}>${escapeXml(reply.text)}</goodword:reply>`,
        ]),
    "</entry>",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Escapes text for XML. Characters that XML 1.0 does not allow become U+FFFD (XML §2.2). */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character);
}
