/** Reviews from Birdeye's API. Birdeye collects reviews from other sites and names the site. */

import { members } from "../../../lib/json-object.ts";
import { readDate } from "../../review/free-form-date.ts";
import { jsonFormat, located } from "../format.ts";
import { noStars } from "../recommendation.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";

const SHAPE: Shape = {
  reviewDate: "text",
  sourceType: "text",
  reviewer: "object",
  comments: "text?",
  rating: "number?",
  response: "text?",
};

export const birdeye = jsonFormat({
  name: "Birdeye API",
  names: {
    author: "reviewer.nickName",
    rating: "rating",
    author_avatar_url: "reviewer.thumbnailUrl",
    written: "reviewDate",
    text: "comments",
    source: "sourceType",
    source_url: "uniqueReviewUrl",
    reply_text: "response",
    reply_written: "responseDate",
  },
  further: { author: ["reviewer.firstName", "reviewer.lastName"] },
  shape: SHAPE,
  find(value) {
    const records = located(value, "") ?? located(members(value).reviews, "reviews");
    return areOfVendor(records, SHAPE) ? records : undefined;
  },
  read(record) {
    if (!record.rating) return noStars(record.sourceType);
    const { nickName, firstName, lastName, thumbnailUrl } = members(record.reviewer);
    const fullName = [firstName, lastName].filter((name) => typeof name === "string" && name !== "").join(" ");
    const { response } = record;
    return {
      source: record.sourceType,
      // No id: reviewId is Birdeye's own, and the review must match the same review in its site's own export.
      author: nickName || fullName || undefined,
      author_avatar_url: thumbnailUrl || undefined,
      rating: record.rating,
      written: readDate(record.reviewDate, undefined), // "Sep 18, 2017"
      text: record.comments ?? null,
      source_url: record.uniqueReviewUrl || undefined,
      owner_reply:
        typeof response === "string" && response !== ""
          ? { text: response, written: readDate(record.responseDate, undefined) }
          : null,
    };
  },
});
