/** Outscraper's reviews, of Google and of Trustpilot: CSV, or JSON with a list of places or of reviews. */

import { isObject, members } from "../../../lib/json-object.ts";
import { placeOf } from "../../place/told-place.ts";
import { readDate } from "../../review/free-form-date.ts";
import { epochTime, type ReviewTime } from "../../review/iso-time.ts";
import type { Entry, FieldNames, RawReview } from "../../review/raw-review.ts";
import { titledText } from "../../review/titled-text.ts";
import { type Format, type Located, located } from "../format.ts";

const NAMES: FieldNames = {
  id: "review_id",
  author: "author_title",
  author_avatar_url: "author_image",
  rating: "review_rating",
  written: "review_timestamp",
  text: "review_text",
  source_url: "review_link",
  reply_text: "owner_answer",
  reply_written: "owner_answer_timestamp",
};

/**
 * Columns that only reviews of Google have. A table without any, as columns can be chosen, does not tell its site: it is
 * read as any other table is.
 */
const GOOGLE_SIGNS = [
  "google_id",
  "place_id",
  "reviews_id",
  "review_link",
  "review_pagination_id",
  "author_link",
  "author_reviews_count",
  "owner_answer_timestamp",
];
/** Columns that only reviews of Trustpilot have. */
const TRUSTPILOT_SIGNS = ["review_title", "review_verified", "owner_answer_date"];

export const outscraper: Format = {
  name: "Outscraper",
  extent: () => "whole",
  recognises(content) {
    if (content.syntax === "csv") return isReview(new Set(content.columns));
    return content.syntax === "json" && find(content.value) !== undefined;
  },
  async *records(content): AsyncGenerator<Entry> {
    if (content.syntax === "json") {
      for (const { at, record, around } of find(content.value) ?? [])
        yield { at, review: read(record), names: NAMES, place: placeOf(record, around, at) };
    }
    if (content.syntax !== "csv") return;
    for await (const rows of content.rows()) {
      for (const row of rows) {
        const at = `line ${row.line}`;
        if (!("cells" in row)) yield { at, ...row };
        else {
          const record = Object.fromEntries(content.columns.map((column, index) => [column, row.cells[index] || null]));
          yield { at, review: read(record), names: NAMES, place: placeOf(record) };
        }
      }
    }
  },
};

/** Finds reviews in a list or under each place; the API wraps either in `data`. */
function find(value: unknown): Located[] | undefined {
  const wrapped = isObject(value) && Array.isArray(value.data);
  const [list, path] = wrapped ? [value.data as unknown[], "data"] : [value, ""];
  if (!Array.isArray(list)) return undefined;
  const found = list.flatMap((entry, index): Located[] => {
    const at = `${path}[${index}]`;
    if (Array.isArray(entry)) return located(entry, at) ?? [];
    const { reviews_data } = members(entry);
    return located(reviews_data, `${at}.reviews_data`, entry) ?? [{ at, record: members(entry) }];
  });
  return found.some(({ record }) => isReview(new Set(Object.keys(record)))) ? found : undefined;
}

/** Whether these are the names of a review's members, and tell the site where it was written. */
function isReview(names: ReadonlySet<string>): boolean {
  const isDated = names.has("review_timestamp") || names.has("review_datetime_utc");
  return names.has("review_rating") && isDated && siteOf(names) !== undefined;
}

function siteOf(names: ReadonlySet<string>): "google" | "trustpilot" | undefined {
  const has = (name: string) => names.has(name);
  if (TRUSTPILOT_SIGNS.filter(has).length > 1) return "trustpilot";
  return GOOGLE_SIGNS.some(has) ? "google" : undefined;
}

function read(record: Readonly<Record<string, unknown>>): RawReview {
  const replied = record.owner_answer_timestamp ?? record.owner_answer_timestamp_datetime_utc;
  return {
    source: siteOf(new Set(Object.keys(record))),
    id: record.review_id,
    author: record.author_title,
    author_avatar_url: record.author_image,
    rating: record.review_rating,
    written: timeOf(record.review_timestamp ?? record.review_datetime_utc),
    text: titledText(record.review_title, record.review_text),
    source_url: record.review_link,
    owner_reply:
      typeof record.owner_answer === "string"
        ? { text: record.owner_answer, written: timeOf(replied ?? record.owner_answer_date) }
        : null,
  };
}

/** A time in seconds, or one in UTC that has the month first: `01/30/2026 10:11:12`. */
function timeOf(value: unknown): ReviewTime {
  return typeof value === "string" && value.includes("/") ? readDate(`${value} UTC`, "mdy") : epochTime(value);
}
