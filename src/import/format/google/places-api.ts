/** Place details from the Places API (new), which returns at most five reviews. */

import { isObject, members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, located } from "../format.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";
import { bareReviewId } from "./google-review.ts";

/** `text` and `originalText` are objects, and the author an attribution: a flat one is somebody else's format. */
const SHAPE: Shape = {
  authorAttribution: "object",
  rating: "number",
  text: "object?",
  originalText: "object?",
  publishTime: "text?",
  name: "text?",
};

export const placesApi = jsonFormat({
  name: "Places API (new)",
  names: {
    id: "name",
    author: "authorAttribution.displayName",
    author_avatar_url: "authorAttribution.photoUri",
    rating: "rating",
    written: "publishTime",
    text: "originalText.text",
    source_url: "googleMapsUri",
  },
  further: { text: ["text.text"] },
  vendor:
    /^(?:name|relativePublishTimeDescription|rating|text|originalText|authorAttribution|publishTime|flagContentUri|googleMapsUri|visitDate)$/,
  shape: SHAPE,
  extent: () => "part",
  find(value) {
    if (!isObject(value)) return undefined;
    const places = Array.isArray(value.places) ? value.places : undefined; // a text search returns several places
    const records =
      places?.flatMap((place, index) => located(members(place).reviews, `places[${index}].reviews`, place) ?? []) ??
      located(value.reviews, "reviews", value);
    return areOfVendor(records, SHAPE) ? records : undefined;
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
      text: members(record.originalText ?? record.text).text ?? null,
      source_url: record.googleMapsUri,
    };
  },
});
