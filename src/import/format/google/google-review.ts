/** Reads a review record from Google's own exports: Takeout and the Business Profile API. */

import { members } from "../../../lib/json-object.ts";
import { isoTime } from "../../review/iso-time.ts";
import type { FieldNames, RawReview } from "../../review/raw-review.ts";

export const GOOGLE_NAMES: FieldNames = {
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
export function readGoogleReview(record: Readonly<Record<string, unknown>>): RawReview {
  const reviewer = members(record.reviewer);
  const reply = record.reviewReply;
  const hasPhoto = typeof reviewer.profilePhotoUrl === "string" && reviewer.profilePhotoUrl !== "";
  return {
    source: "google",
    id: bareReviewId(record.name) ?? record.reviewId,
    author: reviewer.displayName,
    ...(hasPhoto && { author_avatar_url: reviewer.profilePhotoUrl }),
    rating: record.starRating,
    written: isoTime(record.createTime),
    updated: record.updateTime === undefined ? undefined : isoTime(record.updateTime),
    text: record.comment ?? null,
    owner_reply:
      reply === undefined || reply === null
        ? null
        : { text: members(reply).comment, written: isoTime(members(reply).updateTime) },
  };
}

/** Extracts `<r>` from `…/reviews/<r>`. */
export function bareReviewId(name: unknown): string | undefined {
  return typeof name === "string" ? /(?:^|\/)reviews\/([^/]+)$/.exec(name)?.[1] : undefined;
}

/** Whether a record comes from Google's own exports, in which the rating is a word. */
export function isGoogleReview(record: Readonly<Record<string, unknown>>): boolean {
  return typeof record.starRating === "string" && ("createTime" in record || "reviewer" in record);
}
