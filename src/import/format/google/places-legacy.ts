/** Place details from the legacy Places API: at most five reviews, without ids. */

import { isObject } from "../../../lib/json-object.ts";
import { epochTime } from "../../review/iso-time.ts";
import { TRANSLATED_LABEL } from "../../review/translation-labels.ts";
import { jsonFormat, located } from "../format.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";

const SHAPE: Shape = {
  author_name: "text",
  rating: "number",
  text: "text?",
  time: "number",
  relative_time_description: "text",
};

export const placesLegacy = jsonFormat({
  name: "Places API (legacy)",
  names: {
    author: "author_name",
    author_avatar_url: "profile_photo_url",
    rating: "rating",
    written: "time",
    text: "text",
  },
  shape: SHAPE,
  extent: () => "part",
  find(value) {
    if (!isObject(value)) return undefined;
    const result = isObject(value.result) ? value.result : value;
    const records = located(result.reviews, value === result ? "reviews" : "result.reviews", result);
    return areOfVendor(records, SHAPE) ? records : undefined;
  },
  read(record) {
    return {
      source: "google",
      author: record.author_name,
      author_avatar_url: record.profile_photo_url,
      rating: record.rating,
      written: epochTime(record.time), // relative_time_description is not a date
      text: record.translated === true ? `${TRANSLATED_LABEL} ${record.text}` : (record.text ?? null),
    };
  },
});
