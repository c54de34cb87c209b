/** How the identity of a validated review is derived, and how it is staged. */
import { hash } from "node:crypto";
import { reviewHash, reviewIdOf } from "../../review.ts";
import { type Candidate, type Identity, packCandidate } from "../../store/staging/packed-candidate.ts";
import type { StagedReview } from "../../store/staging/staged-review.ts";

/** The name that stands for an unnamed customer. */
export function unnamedAuthor(source: string): string {
  return source === "google" ? "A Google user" : "Anonymous";
}

/** The key that recognises a review in an export without ids: a hash of source, author, date and text. */
function naturalKey(review: Pick<Candidate, "source" | "author" | "date" | "text">): string {
  const { source, author, date, text } = review;
  const name = author === undefined || author === unnamedAuthor(source) ? "" : author;
  return hash("sha256", `[${inJson(source)},${inJson(name)},"${date}",${inJson(text ?? "")}]`);
}

/** What JSON writes otherwise. JSON takes a text that is a piece of another character by character. */
const ESCAPED = /["\\\0-\x1f\ud800-\udfff]/;

function inJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
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

/** A candidate in the form in which the staging area holds it; `place` says where it was read. */
export function stagedReview(candidate: Candidate, place: string): StagedReview {
  const { source, source_id, published_id } = candidate;
  const basis = source_id !== null ? "own id" : published_id !== undefined ? "published id" : "content";
  return { ...identity(candidate), source, basis, place, body: packCandidate(candidate) };
}
