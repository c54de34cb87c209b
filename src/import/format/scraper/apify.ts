/** Apify's Google Maps reviews: a list of reviews, or of places with their reviews. */

import { type JsonObject, members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, type Located, located } from "../format.ts";
import { fits, type Shape } from "../vendor-shape.ts";

const SHAPE: Shape = {
  publishedAtDate: "text",
  stars: "number?",
  name: "text?",
  text: "text?",
  reviewUrl: "text?",
  responseFromOwnerText: "text?",
};
/** Members that only the actor for Google Maps gives: actors for other sites share the names of the shape. */
const GOOGLE_SIGNS = ["reviewOrigin", "placeId", "cid", "isLocalGuide", "reviewerNumberOfReviews", "textTranslated"];

function isOfGoogle(record: JsonObject): boolean {
  const isLinked = /^https:\/\/(?:www\.)?google\.[a-z.]+\/maps\//.test(String(record.reviewUrl));
  return isLinked || GOOGLE_SIGNS.some((name) => name in record);
}

export const apify = jsonFormat({
  name: "Apify",
  names: {
    id: "reviewId",
    author: "name",
    author_avatar_url: "reviewerPhotoUrl",
    rating: "stars",
    text: "text",
    written: "publishedAtDate",
    source: "reviewOrigin",
    source_url: "reviewUrl",
    reply_text: "responseFromOwnerText",
    reply_written: "responseFromOwnerDate",
  },
  further: { rating: ["rating"] },
  ignored: ["title", "description"], // of the place
  vendor:
    /^(?:reviews?|reviewer|response|text|publish|published|original|translated|is|visited|likes|image|input|search|place|category|categories|address|neighborhood|street|city|postalCode|state|country|website|phone|claim|location|permanentlyClosed|temporarilyClosed|fid|cid|kgmid|scrapedAt|hotel|opening|people|additional|gas|url|language|rank|total|sub[A-Z]|price|checkInDate|checkOutDate|similar|popular|one|two|three|four|five|stars|rating|title|name|description|owner|menu|reserve|booking|order|web|user|table|bundles|updates|parent|plus|google|questions|images|likesCount)(?=$|[A-Z])/,
  isTranslated: ({ text, textTranslated }) => (text ?? "") === "" && (textTranslated ?? "") !== "",
  shape: SHAPE,
  find(value) {
    if (!Array.isArray(value)) return undefined;
    const found = value.flatMap((entry, index): Located[] => {
      const at = `[${index}]`;
      return located(members(entry).reviews, `${at}.reviews`, entry) ?? [{ at, record: members(entry) }];
    });
    return found.some(({ record }) => fits(record, SHAPE) && "name" in record && isOfGoogle(record))
      ? found
      : undefined;
  },
  // If personal data is switched off, name, reviewId and reviewUrl are null: unknown, not empty.
  read: (record) => ({
    source: record.reviewOrigin ?? "google",
    id: record.reviewId,
    author: record.name,
    author_avatar_url: record.reviewerPhotoUrl ?? undefined,
    rating: record.stars ?? record.rating,
    written: isoTime(record.publishedAtDate), // publishAt is relative
    text: record.text ?? null, // textTranslated is not the customer's own text
    source_url: record.reviewUrl ?? undefined,
    owner_reply:
      typeof record.responseFromOwnerText === "string"
        ? { text: record.responseFromOwnerText, written: isoTime(record.responseFromOwnerDate) }
        : null,
  }),
});
