/** What differs between two descriptions of a business, field by field, and how business.yaml becomes the other one. */
import { isDeepStrictEqual } from "node:util";
import { parseDocument, stringify } from "yaml";
import { type BusinessFile, businessFileSchema, UNNAMED_BUSINESS } from "../../business.ts";
import { changedPowers, isPower } from "../../business-powers.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { fill } from "../../page/text/words.ts";
import { type BusinessFields, fieldsOf, withBusinessFields } from "./business-form.ts";

const MEMBERS = Object.keys(businessFileSchema.shape);
/** Of longer values, what both begin with alike is left out but for its end. What differs is never cut: it is confirmed. */
const [MAX_ALIKE_LENGTH, AROUND_LENGTH] = [200, 40];

type Members = Readonly<Record<string, unknown>>;

/** How a difference is told. */
export interface DifferenceWords {
  /** With `{field}`, `{from}` and `{to}`. */
  readonly differs: string;
  /** In place of an empty value. */
  readonly nothing: string;
  /** What a field is called: a path in business.yaml, or `hours.Monday`. */
  label(field: string): string;
}

/** The lines of `fieldLines`, and those of `changedPowers`. */
export function differenceLines(
  from: BusinessFile | undefined,
  to: BusinessFile | undefined,
  words: DifferenceWords,
): string[] {
  return [...fieldLines(from, to, words), ...changedPowers(from, to)];
}

/**
 * A line for each field that differs, with both values. A member that is no field of the form has its value as JSON.
 * Undefined stands for no business file.
 */
export function fieldLines(
  from: BusinessFile | undefined,
  to: BusinessFile | undefined,
  { differs, nothing, label }: DifferenceWords,
): string[] {
  const [before, after] = [from ?? UNNAMED_BUSINESS, to ?? UNNAMED_BUSINESS] as readonly Members[] as [
    Members,
    Members,
  ];
  const [old, given] = [fieldsOf(before), fieldsOf(after)];
  const line = (field: string, values: readonly [unknown, unknown]) => {
    const [was, is] = shown(...(values.map(textOf) as [string, string]));
    return fill(differs, { field: label(field), from: was || nothing, to: is || nothing });
  };
  const described = MEMBERS.filter((member) => !isPower(member) && !isDeepStrictEqual(before[member], after[member]));
  return described.flatMap((member) => {
    const fields = fieldsOfMember(member, given).filter((field) => old[field] !== given[field]);
    if (fields.length === 0) return [line(member, [before[member], after[member]])];
    return fields.map((field) => line(field, [old[field], given[field]]));
  });
}

/** `address` has `address.street` and others, `opening_hours` those of the days. */
function fieldsOfMember(member: string, fields: BusinessFields): string[] {
  const group = member === "opening_hours" ? "hours" : member;
  return Object.keys(fields).filter((field) => field === group || field.startsWith(`${group}.`));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.replaceAll("\n", "; ");
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return textOf(value.join("\n"));
  return value === undefined ? "" : JSON.stringify(value);
}

/** Two texts as they are shown beside each other: of long ones, what both begin with alike is left out. */
function shown(was: string, is: string): [string, string] {
  let alike = 0;
  while (alike < was.length && was[alike] === is[alike]) alike++;
  const isLong = Math.max(was.length, is.length) > MAX_ALIKE_LENGTH && alike > AROUND_LENGTH;
  const from = isLong ? alike - AROUND_LENGTH : 0;
  const cut = (text: string) => `${from > 0 && text !== "" ? "…" : ""}${text.slice(from).toWellFormed()}`;
  return [cut(was), cut(is)];
}

/** A new business.yaml for a business. */
export function businessText(business: BusinessFile): string {
  const filled = Object.entries(business).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return stringify(JSON.parse(JSON.stringify(Object.fromEntries(filled))));
}

/** The text of a business.yaml with what another business says: comments stay where nothing differs. */
export function withBusiness(text: string, business: BusinessFile): string {
  const wanted: Members = business;
  const differing = (given: string) => {
    const present: Members = parseBusinessFile("business.yaml", given);
    return MEMBERS.filter((member) => !isDeepStrictEqual(present[member], wanted[member]));
  };
  const fields = fieldsOf(wanted);
  const names = differing(text).flatMap((member) => fieldsOfMember(member, fields));
  const filled = withBusinessFields(text, Object.fromEntries(names.map((name) => [name, fields[name] ?? ""])));
  const others = differing(filled);
  if (others.length === 0) return filled;
  const document = parseDocument(filled);
  for (const member of others) {
    if (isDeepStrictEqual(wanted[member] ?? [], (UNNAMED_BUSINESS as Members)[member] ?? [])) document.delete(member);
    else document.set(member, document.createNode(wanted[member]));
  }
  return document.toString({ lineWidth: 0 });
}
