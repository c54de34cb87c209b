/** Reviews from Yelp's API: at most three per business, with long texts truncated. */

import { members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, located } from "../format.ts";
import { areOfVendor, type Shape } from "../vendor-shape.ts";

/** Matches a truncated text: Yelp cuts texts at 160 characters and appends dots. */
const CUT = /^[\s\S]{120,}(?:\.{3}|…)$/;

const SHAPE: Shape = { time_created: "text", rating: "number", user: "object", "user.name": "text?", text: "text?" };

export const yelp = jsonFormat({
  name: "Yelp API",
  names: {
    id: "id",
    author: "user.name",
    author_avatar_url: "user.image_url",
    rating: "rating",
    written: "time_created",
    text: "text",
    source_url: "url",
  },
  shape: SHAPE,
  extent: () => "part",
  find(value) {
    const records = located(members(value).reviews, "reviews");
    return areOfVendor(records, SHAPE) ? records : undefined;
  },
  read(record) {
    if (typeof record.text === "string" && CUT.test(record.text.trim())) {
      return {
        fault:
          "text is only the beginning of the review, which is all that Yelp's API gives; copy the whole review from your Yelp page into a table and import that, or leave it out with --skip-invalid",
      };
    }
    const user = members(record.user);
    return {
      source: "yelp",
      id: record.id,
      author: user.name,
      author_avatar_url: user.image_url ?? undefined,
      rating: record.rating,
      written: isoTime(record.time_created),
      text: record.text ?? null,
      source_url: record.url,
    };
  },
});
