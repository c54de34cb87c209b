/** A JSON object from outside: nothing is known about its members. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
