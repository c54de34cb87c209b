/** Notes which of a service's own members fill the fields of reviews, by the names that its format gives them. */
import { isObject, type JsonObject } from "../../lib/json-object.ts";
import type { FieldName, FieldNames, RawReview } from "./candidate.ts";
import { openPicks, type Picks, type ReadField } from "./read-from.ts";

/** Which fields have other names in a format. */
const RENAMED: Readonly<Partial<Record<string, ReadField>>> = {
  written: "date",
  reply_text: "owner_reply_text",
  reply_written: "owner_reply_date",
};

/** What a field that a format names is called in the report. */
export function readField(field: Exclude<FieldName, "owner_reply">): ReadField {
  return RENAMED[field] ?? (field as ReadField);
}

/** Notes which of a service's members fill the fields of reviews. */
interface MemberPicks extends Picks {
  look(record: JsonObject, review: RawReview): void;
}

/** `further`: members that a field is read from besides that of `names`. */
export function openMemberPicks(
  names: FieldNames,
  further: Readonly<Partial<Record<FieldName, readonly string[]>>> = {},
): MemberPicks {
  const picks = openPicks();
  const fields = [...new Set([...Object.keys(names), ...Object.keys(further)])] as Exclude<FieldName, "owner_reply">[];
  const waiting = new Map(
    fields.map((field) => {
      const paths = new Set([names[field] ?? [], further[field] ?? []].flat());
      return [field, [...paths].map((path) => ({ path, parts: path.split(/[.[\]]+/).filter(Boolean) }))] as const;
    }),
  );
  return {
    ...picks,
    look(record, review) {
      for (const [field, members] of waiting) {
        const read = fieldIn(review, field);
        if (!isFilled(read)) continue;
        const filled = members.filter(({ parts }) => isFilled(valueAt(record, parts)));
        const [first = undefined] = filled;
        if (first === undefined) continue;
        const same = filled.length > 1 ? filled.find(({ parts }) => valueAt(record, parts) === read) : undefined;
        picks.note(readField(field), (same ?? first).path);
        if (members.length === 1) waiting.delete(field);
      }
    },
  };
}

function fieldIn(review: RawReview, field: FieldName): unknown {
  if (field === "reply_text") return review.owner_reply?.text;
  if (field === "reply_written") return review.owner_reply?.written;
  return field === "title" ? review.text : review[field];
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && typeof value !== "boolean";
}

function valueAt(record: JsonObject, parts: readonly string[]): unknown {
  let value: unknown = record;
  for (const part of parts)
    value = isObject(value) ? value[part] : Array.isArray(value) ? value[Number(part)] : undefined;
  return value;
}
