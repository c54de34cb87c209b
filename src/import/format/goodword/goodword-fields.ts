/** The fields of Goodword's own CSV, JSON and JSON Lines (interface §1), and alternative column names in tables. */

import { isObject } from "../../../lib/json-object.ts";
import { type DateOrder, readDate } from "../../review/free-form-date.ts";
import type { ReviewTime } from "../../review/iso-time.ts";
import type { FieldNames, RawReview } from "../../review/raw-review.ts";
import type { ColumnMapping, MappableField } from "../column-mapping.ts";

const SPELLINGS = {
  id: ["id", "review_id", "source_id", "external_id"],
  author: [
    "author",
    "name",
    "author_name",
    "reviewer",
    "reviewer_name",
    "customer",
    "customer_name",
    "client",
    "client_name",
    "display_name",
    "kunde",
    "kundenname",
    "verfasser",
    "autor",
  ],
  author_avatar_url: ["author_avatar_url", "avatar_url", "avatar", "author_image", "author_photo", "profile_photo_url"],
  rating: ["rating", "stars", "star_rating", "score", "review_rating", "number_of_stars", "sterne", "bewertung"],
  date: [
    "date",
    "review_date",
    "date_of_review",
    "day",
    "published",
    "date_published",
    "written",
    "datum",
    "bewertungsdatum",
  ],
  instant: ["created", "created_at", "create_time", "written_at", "published_at", "publish_time", "time"],
  text: [
    "text",
    "comment",
    "review",
    "review_text",
    "body",
    "review_body",
    "content",
    "message",
    "feedback",
    "comments",
    "what_they_wrote",
    "what_they_said",
    "kommentar",
    "rückmeldung",
    "rezension",
    "bewertungstext",
  ],
  source: ["source", "platform", "site"],
  source_url: ["source_url", "url", "link", "review_url", "review_link", "permalink"],
  reply: [
    "owner_reply_text",
    "owner_reply",
    "reply",
    "reply_text",
    "response",
    "owner_response",
    "owner_answer",
    "our_reply",
    "our_answer",
    "our_response",
    "answer",
    "antwort",
    "unsere_antwort",
  ],
  replied: ["owner_reply_date", "reply_date", "replied", "replied_at", "response_date", "reply_time", "antwortdatum"],
  verified: ["verified", "is_verified"],
  updated: ["updated", "updated_at", "update_time", "edited", "edited_at", "modified"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type OwnField = keyof typeof SPELLINGS;

/** The internal names of the fields to which a column can be mapped. */
const MAPPED = {
  id: "id",
  author: "author",
  author_avatar_url: "author_avatar_url",
  rating: "rating",
  date: "date",
  text: "text",
  source: "source",
  source_url: "source_url",
  owner_reply_text: "reply",
  owner_reply_date: "replied",
  verified: "verified",
} as const satisfies Readonly<Record<MappableField, OwnField>>;

/** A table's column name per field, and the unknown names. */
export interface GoodwordFields {
  readonly names: ReadonlyMap<OwnField, string>;
  readonly unknown: readonly string[];
}

/**
 * Matches the names in a header, or of an object's members, to fields. The owner's mappings take precedence; if two
 * names match a field, the more common one is used.
 */
export function goodwordFields(given: readonly string[], mapping: ColumnMapping = {}): GoodwordFields {
  const names = new Map<OwnField, string>();
  for (const [field, wanted] of Object.entries(mapping) as [MappableField, string][]) {
    const column = columnNamed(given, wanted);
    if (column !== undefined) names.set(MAPPED[field], column);
  }
  const isDayMapped = names.has("date");
  const mapped = new Set(names.values());
  const free = new Map(
    given
      .filter((name) => !mapped.has(name))
      .toReversed() // of names with the same spelling, the first
      .map((name) => [snakeCase(name), name]),
  );
  for (const [field, spellings] of Object.entries(SPELLINGS) as [OwnField, readonly string[]][]) {
    if (names.has(field) || (field === "instant" && isDayMapped)) continue;
    const name = spellings.map((spelling) => free.get(spelling)).find((one) => one);
    if (name !== undefined) names.set(field, name);
  }
  const reply = names.get("reply");
  const isReplyLoose = reply !== undefined && !names.has("replied") && mapping.owner_reply_text === undefined;
  if (isReplyLoose && isLooseReply(reply)) names.delete("reply");
  const used = new Set(names.values());
  return { names, unknown: given.filter((name) => !used.has(name)) };
}

/**
 * Whether a column may hold replies, or something else. A reply needs its day: a table that has such a column and no
 * days of replies is read without it, whereas a column whose name is clear lacks its days by mistake.
 */
export function isLooseReply(name: string): boolean {
  return LOOSE_REPLIES.has(snakeCase(name));
}

const LOOSE_REPLIES: ReadonlySet<string> = new Set([
  "antwort",
  "unsere_antwort",
  "answer",
  "our_answer",
  "our_reply",
  "our_response",
]);

/** The mapped columns that are missing from a table. */
export function missingColumns(given: readonly string[], mapping: ColumnMapping): string[] {
  return Object.values(mapping).filter((column) => columnNamed(given, column) === undefined);
}

function columnNamed(given: readonly string[], column: string): string | undefined {
  const wanted = column.trim();
  return given.find((name) => name === wanted) ?? given.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

/** The table's or object's names that contain dates. */
export function dateNames({ names }: GoodwordFields): string[] {
  return (["date", "instant", "replied", "updated"] as const).flatMap((field) => names.get(field) ?? []);
}

/** Whether these fields suffice for a review: a rating and a date. */
export function areGoodwordReviewFields({ names }: GoodwordFields): boolean {
  return names.has("rating") && (names.has("date") || names.has("instant"));
}

/** The field names in this table, for messages. */
export function fieldNames({ names }: GoodwordFields): FieldNames {
  const pick = (field: OwnField, ...others: OwnField[]) =>
    [field, ...others].map((one) => names.get(one)).find(Boolean);
  const pairs = Object.entries({
    id: pick("id"),
    author: pick("author"),
    author_avatar_url: pick("author_avatar_url"),
    rating: pick("rating"),
    written: pick("instant", "date"),
    text: pick("text"),
    source: pick("source"),
    source_url: pick("source_url"),
    reply_text: pick("reply"),
    reply_written: pick("replied") ?? "owner_reply_date",
    verified: pick("verified"),
    updated: pick("updated"),
  });
  return Object.fromEntries(pairs.filter(([, name]) => name !== undefined));
}

/** Reads a row or object by its fields. A field that is missing from the table is undefined; an empty one is null. */
export function readGoodwordFields(
  fields: GoodwordFields,
  read: (name: string) => unknown,
  order: DateOrder | undefined,
): RawReview {
  const at = (field: OwnField): unknown => {
    const name = fields.names.get(field);
    if (name === undefined) return undefined;
    const value = read(name);
    return value === undefined || (typeof value === "string" && value.trim() === "") ? null : value;
  };
  const [day, instant, updated] = [at("date"), at("instant"), at("updated")];
  return {
    id: at("id"),
    author: at("author"),
    author_avatar_url: at("author_avatar_url"),
    rating: at("rating"),
    written: readDay(instant ?? day ?? undefined, order),
    text: at("text"),
    source: at("source") ?? undefined,
    source_url: at("source_url"),
    owner_reply: ownReply(at("reply"), at("replied"), order),
    verified: at("verified"),
    updated: updated === undefined || updated === null ? undefined : readDate(updated, order),
  };
}

/** The day of a review; without one, the fault says what to do, because tables often end in a total. */
function readDay(value: unknown, order: DateOrder | undefined): ReviewTime {
  if (value === undefined) return { fault: NO_DAY };
  return readDate(value, order);
}

const NO_DAY =
  "is missing, but must be a day, such as 2024-04-03, 3.4.2024 or April 3, 2024, or a time such as 2025-08-06T04:57:47Z. A row that is no review, such as a total, is left out with --skip-invalid";

function ownReply(
  reply: unknown,
  replied: unknown,
  order: DateOrder | undefined,
): { text: unknown; written: ReviewTime } | null | undefined {
  if (reply === undefined || reply === null) return reply;
  if (isObject(reply)) return { text: reply.text, written: readDate(reply.date, order) };
  return { text: reply, written: readDate(replied ?? undefined, order) };
}

/** Converts `Star Rating`, `star-rating`, `starRating` and `Star rating (1-5)` to `star_rating`. */
function snakeCase(name: string): string {
  return name
    .replace(/\([^()]*\)\s*$|\s(?:out of|of|\/)\s*5\s*$|\/\s*5\s*$/i, "")
    .replace(/[:?.*]+\s*$/, "")
    .trim()
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
