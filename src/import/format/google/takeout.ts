/** A Business Profile from Google Takeout: `reviews-*.json`, twenty reviews per file. */
import { isObject } from "../../../lib/json-object.ts";
import { jsonFormat, located } from "../format.ts";
import { GOOGLE_NAMES, GOOGLE_SHAPE, isGoogleReview, readGoogleReview, unpublishedReply } from "./google-review.ts";

export const takeout = jsonFormat({
  name: "Google Takeout",
  names: GOOGLE_NAMES,
  further: { author: ["reviewer.isAnonymous"] },
  shape: GOOGLE_SHAPE,
  extent: ({ nextPageToken }) => (nextPageToken ? "page" : "whole"),
  find(value) {
    if (!isObject(value)) return undefined;
    const records = located(value.reviews, "reviews", value);
    if (records === undefined) return undefined;
    // A location without reviews is exported as an empty list and nothing else.
    if (records.length === 0) return Object.keys(value).length === 1 ? records : undefined;
    return records.some(({ record }) => isGoogleReview(record) && !("reviewId" in record)) ? records : undefined;
  },
  read: readGoogleReview,
  leftOut: unpublishedReply,
});
