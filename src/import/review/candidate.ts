/**
 * The two forms of a review on its way into the store, as a format reads it and as a candidate, and the keys that
 * identify it. `review-validation.ts` makes the second form of the first.
 */
import { hash } from "node:crypto";
import { reviewHash, reviewIdOf } from "../../review.ts";
import type { ToldPlace } from "../place/told-place.ts";
import type { ReviewTime } from "./iso-time.ts";
import type { ReadFrom } from "./read-from.ts";

/**
 * The fields that an export can carry. Absent: the export does not have it, and the stored value stays. Null: known to
 * be empty.
 */
export interface RawReview {
  /** Where the review was written, if the export says so. */
  readonly source?: unknown;
  /** The source's own id. */
  readonly id?: unknown;
  readonly author?: unknown;
  readonly author_avatar_url?: unknown;
  readonly rating: unknown;
  readonly written: ReviewTime;
  readonly text?: unknown;
  readonly source_url?: unknown;
  /** `written` is null where the export gives no date of replies. */
  readonly owner_reply?: { readonly text: unknown; readonly written: ReviewTime | null } | null | undefined;
  readonly verified?: unknown;
  /** The state by which the owner's own system hides it (`Status: spam`); null if that shows it. */
  readonly hidden?: string | null | undefined;
  /** When the customer last edited it. */
  readonly updated?: ReviewTime | undefined;
}

/** The names of the fields in the export, for messages about faults. */
export type FieldNames = Readonly<Partial<Record<FieldName, string>>>;

export type FieldName = Exclude<keyof RawReview, "hidden"> | "title" | "reply_text" | "reply_written";

/** A valid value, or a fault as the rest of a sentence that begins with the field. */
export type FieldResult<Value> = { readonly value: Value } | { readonly fault: string };

/**
 * One record of a file: its position (`line 12`, `reviews[3]`), and the review or its fault; or a warning; or from where the
 * fields of its reviews were read; or why the whole file is refused, which ends the records.
 */
export type Entry =
  | {
      readonly at: string;
      readonly review: RawReview;
      readonly names: FieldNames;
      readonly place?: ToldPlace | undefined;
    }
  | { readonly at: string; readonly fault: string; readonly place?: ToldPlace | undefined }
  | { readonly at: string; readonly warning: string }
  | { readonly at: string; readonly readFrom: ReadFrom }
  | { readonly at: string; readonly refusal: string };

export interface CandidateReply {
  readonly text: string;
  /** Null if the export does not date replies. */
  readonly date: string | null;
  readonly replied_at: string | null;
}

/** A validated review that has not been compared with the store yet. Absent fields and null as in {@link RawReview}. */
export interface Candidate {
  readonly source: string;
  /** The source's own id; null if the export has none. */
  readonly source_id: string | null;
  /** The id under which Goodword published the review, if the export is a Goodword dataset. */
  readonly published_id?: string | undefined;
  readonly author?: string | undefined;
  readonly author_avatar_url?: string | null | undefined;
  readonly rating: number;
  readonly date: string;
  /** The instant from which `date` follows; null if the export has only the day. */
  readonly written_at: string | null;
  readonly text?: string | null | undefined;
  readonly source_url?: string | null | undefined;
  readonly owner_reply?: CandidateReply | null | undefined;
  readonly row_verified?: number | undefined;
  readonly updated_at?: string | undefined;
  /** The state by which the owner's own system hides the review; null if that shows it, absent if it does not tell. */
  readonly hidden?: string | null | undefined;
  /** The identity that the review had before its author or text was removed. */
  readonly redacted?: Identity | undefined;
}

/** The keys that identify a review. */
export interface Identity {
  /** The published id. */
  readonly id: string;
  readonly source_key: string;
  readonly natural_key: string;
}

/** The basis of a review's identity: the source's own id, the id under which Goodword published it, or its content. */
export type Basis = "own id" | "published id" | "content";

/** A candidate with its identity, as the staging area takes it: one version of a review. */
export interface StagedReview extends Identity {
  readonly basis: Basis;
  /** Where it was read, for messages: `reviews.csv, line 12`. */
  readonly place: string;
  readonly candidate: Candidate;
}

/** The name that stands for an unnamed customer. */
export function unnamedAuthor(source: string): string {
  return source === "google" ? "A Google user" : "Anonymous";
}

/** The key that recognises a review in an export without ids: a hash of source, author, date and text. */
function naturalKey(review: Pick<Candidate, "source" | "author" | "date" | "text">): string {
  const { source, author, date, text } = review;
  const name = author === undefined || author === unnamedAuthor(source) ? "" : author;
  return hash("sha256", JSON.stringify([source, name, date, text ?? ""]));
}

/** Derives the identity of a review: from the source's own id, else from its published id, else from its content. */
export function identity(
  review: Pick<Candidate, "source" | "source_id" | "published_id" | "author" | "date" | "text">,
): Identity {
  const { source, source_id, published_id, date } = review;
  const natural_key = naturalKey(review);
  // The id of a source never contains U+0000, so derived ids cannot collide with it.
  const ownId = source_id ?? `\0${published_id ?? natural_key}`;
  const source_key = reviewHash(source, ownId);
  const isPublished = source_id === null && published_id !== undefined;
  return { id: isPublished ? published_id : reviewIdOf(source_key, date), source_key, natural_key };
}

/** The candidate with its identity; `place` says where it was read. */
export function stagedReview(candidate: Candidate, place: string): StagedReview {
  const { source_id, published_id } = candidate;
  const basis = source_id !== null ? "own id" : published_id !== undefined ? "published id" : "content";
  return { ...identity(candidate), basis, place, candidate };
}
