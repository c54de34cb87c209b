/** SerpApi's Google Maps reviews. */

import { isObject, type JsonObject, members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import { jsonFormat, located } from "../format.ts";
import { fits, type Shape } from "../vendor-shape.ts";

const SHAPE: Shape = {
  user: "object",
  rating: "number",
  iso_date: "text?",
  snippet: "text?",
  response: "object?",
  source: "text?",
};

export const serpApi = jsonFormat({
  name: "SerpApi",
  names: {
    id: "review_id",
    author: "user.name",
    author_avatar_url: "user.thumbnail",
    rating: "rating",
    written: "iso_date",
    updated: "iso_date_of_last_edit",
    text: "snippet",
    source_url: "link",
    reply_text: "response.snippet",
    reply_written: "response.iso_date",
  },
  further: { text: ["extracted_snippet.original"], written: ["date"] },
  vendor:
    /^(?:link|rating|date|iso_date|iso_date_of_last_edit|source|source_logo|review_id|contributor_id|user|snippet|extracted_snippet|details|translated_details|likes|response|images|position|topics|language)$/,
  shape: SHAPE,
  extent: ({ serpapi_pagination }) => (members(serpapi_pagination).next_page_token ? "page" : "whole"),
  find(value) {
    if (!isObject(value)) return undefined;
    const records = located(value.reviews, "reviews", value);
    if (records === undefined) return undefined;
    const { engine } = members(value.search_parameters);
    if (engine !== undefined && engine !== "google_maps_reviews") return undefined; // SerpApi reads other sites too
    if (records.length === 0) return engine === undefined ? undefined : records;
    const isItsOwn = (record: JsonObject) => engine !== undefined || "review_id" in record || "link" in record;
    const isDated = (record: JsonObject) =>
      "iso_date" in record || ("snippet" in record && ("date" in record || engine !== undefined) && isItsOwn(record));
    return records.some(({ record }) => fits(record, SHAPE) && isDated(record)) ? records : undefined;
  },
  read(record) {
    const user = members(record.user);
    const response = isObject(record.response) ? record.response : undefined;
    return {
      source: record.source ?? "google",
      id: record.review_id,
      author: user.name,
      author_avatar_url: user.thumbnail,
      rating: record.rating,
      written: isoTime(record.iso_date ?? record.date), // `date` is relative: refused if it is the only one
      updated: record.iso_date_of_last_edit === undefined ? undefined : isoTime(record.iso_date_of_last_edit),
      text: ownWords(record),
      source_url: record.link,
      owner_reply:
        response === undefined
          ? null
          : { text: ownWords(response), written: isoTime(response.iso_date ?? response.date) },
    };
  },
});

/** The original text. `snippet` may be a translation if `extracted_snippet` has an original. */
function ownWords(record: Readonly<Record<string, unknown>>): unknown {
  return members(record.extracted_snippet).original ?? record.snippet ?? null;
}
