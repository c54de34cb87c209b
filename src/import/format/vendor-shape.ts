/**
 * The shape of a vendor's records. A format is recognised only by records in which every member that it reads has the
 * vendor's type: a near miss is another format, and is read by what its members hold, or refused.
 */
import { isValue } from "../../issue.ts";
import { isObject, type JsonObject } from "../../lib/json-object.ts";

/** The type of a member. A member that ends in `?` may be absent, empty or null. */
type MemberType = "text" | "number" | "object" | "list" | "stars" | "id";

/** Dotted paths of members, and their types. */
export type Shape = Readonly<Record<string, MemberType | `${MemberType}?`>>;

const CHECKS: Readonly<Record<MemberType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  object: isObject,
  list: Array.isArray,
  stars: (value) => typeof value === "string" || Number.isInteger(value),
  id: (value) => typeof value === "string" || Number.isInteger(value),
};

/** Whether a record has every member that the shape needs, each of its type. */
export function fits(record: JsonObject, shape: Shape): boolean {
  return Object.entries(shape).every(([path, type]) => {
    const value = memberAt(record, path);
    return isAbsent(value) ? type.endsWith("?") : isOfType(value, type);
  });
}

/** Says which member has another type than the vendor's; undefined if none has. */
export function misfit(record: JsonObject, shape: Shape): string | undefined {
  for (const [path, type] of Object.entries(shape)) {
    const value = memberAt(record, path);
    if (!isAbsent(value) && !isOfType(value, type))
      return `${path} ${isValue(value)}, but must be ${NAMES[type.replace("?", "") as MemberType]} in this format`;
  }
  return undefined;
}

/** Whether a list holds a vendor's records: one that fits, at least. */
export function areOfVendor<Found extends { readonly record: JsonObject }>(
  records: readonly Found[] | undefined,
  shape: Shape,
): records is readonly Found[] {
  return records?.some(({ record }) => fits(record, shape)) ?? false;
}

const NAMES: Readonly<Record<MemberType, string>> = {
  text: "text",
  number: "a number",
  object: "an object",
  list: "a list",
  stars: "a number of stars",
  id: "text or a whole number",
};

/** The value at a dotted path; undefined if nothing is there. */
export function memberAt(record: JsonObject, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) value = isObject(value) ? value[name] : undefined;
  return value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isOfType(value: unknown, type: string): boolean {
  return CHECKS[type.replace("?", "") as MemberType](value);
}
