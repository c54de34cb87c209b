/** A Business Profile from Google Takeout: `reviews-*.json`, twenty reviews per file. */
import { isObject } from "../../../lib/json-object.ts";
import { jsonFormat, located } from "../format.ts";
import { GOOGLE_FORMAT, isGoogleReview } from "./google-review.ts";

export const takeout = jsonFormat({
  name: "Google Takeout",
  ...GOOGLE_FORMAT,
  find(value) {
    if (!isObject(value)) return undefined;
    const records = located(value.reviews, "reviews", value);
    if (records === undefined) return undefined;
    // A location without reviews is exported as an empty list and nothing else.
    if (records.length === 0) return Object.keys(value).length === 1 ? records : undefined;
    return records.some(({ record }) => isGoogleReview(record) && !("reviewId" in record)) ? records : undefined;
  },
});
