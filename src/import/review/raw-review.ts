/** A review as it stands in an export, unjudged: what each format reads, and what all of them are judged by. */
import type { ReviewTime } from "./review-time.ts";

/** The fields that an export can carry. Absent: this export does not carry it, and what the store knows stays. Null: known to be empty. */
export interface RawReview {
  /** Where it was written, when the export says so. */
  readonly source?: unknown;
  /** The source's own id. */
  readonly id?: unknown;
  readonly author?: unknown;
  readonly author_avatar_url?: unknown;
  readonly rating: unknown;
  readonly written: ReviewTime;
  readonly text?: unknown;
  readonly source_url?: unknown;
  readonly owner_reply?: { readonly text: unknown; readonly written: ReviewTime } | null | undefined;
  readonly verified?: unknown;
  /** When the customer last edited it. */
  readonly updated?: ReviewTime | undefined;
}

/** What a part of a review is called in its export, so that a fault can be found there. */
export type FieldNames = Readonly<Partial<Record<keyof RawReview | "reply_text" | "reply_written", string>>>;

/**
 * One record of a file: where in it (`line 12`, `reviews[3]`), and the review or why there is none; or a warning; or why
 * the whole file is refused, after which nothing more comes.
 */
export type Entry =
  | { readonly at: string; readonly review: RawReview; readonly names: FieldNames }
  | { readonly at: string; readonly fault: string }
  | { readonly at: string; readonly warning: string }
  | { readonly at: string; readonly refusal: string };
