/** Reads a review record from Google's own exports: Takeout and the Business Profile API. */

import { quote } from "../../../issue.ts";
import { isObject, type JsonObject, members } from "../../../lib/json-object.ts";
import type { FieldNames, RawReview } from "../../review/candidate.ts";
import { isoTime } from "../../review/iso-time.ts";
import { isCalled } from "../column-names.ts";
import type { JsonFormat } from "../format.ts";
import { fits, type Shape } from "../vendor-shape.ts";

/** The source of the reviews in Google's own exports. */
export const TAKEOUT_SOURCE = "google";

const GOOGLE_NAMES: FieldNames = {
  id: "name",
  author: "reviewer.displayName",
  author_avatar_url: "reviewer.profilePhotoUrl",
  rating: "starRating",
  written: "createTime",
  updated: "updateTime",
  text: "comment",
  reply_text: "reviewReply.comment",
  reply_written: "reviewReply.updateTime",
};

/**
 * Reads one record. Its identity is the last part of `name`, `…/locations/<l>/reviews/<r>`, because the account before
 * it differs between exports. `comment` is absent if the customer gave only stars.
 */
function readGoogleReview(record: Readonly<Record<string, unknown>>): RawReview {
  const reviewer = members(record.reviewer);
  const reply = record.reviewReply;
  const hasPhoto = typeof reviewer.profilePhotoUrl === "string" && reviewer.profilePhotoUrl !== "";
  return {
    source: TAKEOUT_SOURCE,
    id: bareReviewId(record.name) ?? record.reviewId,
    author: reviewer.isAnonymous === true ? null : reviewer.displayName,
    ...(hasPhoto && { author_avatar_url: reviewer.profilePhotoUrl }),
    rating: record.starRating,
    written: isoTime(record.createTime),
    updated: record.updateTime === undefined ? undefined : isoTime(record.updateTime),
    text: record.comment ?? null,
    owner_reply:
      reply === undefined || reply === null || unpublishedReply(record) !== undefined
        ? null
        : { text: members(reply).comment, written: isoTime(members(reply).updateTime) },
  };
}

/** Why Google does not show the reply to a review, if it has one and does not. */
function unpublishedReply(record: Readonly<Record<string, unknown>>): string | undefined {
  const state = members(record.reviewReply).reviewReplyState;
  return state === "REJECTED" || state === "PENDING"
    ? `a reply is left out, because Google does not show it: reviewReplyState is ${quote(state)}`
    : undefined;
}

/** Extracts `<r>` from `…/reviews/<r>`. */
export function bareReviewId(name: unknown): string | undefined {
  return typeof name === "string" ? /(?:^|\/)reviews\/([^/]+)$/.exec(name)?.[1] : undefined;
}

/** A record of Google's own exports. The rating is a word there; libraries that pass records on make it a number. */
const GOOGLE_SHAPE: Shape = {
  name: "text?",
  reviewId: "text?",
  starRating: "stars",
  createTime: "text?",
  updateTime: "text?",
  reviewer: "object?",
  "reviewer.displayName": "text?",
  comment: "text?",
  reviewReply: "object?",
};

/** What the formats of Google's own exports have in common. A page of several says where the next one begins. */
export const GOOGLE_FORMAT = {
  names: GOOGLE_NAMES,
  further: { author: ["reviewer.isAnonymous"] },
  vendor:
    /^(?:name|reviewId|reviewer|starRating|comment|createTime|updateTime|reviewReply|reviewMediaItems|reviewPhotos|media)$/,
  shape: GOOGLE_SHAPE,
  extent: ({ nextPageToken }) => (nextPageToken ? "page" : "whole"),
  read: readGoogleReview,
  leftOut: unpublishedReply,
} satisfies Omit<JsonFormat, "name" | "find">;

/**
 * Whether a record comes from Google's own exports, in which the rating is a word. A number stands there only in what
 * libraries pass on; such a record must have all else that tells Google's.
 */
export function isGoogleReview(record: JsonObject): boolean {
  if (!fits(record, GOOGLE_SHAPE) || isNamedOtherwise(members(record.reviewer))) return false;
  const [isDated, isSigned] = [typeof record.createTime === "string", isObject(record.reviewer)];
  if (typeof record.starRating === "number") return isDated && isSigned && "reviewId" in record;
  return isDated || isSigned;
}

/**
 * Whether a reviewer has no name where Google writes it, but members that Google does not have and that are called as no
 * whole name is, such as `firstName`.
 */
function isNamedOtherwise({ displayName, profilePhotoUrl, isAnonymous, ...others }: JsonObject): boolean {
  const names = Object.keys(others);
  return (displayName ?? "") === "" && isAnonymous !== true && names.length > 0 && !names.some(isAuthor);
}

const isAuthor = (name: string) => isCalled(name, "author");
