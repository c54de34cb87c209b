/** Pages of the Business Profile API v4: `reviews.list`, and `batchGetReviews` over several locations. */
import { isObject, members } from "../../../lib/json-object.ts";
import { jsonFormat, located } from "../format.ts";
import { GOOGLE_FORMAT, isGoogleReview } from "./google-review.ts";

export const businessProfile = jsonFormat({
  name: "Business Profile API v4",
  ...GOOGLE_FORMAT,
  further: { author: ["reviewer.isAnonymous"], id: ["reviewId"] },
  find(value) {
    if (!isObject(value)) return undefined;
    const batch = located(value.locationReviews, "locationReviews");
    const records =
      batch?.map(({ at, record }) => ({
        at: `${at}.review`,
        record: { name: record.name, ...members(record.review) },
      })) ?? located(value.reviews, "reviews", value);
    if (records === undefined) return undefined;
    if (records.length === 0) return "totalReviewCount" in value ? records : undefined;
    return records.some(({ record }) => isGoogleReview(record) && "reviewId" in record) ? records : undefined;
  },
});
