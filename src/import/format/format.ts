/** The interface that every import format implements: how content is recognised, and how reviews are read from it. */

import { members } from "../../json-object.ts";
import type { DateOrder } from "../review/date-text.ts";
import type { Entry, FieldNames, RawReview } from "../review/raw-review.ts";
import type { Content } from "../syntax/content.ts";
import type { ColumnMapping } from "./column-mapping.ts";

/** All of a business's reviews; a page after which others follow; or a part that is never all. */
export type Extent = "whole" | "page" | "part";

/** What the owner says about tables whose own words do not suffice. */
export interface ReadOptions {
  /** The order of day and month in dates that name no month. */
  readonly dates?: DateOrder | undefined;
  /** Which column is which field. */
  readonly columns?: ColumnMapping | undefined;
}

export interface Format {
  /** What people call it. */
  readonly name: string;
  /** How much of a business's reviews such content can hold. */
  extent(content: Content): Extent;
  /** Whether this content is of the format. Told by what stands in it, never by the file's name. */
  recognises(content: Content, options: ReadOptions): boolean;
  /** The reviews of recognised content, in its order. Throws Invalid where the file itself cannot be read on. */
  records(content: Content, options: ReadOptions): AsyncIterable<Entry> | Iterable<Entry>;
}

/** A record as it stands in JSON, and the way to it. */
export interface Located {
  readonly at: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** How a format of whole JSON documents differs from the others. */
export interface JsonFormat {
  readonly name: string;
  /** Without it a document may be the whole. */
  extent?(value: Readonly<Record<string, unknown>>): Extent;
  /** What the format calls the fields. */
  readonly names: FieldNames;
  /** The records of a document of this format; undefined when it is another. */
  find(value: unknown): readonly Located[] | undefined;
  /** The review, or why this record is none. */
  read(record: Readonly<Record<string, unknown>>): RawReview | { readonly fault: string };
}

/** A format whose files are one JSON value each. */
export function jsonFormat({ name, extent, names, find, read }: JsonFormat): Format {
  return {
    name,
    recognises: (content) => content.syntax === "json" && find(content.value) !== undefined,
    extent: (content) => (content.syntax === "json" && extent ? extent(members(content.value)) : "whole"),
    *records(content) {
      if (content.syntax !== "json") return;
      for (const { at, record } of find(content.value) ?? []) {
        const review = read(record);
        yield "fault" in review ? { at, fault: review.fault } : { at, review, names };
      }
    },
  };
}

/** The entries of a list with the way to each, `reviews[3]`; undefined where the value is no list. */
export function located(list: unknown, path: string): Located[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.map((record, index) => ({ at: `${path}[${index}]`, record: members(record) }));
}
