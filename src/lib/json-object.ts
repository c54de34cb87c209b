/** JSON objects from outside, with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object, rather than null or an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty object for anything else. */
export function members(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
