/** A review as a format reads it from an export, before validation. */
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
