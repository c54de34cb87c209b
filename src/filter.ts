/** The filters of a search: one schema for the HTTP endpoint, the MCP tool, OpenAPI and the type. */
import { z } from "zod";
import { calendarDate, calendarDateFault } from "./calendar-date.ts";
import { Invalid, type Issue, issuesOf, quote } from "./issue.ts";

/** The filters of the search endpoint and of the tool `search_reviews` (interface §2). */
export const filterSchema = z.strictObject({
  rating: z.int().min(1).max(5).optional().describe("Exact star rating to match, 1 to 5"),
  min_rating: z.number().min(1).max(5).optional().describe("Lowest star rating, inclusive, 1 to 5"),
  since: calendarDate.optional().describe("Only reviews on or after this date, YYYY-MM-DD"),
  until: calendarDate.optional().describe("Only reviews on or before this date, YYYY-MM-DD"),
  query: z
    .string()
    .optional()
    .describe("Text to find in the review's text: a case-insensitive substring, not a pattern"),
  mentions_technician: z.string().optional().describe("A technician's name or id: only reviews that mention them"),
  mentions_service: z.string().optional().describe("A service's id or label: only reviews that mention it"),
  limit: z.int().min(1).max(100).default(20).describe("The number of reviews to return at most, 1 to 100"),
  offset: z.int().min(0).max(1_000_000).default(0).describe("The number of matches to skip"),
});

export type Filter = Readonly<z.infer<typeof filterSchema>>;

/** The allowed values of each member of a filter, in words. */
const ALLOWED: Readonly<Record<string, string>> = {
  rating: "a whole number from 1 to 5",
  min_rating: "a number from 1 to 5",
  since: "a real day, YYYY-MM-DD",
  until: "a real day, YYYY-MM-DD",
  query: "a string",
  mentions_technician: "a string: a technician's name or id",
  mentions_service: "a string: a service's id or label",
  limit: "a whole number from 1 to 100",
  offset: "a whole number from 0 to 1000000",
};

const NUMBERS = new Set(["rating", "min_rating", "limit", "offset"]);
const NAMES = Object.keys(filterSchema.shape);

/**
 * Parses a filter from typed values, as a tool call sends them. Absent values and empty strings filter nothing, an
 * unknown member is an issue.
 * @throws Invalid with every fault at once.
 */
export function parseFilter(input: Readonly<Record<string, unknown>>): Filter {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== "" && value !== undefined));
  const parsed = filterSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Invalid(issuesOf(parsed.error, given, ALLOWED).map(withDay(given)));
}

/**
 * Parses a filter from the query string of the search endpoint (interface §2): an absent or empty parameter filters
 * nothing, an unknown one is ignored, a repeated one is an issue.
 * @throws Invalid with every fault at once.
 */
export function parseFilterQuery(parameters: URLSearchParams): Filter {
  const input: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const name of NAMES) {
    const values = parameters.getAll(name);
    if (values.length > 1) {
      issues.push({
        code: "repeated",
        path: [name],
        message: `${name} is given ${values.length} times, but must be given once`,
      });
      continue;
    }
    const value = values[0];
    if (value !== undefined && value !== "") input[name] = NUMBERS.has(name) ? numeral(value) : value;
  }
  try {
    const filter = parseFilter(input);
    if (issues.length === 0) return filter;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    issues.push(...error.issues);
  }
  throw new Invalid(issues.toSorted((a, b) => NAMES.indexOf(String(a.path[0])) - NAMES.indexOf(String(b.path[0]))));
}

/** Parses a decimal number; other text is returned as it is, for the schema to reject. */
function numeral(text: string): number | string {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** Adds the reason to an issue about a date: "February 2026 has 28 days". */
function withDay(input: Readonly<Record<string, unknown>>): (issue: Issue) => Issue {
  return (issue) => {
    const value = input[String(issue.path[0])];
    if ((issue.path[0] !== "since" && issue.path[0] !== "until") || typeof value !== "string") return issue;
    return {
      ...issue,
      code: "invalid_date",
      message: `${issue.path[0]} is ${quote(value)}, but must be a real day, YYYY-MM-DD: ${calendarDateFault(value)}`,
    };
  };
}
