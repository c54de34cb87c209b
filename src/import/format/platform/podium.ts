/** Reviews from Podium's API. Podium collects reviews from other sites, and includes the site and the site's own id. */

import { members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, located } from "../format.ts";
import { noStars } from "../recommendation.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";

const SHAPE: Shape = {
  review: "object",
  "review.siteName": "text",
  "review.rating": "number?",
  "review.body": "text?",
  author: "object?",
  createdAt: "text",
  responses: "list?",
};

export const podium = jsonFormat({
  name: "Podium API",
  names: {
    id: "review.siteReviewId",
    author: "author.name",
    rating: "review.rating",
    written: "createdAt",
    text: "review.body",
    source: "review.siteName",
    source_url: "review.url",
    reply_text: "responses[0].body",
    reply_written: "responses[0].createdAt",
  },
  shape: SHAPE,
  extent: ({ metadata }) => (members(metadata).nextCursor ? "page" : "whole"),
  find(value) {
    const records = located(value, "") ?? located(members(value).data, "data");
    return areOfVendor(records, SHAPE) ? records : undefined;
  },
  read(record) {
    const review = members(record.review);
    // Podium converts "recommended" to 5 stars and "not recommended" to 1.
    if (typeof review.siteName === "string" && /facebook/i.test(review.siteName)) return noStars(review.siteName);
    const response = Array.isArray(record.responses) ? members(record.responses[0]) : {};
    return {
      source: review.siteName,
      id: review.siteReviewId,
      author: members(record.author).name,
      rating: review.rating,
      written: isoTime(record.createdAt),
      text: review.body ?? null,
      source_url: review.url ?? undefined,
      owner_reply: response.body ? { text: response.body, written: isoTime(response.createdAt) } : null,
    };
  },
});
