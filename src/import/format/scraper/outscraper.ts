/** Outscraper's reviews, of Google, Google Play and Trustpilot: CSV, or JSON with a list of places or of reviews. */

import { quote } from "../../../issue.ts";
import { isObject, type JsonObject, members } from "../../../lib/json-object.ts";
import { placeOf, type ToldPlace } from "../../place/told-place.ts";
import type { Entry, FieldNames, RawReview } from "../../review/candidate.ts";
import { readDate } from "../../review/free-form-date.ts";
import { epochTime, type ReviewTime } from "../../review/iso-time.ts";
import { openMemberPicks } from "../../review/member-picks.ts";
import { stateOf } from "../../review/publication-state.ts";
import { openScaleJudge } from "../../review/rating-scale.ts";
import { namedSource } from "../../review/review-source.ts";
import { titledText } from "../../review/titled-text.ts";
import type { Content } from "../../syntax/content.ts";
import { type Format, isShowing, type Located, located, notePlace, otherSite, stateIn } from "../format.ts";
import { openFurtherMembers } from "../further-members.ts";
import { hiddenColumns } from "../hidden-columns.ts";
import { noStars, recommendationsIn } from "../recommendation.ts";
import { findRenamed } from "../renamed-members.ts";

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
];
/** The column of reviews of an app: they are Google Play's and no business's. */
const APP = "app_id";
/** Columns that only reviews of Trustpilot have. */
const TRUSTPILOT_SIGNS = ["review_title", "review_verified", "owner_answer_date"];

/** Columns of words, names and pictures: they are not read where the sheet hides them. */
const PUBLISHED =
  /^(?:author_(?:title|image)|review_(?:text|title|link)|owner_answer|(?:review_)?original_(?:review_)?text|review_text_original)$/;

/** The place's own. */
const OF_PLACE = ["rating", "description"];

/** What it writes of places, searches, customers and reviews besides. */
const VENDOR =
  /^(?:(?:author|autor|reviews|location|owner|google|reservation|booking|menu|order|h3|popular)_.+|review_(?:img_urls?|photo_ids?|photos|questions|likes|pagination_id|rating|id|language|verified)|query|name|name_for_emails|subtypes|type|category|categories|phone|site|full_address|borough|street|city|county|postal_code|country(?:_code)?|us_state|state|state_code|latitude|longitude|time_zone|plus_code|area_service|rating|reviews|photos_count|photo|street_view|located_in|located_google_id|working_hours(?:_old_format|_csv_compatible)?|other_hours|business_status|about|range|prices?|posts|logo|description|typical_time_spent|verified|place_id|cid|kgmid|app_id|version|store_id|total_reviews|language|website|company_insights\..+|chain_info\..+|input)$/;

/** Members with the customer's own words where `review_text` is a translation. */
const ORIGINALS = ["original_text", "review_original_text", "original_review_text", "review_text_original"];

/** Members that a field is read from besides that of its name. */
const FURTHER = {
  title: ["review_title"],
  text: ORIGINALS,
  written: ["review_datetime_utc"],
  reply_text: ["owner_replies"],
  reply_written: ["owner_answer_timestamp_datetime_utc", "owner_answer_date"],
} as const;

/** `site` is the business's own. */
const READ = [...Object.values(NAMES), ...Object.values(FURTHER).flat(), "site"];
const READ_NAMES = new Set(READ);

export const outscraper: Format = {
  name: "Outscraper",
  extent: () => "whole",
  recognises(content) {
    if (content.syntax === "csv") return isReview(new Set(content.columns));
    return content.syntax === "json" && find(content.value) !== undefined;
  },
  async *records(content): AsyncGenerator<Entry> {
    let [originals, otherDays] = [0, 0];
    const { refusal, marks } = await judge(content);
    if (refusal !== undefined) return yield { at: "", refusal };
    const found = content.syntax === "json" ? (find(content.value) ?? []) : [];
    // Any cell may hold a text: the columns are judged by their names alone.
    const samples =
      content.syntax === "csv"
        ? [Object.fromEntries(content.columns.map((name) => [name, name]))]
        : found.map(({ record }) => record);
    const renamed = findRenamed(samples, { names: NAMES, further: { text: ORIGINALS } });
    for (const warning of renamed.notes) yield { at: "", warning };
    const picks = openMemberPicks(NAMES, FURTHER);
    const others = openFurtherMembers({
      names: NAMES,
      further: FURTHER,
      ignored: [...OF_PLACE, ...renamed.read],
      vendor: VENDOR,
    });
    const entry = (at: string, record: JsonObject, place: ToldPlace | undefined): Entry => {
      if (originalName(record) !== undefined) originals += 1;
      if (areOtherDays(record)) otherDays += 1;
      const own = { ...stateIn(record, picks, { read: READ_NAMES, marks }), ...read(record) };
      const site = otherSite(own, { record, read: READ });
      if (site !== undefined) picks.note("source", site.name);
      const named = { ...own, ...(site && { source: site.source }) };
      const review = others.look(record, renamed.complete(named, { record, picks }), place !== undefined);
      if (
        review.source === "facebook" &&
        recommendationsIn(Object.keys(record)).some((name) => (record[name] ?? "") !== "")
      )
        return { at, ...noStars("facebook"), place };
      picks.look(record, review);
      notePlace(record, picks);
      return { at, review, names: { ...NAMES, ...timeNames(record) }, place };
    };
    for (const { at, record, around } of found) yield entry(at, record, placeOf(record, around, at));
    if (content.syntax === "csv") {
      const unseen = new Set(
        content.columns.filter((name, index) => PUBLISHED.test(name) && content.hidden?.columns.has(index)),
      );
      if (unseen.size > 0) yield { at: content.headerAt, warning: hiddenColumns([...unseen]) };
      for await (const rows of content.rows()) {
        for (const row of rows) {
          const at = `line ${row.line}`;
          const record = (cells: readonly string[]) =>
            Object.fromEntries(
              content.columns.map((column, index) => [column, unseen.has(column) ? null : cells[index] || null]),
            );
          yield "cells" in row ? entry(at, record(row.cells), placeOf(record(row.cells))) : { at, ...row };
        }
      }
    }
    for (const warning of others.told(picks.told())) yield { at: "", warning };
    yield { at: "", readFrom: picks.told() };
    if (otherDays > 0)
      yield {
        at: "",
        warning: `${otherDays === 1 ? "1 review has" : `${otherDays} reviews have`} a day in "review_timestamp", which is read, and another in "review_datetime_utc", which is not: a spreadsheet may have taken days for months. If the number is wrong, leave out "review_timestamp"`,
      };
    if (originals > 0)
      yield {
        at: "",
        warning: `the words of ${originals === 1 ? "1 review are" : `${originals} reviews are`} read from the original text, not from "review_text", which has a translation`,
      };
  },
};

/** What all rows or records say together: what their ratings count to, and which columns show a review by a mark. */
async function judge(
  content: Content,
): Promise<{ readonly refusal?: string | undefined; readonly marks: Set<string> }> {
  const scale = openScaleJudge();
  const marks = new Set<string>();
  if (content.syntax === "json")
    for (const { at, record } of find(content.value) ?? []) scale.add({ value: record[NAMES.rating ?? ""], at });
  if (content.syntax === "csv") {
    const rating = content.columns.indexOf(NAMES.rating ?? "");
    const showing = [...content.columns.entries()].filter(([, name]) => !READ_NAMES.has(name) && isShowing(name));
    for await (const rows of content.rows())
      for (const row of rows) {
        if (!("cells" in row)) continue;
        const { cells, line } = row;
        scale.add({ value: cells[rating], at: `line ${line}` });
        for (const [index, name] of showing) if (stateOf(cells[index], "shows") === "shown") marks.add(name);
      }
  }
  return { refusal: scale.verdict(), marks };
}

/** Which member has the customer's own words in the place of other ones in `review_text`. */
function originalName(record: JsonObject): string | undefined {
  return ORIGINALS.find((name) => {
    const text = record[name];
    return typeof text === "string" && text.trim() !== "" && text !== record.review_text;
  });
}

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

function siteOf(names: ReadonlySet<string>): "google" | "googleplay" | "trustpilot" | undefined {
  const has = (name: string) => names.has(name);
  if (has(APP)) return "googleplay";
  if (TRUSTPILOT_SIGNS.filter(has).length > 1) return "trustpilot";
  return GOOGLE_SIGNS.some(has) ? "google" : undefined;
}

/** The members from which the times of a record are read. */
function timeNames(record: JsonObject): { readonly written: string; readonly reply_written: string } {
  const first = (...names: readonly [string, ...string[]]) =>
    names.find((name) => (record[name] ?? null) !== null) ?? names[0];
  return {
    written: first("review_timestamp", "review_datetime_utc"),
    reply_written: first("owner_answer_timestamp", "owner_answer_timestamp_datetime_utc", "owner_answer_date"),
  };
}

/** Whether the two times of a record are more than a day apart. */
function areOtherDays({ review_timestamp, review_datetime_utc }: JsonObject): boolean {
  if ((review_timestamp ?? null) === null || (review_datetime_utc ?? null) === null) return false;
  const [time, other] = [timeOf(review_timestamp), timeOf(review_datetime_utc)];
  if (!("instant" in time && "instant" in other)) return false;
  return Math.abs(Date.parse(time.instant) - Date.parse(other.instant)) > DAY_MS;
}

const DAY_MS = 86_400_000;

function read(record: JsonObject): RawReview {
  const { written, reply_written } = timeNames(record);
  const answer = record.owner_answer ?? record.owner_replies;
  return {
    // The link says it of a review, whatever its table was chosen to hold.
    source:
      [record.review_link, record.author_link, record.query]
        .map((link) => namedSource({ source: undefined, source_url: link }))
        .find(Boolean) ?? siteOfRecord(record),
    id: record.review_id,
    author: record.author_title,
    author_avatar_url: record.author_image,
    rating: record.review_rating,
    written: timeOf(record[written]),
    text: titledText(record.review_title, record[originalName(record) ?? "review_text"]),
    source_url: record.review_link,
    owner_reply:
      typeof answer === "string"
        ? { text: answer, written: answer === record.owner_answer ? timeOf(record[reply_written]) : null }
        : null,
  };
}

/** The site of a record by its members. Google's reviews have no titles: a row with one was put among them. */
function siteOfRecord(record: JsonObject): string | undefined {
  const site = siteOf(new Set(Object.keys(record)));
  const isTitled = typeof record.review_title === "string" && record.review_title.trim() !== "";
  return site === "google" && isTitled ? undefined : site;
}

/** A time that Outscraper writes with seconds: a spreadsheet that has changed it may have put the day first. */
function isWithoutSeconds(value: string): boolean {
  const [, month, day] = /^\s*(\d{1,2})\/(\d{1,2})\/\d{4}\s+\d{1,2}:\d{2}\s*$/.exec(value) ?? [];
  return month !== day && Number(month) <= 12 && Number(day) <= 12;
}

const NO_SECONDS =
  ", but Outscraper writes times with seconds: a spreadsheet has changed it, and may have put the day before the month. Import the file as Outscraper made it";

/** A time in seconds, or one in UTC that has the month first: `01/30/2026 10:11:12`. */
function timeOf(value: unknown): ReviewTime {
  if (typeof value !== "string" || /^\s*\d+(?:\.\d+)?\s*$/.test(value)) return epochTime(value);
  if (isWithoutSeconds(value)) return { fault: `is ${quote(value)}${NO_SECONDS}` };
  if (value.includes("/")) return readDate(`${value} UTC`, "mdy");
  return {
    fault: `is ${quote(value)}, but must be seconds since 1970 or a time such as 01/30/2026 10:11:12: if a spreadsheet has changed it, import the file as Outscraper made it`,
  };
}
