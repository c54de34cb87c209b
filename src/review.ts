/** A review: one customer's words and stars about the business, exactly as published (interface §1). */
import { hash } from "node:crypto";
import { z } from "zod";
import { calendarDate } from "./calendar-date.ts";

/** The owner's public reply to a review. */
export const ownerReplySchema = z.object({
  text: z.string().min(1).describe("The text of the owner's reply"),
  date: calendarDate
    .nullable()
    .describe("The date on which it was written, in the business's time zone; null if the source gives none"),
});

const REVIEW_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A review's identifier: a ULID. */
export const reviewIdSchema = z.string().regex(REVIEW_ID);

/** The longest address of an avatar or a permalink, in characters. */
export const MAX_ADDRESS_LENGTH = 8_192;

/** The ten fields of a review, all present. */
export const reviewSchema = z
  .object({
    id: reviewIdSchema.describe(
      "Stable identifier, a ULID derived from the review's date, source and the source's own id",
    ),
    author: z.string().min(1).describe("Display name of the customer"),
    author_avatar_url: z.url().nullable().describe("Picture of the customer"),
    rating: z.int().min(1).max(5).describe("Stars, 1 to 5"),
    date: calendarDate.describe("The date on which it was written, in the business's time zone"),
    text: z.string().nullable().describe("The customer's text; null for a rating without text"),
    source: z.string().min(1).describe("Where it was written: google, yelp, facebook, first_party, …"),
    source_url: z.url().nullable().describe("Permalink at the source"),
    owner_reply: ownerReplySchema.nullable().describe("The owner's public reply"),
    verified: z.boolean().describe("Whether the review comes from a verified source; only such reviews are published"),
  })
  .meta({ id: "Review", title: "Review" });

export type Review = Readonly<z.infer<typeof reviewSchema>>;

/** Whether a review has text: some have stars alone. */
export function isWords(text: string | null | undefined): text is string {
  return typeof text === "string" && text.trim() !== "";
}

/** SHA-256, in hexadecimal, over a source and the source's own id. */
export function reviewHash(source: string, sourceId: string): string {
  return hash("sha256", `${source}\0${sourceId}`);
}

/**
 * The identifier of the review with this hash: a ULID whose time part is the review's date at midnight UTC and whose
 * other 80 bits are the start of the hash. The same review has the same id on every machine.
 */
export function reviewIdOf(digest: string, date: string): string {
  return timePart(date) + identityDigits(digest.slice(0, 10)) + identityDigits(digest.slice(10, 20));
}

/** 40 bits, from hexadecimal to base 32. */
function identityDigits(hexadecimal: string): string {
  return crockford(Number.parseInt(hexadecimal, 16), 8);
}

/** The part of an id that does not change when a review's date does: 80 bits of the hash of its source and own id. */
export function identityPart(id: string): string {
  return id.slice(TIME_LENGTH);
}

/** The id of the same review with another date. */
export function reviewIdWithDate(id: string, date: string): string {
  return timePart(date) + identityPart(id);
}

const TIME_LENGTH = 10;

/** The beginning of the ids of all reviews of a day. Ids are in the order of their days. */
export function timePart(date: string): string {
  return crockford(Date.parse(`${date}T00:00:00Z`), TIME_LENGTH);
}

/** Whether `id` is a review's identifier with that date. */
export function isReviewId(id: string, date: string): boolean {
  return REVIEW_ID.test(id) && id.startsWith(timePart(date));
}

/** The date of the review with this id. */
export function dateOfReviewId(id: string): string {
  let milliseconds = 0;
  for (const digit of id.slice(0, TIME_LENGTH)) milliseconds = milliseconds * 32 + CROCKFORD.indexOf(digit);
  return new Date(milliseconds).toISOString().slice(0, 10);
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Two digits for each number below 1024. */
const PAIRS = Array.from({ length: 1024 }, (_, pair) => `${CROCKFORD[pair >> 5]}${CROCKFORD[pair & 31]}`);

/** A whole number below 2^53 in Crockford's base 32, in an even number of digits. */
function crockford(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 1024)) text = PAIRS[rest % 1024] + text;
  return text;
}
