/** A Facebook page's ratings, from the Graph API. Only ratings from before 2018 have stars. */

import { isObject, members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, located } from "../format.ts";
import { noStars } from "../recommendation.ts";

export const facebook = jsonFormat({
  name: "Facebook Graph API",
  names: {
    id: "open_graph_story.id",
    author: "reviewer.name",
    rating: "rating",
    written: "created_time",
    text: "review_text",
  },
  shape: { created_time: "text", rating: "number?", review_text: "text?", reviewer: "object?" },
  extent: ({ paging }) => (members(paging).next ? "page" : "whole"),
  find(value) {
    const records =
      located(members(value).data, "data") ?? located(members(members(value).ratings).data, "ratings.data", value);
    return records?.some(({ record }) => isRating(record)) ? records : undefined;
  },
  read(record) {
    const isRecommendation = /^(?:positive|negative)$/i.test(String(record.recommendation_type));
    if (typeof record.rating !== "number" || isRecommendation) return noStars("facebook");
    return {
      source: "facebook",
      id: members(record.open_graph_story).id,
      author: members(record.reviewer).name,
      rating: record.rating,
      written: isoTime(record.created_time),
      text: record.review_text ?? null,
    };
  },
});

function isRating(record: Readonly<Record<string, unknown>>): boolean {
  return (
    "created_time" in record && ("recommendation_type" in record || "has_rating" in record || isObject(record.reviewer))
  );
}
