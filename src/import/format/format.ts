/** The interface that every import format implements: how content is recognised, and how reviews are read from it. */

import { members } from "../../json-object.ts";
import type { DateOrder } from "../review/free-form-date.ts";
import type { Entry, FieldNames, RawReview } from "../review/raw-review.ts";
import type { Content } from "../syntax/content.ts";
import type { ColumnMapping } from "./column-mapping.ts";

/** How much a file holds: all reviews of a business, a page with others to follow, or a part that is never complete. */
export type Extent = "whole" | "page" | "part";

/** What the owner specified about tables. */
export interface ReadOptions {
  /** The order of day and month in numeric dates. */
  readonly dates?: DateOrder | undefined;
  /** Maps columns to fields. */
  readonly columns?: ColumnMapping | undefined;
}

export interface Format {
  /** Its name for people. */
  readonly name: string;
  /** How much of a business's reviews the content can hold. */
  extent(content: Content): Extent;
  /** Whether the content has this format. Decided by the content, never by the name of the file. */
  recognises(content: Content, options: ReadOptions): boolean;
  /** Reads the records of recognised content, in order. Throws Invalid if the file cannot be read further. */
  records(content: Content, options: ReadOptions): AsyncIterable<Entry> | Iterable<Entry>;
}

/** A record in JSON, and its path. */
export interface Located {
  readonly at: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The parts in which formats of whole JSON documents differ. */
export interface JsonFormat {
  readonly name: string;
  /** Optional; without it, documents count as complete. */
  extent?(value: Readonly<Record<string, unknown>>): Extent;
  /** The format's names of the fields. */
  readonly names: FieldNames;
  /** Finds the records of a document; undefined if it does not have this format. */
  find(value: unknown): readonly Located[] | undefined;
  /** Reads a record as a review, or describes its fault. */
  read(record: Readonly<Record<string, unknown>>): RawReview | { readonly fault: string };
}

/** Makes a format whose files are one JSON document each. */
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

/** The entries of a list with their paths, such as `reviews[3]`; undefined if the value is not a list. */
export function located(list: unknown, path: string): Located[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.map((record, index) => ({ at: `${path}[${index}]`, record: members(record) }));
}
