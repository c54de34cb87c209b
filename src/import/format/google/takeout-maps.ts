/** Takeout's `Maps (your places)/Reviews.json`: reviews that the owner wrote. Recognised only to be refused. */
import { isObject, members } from "../../../lib/json-object.ts";
import type { Format } from "../format.ts";

export const takeoutMaps: Format = {
  name: "reviews that the owner wrote",
  extent: () => "whole",
  recognises(content) {
    if (content.syntax !== "json" || !isObject(content.value)) return false;
    const { type, features } = content.value;
    if (type !== "FeatureCollection" || !Array.isArray(features)) return false;
    return features.some((feature) =>
      Object.keys(members(members(feature).properties)).some((name) => /review|star_rating/i.test(name)),
    );
  },
  *records() {
    yield {
      at: "features",
      fault:
        "these are the reviews that the owner of this Google account wrote about other places, not reviews of the business; import the folder Google Business Profile instead",
    };
  },
};
