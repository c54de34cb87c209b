/** Place details from the Places API (new), which returns at most five reviews. */

import { isObject, members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, located } from "../format.ts";
import { bareReviewId } from "./google-review.ts";

export const placesApi = jsonFormat({
  name: "Places API (new)",
  names: {
    id: "name",
    author: "authorAttribution.displayName",
    author_avatar_url: "authorAttribution.photoUri",
    written: "publishTime",
    text: "originalText.text",
    source_url: "googleMapsUri",
  },
  extent: () => "part",
  find(value) {
    if (!isObject(value)) return undefined;
    const places = Array.isArray(value.places) ? value.places : undefined; // a text search returns several places
    const records =
      places?.flatMap((place, index) => located(members(place).reviews, `places[${index}].reviews`) ?? []) ??
      located(value.reviews, "reviews");
    return records?.some(({ record }) => "publishTime" in record || "authorAttribution" in record)
      ? records
      : undefined;
  },
  read(record) {
    const by = members(record.authorAttribution);
    return {
      source: "google",
      id: bareReviewId(record.name),
      author: by.displayName,
      author_avatar_url: by.photoUri,
      rating: record.rating,
      written: isoTime(record.publishTime), // relativePublishTimeDescription is not a date
      text: (record.originalText !== undefined ? members(record.originalText) : members(record.text)).text ?? null,
      source_url: record.googleMapsUri,
    };
  },
});
