/** The filters of a search: one schema for the HTTP endpoint, the MCP tool, OpenAPI and the type. */
import { z } from "zod";
import { calendarDate, calendarDateFault } from "./calendar-date.ts";
import { ALLOWED, areWords, FIELDS, FILTER_NAMES, MAX_WORDS, SORTS, wordsOf } from "./filter-names.ts";
import { Invalid, type Issue, issuesOf, quote } from "./issue.ts";

const words = z.string().superRefine((text, { addIssue }) => {
  if (areWords(text)) return;
  if (wordsOf(text).length === 0) addIssue({ code: "invalid_value", values: [] });
  else addIssue({ code: "too_big", origin: "array", maximum: MAX_WORDS });
});

/** The filters of the search endpoint and of the tool `search_reviews` (interface §2, contract §10). */
export const filterSchema = z.strictObject({
  rating: z.int().min(1).max(5).optional().describe("Exact star rating"),
  min_rating: z.number().min(1).max(5).optional().describe("Lowest star rating"),
  max_rating: z.number().min(1).max(5).optional().describe("Highest star rating"),
  since: calendarDate.optional().describe("First day, YYYY-MM-DD"),
  until: calendarDate.optional().describe("Last day, YYYY-MM-DD"),
  query: z.string().optional().describe("Literal substring, case-insensitive"),
  words: words
    .optional()
    .describe("Any of up to ten whole words, parted by spaces or commas; a plural is another word"),
  all_words: words.optional().describe("All of up to ten whole words"),
  in: z.enum(FIELDS).optional().describe("Where query and words look; default text"),
  has_text: z.boolean().optional().describe("Whether the review has words"),
  has_reply: z.boolean().optional().describe("Whether the owner replied"),
  language: z.string().optional().describe("Base tag such as en; und: unknown"),
  topic: z.string().optional().describe("Id of a topic"),
  mentions_technician: z.string().optional().describe("Technician's name or id"),
  mentions_service: z.string().optional().describe("Service's id or label"),
  sort: z.enum(SORTS).optional().describe("Order; default newest"),
  limit: z.int().min(1).max(100).default(20).describe("Most reviews to return"),
  offset: z.int().min(0).max(1_000_000).default(0).describe("Matches to skip"),
});

export type Filter = Readonly<z.infer<typeof filterSchema>>;

const NUMBERS: ReadonlySet<string> = new Set(["rating", "min_rating", "max_rating", "limit", "offset"]);
const BOOLEANS: ReadonlySet<string> = new Set(["has_text", "has_reply"]);

/**
 * Parses a filter from the values of a tool call. Numbers and booleans may be written as strings. Absent values and
 * empty strings filter nothing, an unknown member is an issue.
 * @throws Invalid with every fault at once.
 */
export function parseFilter(input: Readonly<Record<string, unknown>>): Filter {
  const given = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      value === "" || value === undefined ? [] : [[name, typeof value === "string" ? typed(name, value) : value]],
    ),
  );
  const parsed = filterSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Invalid(issuesOf(parsed.error, given, ALLOWED).map(withDay(given)));
}

/** The names in a query string that are no parameter of a search, each once. */
export function unknownParameters(parameters: URLSearchParams): string[] {
  return [...new Set(parameters.keys())].filter((name) => !(FILTER_NAMES as readonly string[]).includes(name));
}

/**
 * Parses a filter from the query string of the search endpoint (interface §2): an absent or empty parameter filters
 * nothing, an unknown one is ignored, a repeated one is an issue.
 * @throws Invalid with every fault at once.
 */
export function parseFilterQuery(parameters: URLSearchParams): Filter {
  const input: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const name of FILTER_NAMES) {
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
    if (value !== undefined) input[name] = value;
  }
  try {
    const filter = parseFilter(input);
    if (issues.length === 0) return filter;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    issues.push(...error.issues);
  }
  const place = ({ path: [name] }: Issue) => FILTER_NAMES.indexOf(name as keyof Filter);
  throw new Invalid(issues.toSorted((a, b) => place(a) - place(b)));
}

/** Parses a decimal number, `true` or `false` where the member has one; other text is left for the schema to reject. */
function typed(name: string, text: string): number | boolean | string {
  if (NUMBERS.has(name) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (BOOLEANS.has(name) && (text === "true" || text === "false")) return text === "true";
  return text;
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
