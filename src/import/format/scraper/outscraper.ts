/** Outscraper's Google reviews: CSV, or JSON with a list of places or of reviews. */

import { isObject, members } from "../../../lib/json-object.ts";
import { epochTime } from "../../review/iso-time.ts";
import type { Entry, FieldNames, RawReview } from "../../review/raw-review.ts";
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

export const outscraper: Format = {
  name: "Outscraper",
  extent: () => "whole",
  recognises(content) {
    if (content.syntax === "csv") return isReview(Object.fromEntries(content.columns.map((column) => [column, ""])));
    return content.syntax === "json" && find(content.value) !== undefined;
  },
  async *records(content): AsyncGenerator<Entry> {
    if (content.syntax === "json") {
      for (const { at, record } of find(content.value) ?? []) yield { at, review: read(record), names: NAMES };
    }
    if (content.syntax !== "csv") return;
    for await (const rows of content.rows()) {
      for (const row of rows) {
        const at = `line ${row.line}`;
        if ("fault" in row) yield { at, fault: row.fault };
        else {
          const cells = content.columns.map((column, index) => [column, row.cells[index] || null]);
          yield { at, review: read(Object.fromEntries(cells)), names: NAMES };
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
    return located(reviews_data, `${at}.reviews_data`) ?? [{ at, record: members(entry) }];
  });
  return found.some(({ record }) => isReview(record)) ? found : undefined;
}

function isReview(record: Readonly<Record<string, unknown>>): boolean {
  return "review_rating" in record && ("review_timestamp" in record || "review_datetime_utc" in record);
}

function read(record: Readonly<Record<string, unknown>>): RawReview {
  return {
    source: "google",
    id: record.review_id,
    author: record.author_title,
    author_avatar_url: record.author_image,
    rating: record.review_rating,
    written: epochTime(record.review_timestamp), // review_datetime_utc has the month first
    text: record.review_text ?? null,
    source_url: record.review_link,
    owner_reply:
      typeof record.owner_answer === "string"
        ? { text: record.owner_answer, written: epochTime(record.owner_answer_timestamp) }
        : null,
  };
}
