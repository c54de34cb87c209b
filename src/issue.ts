/** An issue is one thing wrong with an input; the error Invalid carries several of them. */
import { z } from "zod";
import type { OwnWords } from "./lib/own-words.ts";

/** One fault of an input: a stable `code`, the `path` to the value at fault, and a sentence for people. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The fault without a word of the input, for logs and the store, where the code alone says too little. */
  readonly plain?: OwnWords;
}

/** The codes of issues in HTTP responses, and what each means. */
const ISSUE_CODES: Readonly<Record<string, string>> = {
  invalid_type: "not a number, or not a whole one where it must be",
  too_small: "below the least value",
  too_big: "above the greatest value",
  invalid_date: "not a real day of the form YYYY-MM-DD",
  repeated: "given more than once",
  invalid_value: "none of the values that are allowed",
  unknown_cursor: "no cursor that tells what the client has",
};

/** The shape of an issue on the wire (interface §2, error body). */
export const issueSchema = z.object({
  code: z.enum(Object.keys(ISSUE_CODES)).describe(
    `The kind of fault, for programs: ${Object.entries(ISSUE_CODES)
      .map(([code, meaning]) => `\`${code}\` (${meaning})`)
      .join(", ")}`,
  ),
  path: z.array(z.union([z.string(), z.number()])).describe("Where the fault is: a parameter, or the path to a member"),
  message: z.string().describe("What is wrong, with which value, and what is allowed"),
});

/** Thrown for invalid input. Carries every issue, not only the first. */
export class Invalid extends Error {
  override readonly name = "Invalid";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map((issue) => issue.message).join("; "));
    this.issues = issues;
  }
}

const MAX_QUOTED_CHARACTERS = 60;

/** The first parts of a value that may be as large as a file: V8 ends the process for a text that is too long to format. */
function startOf(part: unknown): unknown {
  if (typeof part === "string") return part.slice(0, 2 * MAX_QUOTED_CHARACTERS + 1);
  if (Array.isArray(part)) return part.slice(0, MAX_QUOTED_CHARACTERS);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).slice(0, MAX_QUOTED_CHARACTERS));
}

/** Formats a value for a message: quoted, on one line, at most 60 characters long. */
export function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, part) => startOf(part)) ?? String(value);
  const points = [...text.slice(0, 2 * MAX_QUOTED_CHARACTERS + 1)]; // a point is at most two units
  return points.length <= MAX_QUOTED_CHARACTERS
    ? text
    : `${points.slice(0, MAX_QUOTED_CHARACTERS - 3).join("")}…${text.startsWith('"') ? '"' : ""}`;
}

const MAX_NAME = 300;

/** Formats the name of a column as it must be given back: quoted, and whole. */
export function quoteName(name: string | undefined): string {
  return name === undefined ? "…" : JSON.stringify(name.slice(0, MAX_NAME));
}

export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** Maximum number of choices in a message. */
const MAX_LISTED = 40;

/** The choices as text: `Dana Ruiz (dana), …`. */
export function listed(choices: readonly Choice[], max = MAX_LISTED): string {
  if (choices.length === 0) return "none: the business names none";
  const shown = choices.slice(0, max).map(({ id, label }) => (id === label ? id : `${label} (${id})`));
  const more = choices.length - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** `is "x"`, or `is missing` for an absent value. */
export function isValue(value: unknown): string {
  return value === undefined || value === null ? "is missing" : `is ${quote(value)}`;
}

/**
 * The issues of a Zod failure, each message naming the path, the value and what is allowed there.
 * `allowed` describes the allowed values by the first member of the path; otherwise Zod's own message is used.
 */
export function issuesOf(error: z.ZodError, input: unknown, allowed: Readonly<Record<string, string>> = {}): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        code: issue.code,
        path: [...path(issue.path), key],
        message: `${[...issue.path, key].map(String).join(".")} is not known here`,
      }));
    }
    const where = path(issue.path);
    const rule = allowed[String(where[0])];
    const value = where.reduce<unknown>(
      (at, key) => (at as Record<string | number, unknown> | undefined)?.[key],
      input,
    );
    const name = where.join(".") || "the value";
    const message = rule
      ? `${name} is ${quote(value)}, but must be ${rule}`
      : `${name} is ${quote(value)}: ${issue.message}`;
    return [{ code: issue.code, path: where, message }];
  });
}

function path(keys: readonly PropertyKey[]): (string | number)[] {
  return keys.map((key) => (typeof key === "number" ? key : String(key)));
}
