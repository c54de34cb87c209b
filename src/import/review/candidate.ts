/** A validated review of an import, not yet compared with the store; and how its identity is derived. */
import { createHash } from "node:crypto";
import { deriveReviewId } from "../../review.ts";
import type { StagedReview } from "../../store/staging.ts";

export interface CandidateReply {
  readonly text: string;
  readonly date: string;
  readonly replied_at: string | null;
}

/** Absent: the export does not carry it. Null: known to be empty. */
export interface Candidate {
  readonly source: string;
  /** The source's own id; null where the export has none. */
  readonly source_id: string | null;
  /** The id under which it was published before, when the export is a publication of ours and not a source's. */
  readonly published_id?: string | undefined;
  readonly author?: string | undefined;
  readonly author_avatar_url?: string | null | undefined;
  readonly rating: number;
  readonly date: string;
  /** The instant behind `date`; null where the export told only the day. */
  readonly written_at: string | null;
  readonly text?: string | null | undefined;
  readonly source_url?: string | null | undefined;
  readonly owner_reply?: CandidateReply | null | undefined;
  readonly row_verified?: number | undefined;
  readonly updated_at?: string | undefined;
  /** What told it from other reviews before its author's name or its words were taken out. */
  readonly redacted?: Identity | undefined;
}

/** The name of a customer whose export names nobody. */
export function unnamedAuthor(source: string): string {
  return source === "google" ? "A Google user" : "Anonymous";
}

/** Finds a review again in an export without ids: a hash of source, author, date and text. */
function naturalKey(review: Pick<Candidate, "source" | "author" | "date" | "text">): string {
  const { source, author, date, text } = review;
  const name = author === undefined || author === unnamedAuthor(source) ? "" : author;
  return createHash("sha256")
    .update(JSON.stringify([source, name, date, text ?? ""]), "utf8")
    .digest("hex");
}

/** What tells a review from others. */
export interface Identity {
  /** The id under which it is published. */
  readonly id: string;
  readonly source_key: string;
  readonly natural_key: string;
}

/** The identity of a review: from the source's own id, else as it was published, else from what it says. */
export function identity(
  review: Pick<Candidate, "source" | "source_id" | "published_id" | "author" | "date" | "text">,
): Identity {
  const { source, source_id, published_id, date } = review;
  const natural_key = naturalKey(review);
  // No source's id can hold U+0000, so an id of ours never meets one that a source gave.
  const ownId = source_id ?? `\0${published_id ?? natural_key}`;
  const source_key = createHash("sha256").update(`${source}\0${ownId}`, "utf8").digest("hex");
  const isPublished = source_id === null && published_id !== undefined;
  return { id: isPublished ? published_id : deriveReviewId(source, ownId, date), source_key, natural_key };
}

/** A candidate in the form in which the staging area holds it; `place` says where it was read. */
export function stagedReview(candidate: Candidate, place: string): StagedReview {
  const { source, source_id, published_id } = candidate;
  const basis = source_id !== null ? "own id" : published_id !== undefined ? "published id" : "content";
  return { ...identity(candidate), source, basis, place, body: JSON.stringify(candidate) };
}
