/**
 * Where a file has a service's shape, but no record has the service's member for the author, the words or the reply, and a
 * member that is called as one stands there: they are read from that one, and the report names it.
 */
import { quote } from "../../issue.ts";
import { isObject, type JsonObject } from "../../lib/json-object.ts";
import type { FieldName, FieldNames, RawReview } from "../review/candidate.ts";
import { readDate } from "../review/free-form-date.ts";
import type { Picks } from "../review/read-from.ts";
import { titledText } from "../review/titled-text.ts";
import { type OwnField, SPELLINGS } from "../words/column-words.ts";
import { fieldSpelling, isCalled } from "./column-names.ts";
import { memberAt } from "./vendor-shape.ts";

/** Further members that a format reads a field from, besides the one that its names tell. */
export type FurtherMembers = Readonly<Partial<Record<FieldName, readonly string[]>>>;

type RenamedField = "author" | "text" | "reply_text";

interface CompletedFrom {
  readonly record: JsonObject;
  readonly picks: Picks;
}

export interface RenamedMembers {
  /** The review with what the other members of its record hold. */
  complete(review: RawReview, from: CompletedFrom): RawReview;
  /** The members that are read so. */
  readonly read: readonly string[];
  /** A sentence for each field. */
  readonly notes: readonly string[];
}

const FIELDS = {
  author: { own: "author", inside: ["author"], noun: "authors" },
  text: { own: "text", inside: ["text"], noun: "words" },
  reply_text: { own: "reply", inside: ["reply", "text"], noun: "replies" },
} as const satisfies Readonly<Record<RenamedField, { own: OwnField; inside: readonly OwnField[]; noun: string }>>;

const MAX_RECORDS = 1_000;

/** Looks for such members in the first records of a file. */
export function findRenamed(
  records: readonly JsonObject[],
  { names, further = {} }: { readonly names: FieldNames; readonly further?: FurtherMembers | undefined },
): RenamedMembers {
  const first = records.slice(0, MAX_RECORDS);
  const found = new Map<RenamedField, string>();
  const notes: string[] = [];
  const filled = [...new Set(first.flatMap((record) => textsIn(record)))];
  for (const [field, kind] of Object.entries(FIELDS) as [RenamedField, (typeof FIELDS)[RenamedField]][]) {
    const path = (names[field] ?? (field === "text" ? "text" : "")).replace(/\[.*/, "");
    const known = [path, ...(further[field] ?? [])];
    if (
      path === "" ||
      first.some((record) => known.some((each) => !["", undefined].includes(memberAt(record, each) as string)))
    )
      continue;
    const name = likeField(filled, kind, { parents: known.map(parentOf), read: Object.values(names) });
    if (name === undefined) continue;
    found.set(field, name);
    notes.push(`the ${kind.noun} are read from ${quote(name)}, because no review has ${quote(path)}`);
  }
  return { notes, read: [...found.values()], complete: (review, from) => completed(review, { ...from, found, names }) };
}

function completed(
  review: RawReview,
  {
    record,
    picks,
    found,
    names,
  }: CompletedFrom & { readonly found: ReadonlyMap<RenamedField, string>; readonly names: FieldNames },
): RawReview {
  if (found.size === 0) return review;
  const heldBy = (field: RenamedField) => memberAt(record, found.get(field) ?? "");
  const [author, text, reply] = [heldBy("author"), heldBy("text"), heldBy("reply_text")];
  const day = reply === undefined ? undefined : repliedOf(record, found.get("reply_text") ?? "", names);
  for (const [field, name] of found)
    if (heldBy(field) !== undefined) picks.note(field === "reply_text" ? "owner_reply_text" : field, name);
  if (day?.value) picks.note("owner_reply_date", day.name);
  return {
    ...review,
    ...(author !== undefined && { author }),
    ...(text !== undefined && { text: titledText(review.text, text) }),
    ...(reply !== undefined && {
      owner_reply: { text: reply, written: day?.value ? readDate(day.value, undefined) : null },
    }),
  };
}

/** The member that is called as a field is, or as a field is inside the service's own object; the best name first. */
function likeField(
  filled: readonly string[],
  { own, inside }: { readonly own: OwnField; readonly inside: readonly OwnField[] },
  { parents, read }: { readonly parents: readonly string[]; readonly read: readonly string[] },
): string | undefined {
  const free = filled.filter((name) => !read.includes(name));
  const { own: best, plain } = SPELLINGS[own];
  const named = [...best, ...plain].map((spelling) => free.find((name) => fieldSpelling(name) === spelling));
  const isInside = (name: string) =>
    parentOf(name) !== "" && parents.includes(parentOf(name)) && inside.some((field) => isCalled(lastOf(name), field));
  return named.find((name) => name !== undefined) ?? free.find(isInside);
}

/** The day of a reply: by the service's own member, or by one beside the words. */
function repliedOf(
  record: JsonObject,
  reply: string,
  names: FieldNames,
): { readonly name: string; readonly value: unknown } | undefined {
  const beside = memberAt(record, parentOf(reply));
  const inside = parentOf(reply) !== "" && isObject(beside) ? beside : {};
  const isDay = (name: string) => DAYS.some((field) => isCalled(name, field));
  const others = Object.keys(inside).filter(isDay).slice(0, 1);
  const further = Object.keys(record).filter((name) => isCalled(name, "replied"));
  return [names.reply_written ?? "", ...others.map((name) => `${parentOf(reply)}.${name}`), ...further.slice(0, 1)]
    .map((name) => ({ name, value: memberAt(record, name) }))
    .find(({ value }) => value !== undefined && value !== null);
}

const DAYS = ["replied", "updated", "instant", "date"] as const;

/** The paths of a record's texts, also of those in its objects. */
function textsIn(record: JsonObject, path = ""): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isObject(value) && path === "") return textsIn(value, `${name}.`);
    return typeof value === "string" && value.trim() !== "" && !/^https?:/.test(value) ? [`${path}${name}`] : [];
  });
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("."), 0));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
