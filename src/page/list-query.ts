/** The review list's query: a filter, an offset, whether reviews have a reply or text, and the order. */
import type { ListOrder } from "../edition/search.ts";
import { type Filter, parseFilterQuery } from "../filter.ts";
import { SEARCH_PATH } from "../interface.ts";
import { Invalid, type Issue, quote } from "../issue.ts";

/** Reviews per page. */
export const PAGE_LENGTH = 20;

export interface ListQuery {
  readonly filter: Filter;
  readonly offset: number;
  /** True: only reviews with an owner's reply. False: only reviews without one. */
  readonly replied?: boolean;
  /** True: only reviews with text. False: only those of stars alone. */
  readonly written?: boolean;
  /** If absent, newest first. */
  readonly order?: ListOrder;
}

/** The parameter of the order. */
export const ORDER = "sort";
const ORDERS = ["oldest", "highest", "lowest"] as const satisfies readonly ListOrder[];

/** The filters of the list, in the order of its addresses: those of the search, `reply` and `text`. */
export const FILTER_NAMES = [
  "query",
  "rating",
  "min_rating",
  "mentions_technician",
  "mentions_service",
  "reply",
  "text",
  "since",
  "until",
] as const;

/**
 * Parses the query by the same rules as the search endpoint.
 * @throws Invalid with all issues at once.
 */
export function parseListQuery(parameters: URLSearchParams): ListQuery {
  const issues: Issue[] = [];
  const given = new URLSearchParams(parameters);
  if ((given.get("limit") ?? "") === "") given.set("limit", String(PAGE_LENGTH));
  const filter = attempt(() => parseFilterQuery(given), issues);
  const reply = parsePresence("reply", parameters, issues);
  const text = parsePresence("text", parameters, issues);
  const sort = parameters.get(ORDER) || undefined;
  const order = ORDERS.find((one) => one === sort);
  if (sort !== undefined && order === undefined) issues.push(issue(ORDER, sort, ORDERS.join(", ")));
  if (filter === undefined || issues.length > 0) throw new Invalid(distinct(issues));
  return {
    ...{ filter, offset: filter.offset },
    ...(reply === undefined ? {} : { replied: reply }),
    ...(text === undefined ? {} : { written: text }),
    ...(order === undefined ? {} : { order }),
  };
}

/** Parses `with` or `without` as true or false; undefined if the parameter is absent or empty. */
function parsePresence(name: string, parameters: URLSearchParams, issues: Issue[]): boolean | undefined {
  const value = parameters.get(name) || undefined;
  if (value !== undefined && value !== "with" && value !== "without")
    issues.push(issue(name, value, "with or without"));
  return value === undefined ? undefined : value === "with";
}

/** The query's non-empty filters in a fixed order, so that equal queries have equal addresses. */
export function canonicalQuery(parameters: URLSearchParams): URLSearchParams {
  const given = [...FILTER_NAMES, ORDER].flatMap((name) => {
    const value = parameters.get(name) ?? "";
    return value === "" ? [] : [[name, value]];
  });
  return new URLSearchParams(given);
}

/** The canonical query with its page, for the search endpoint. Empty values are left out. */
export function pagedQuery(parameters: URLSearchParams): URLSearchParams {
  const paged = canonicalQuery(parameters);
  for (const name of ["limit", "offset"]) {
    const value = parameters.get(name) ?? "";
    if (value !== "" && !(name === "offset" && value === "0")) paged.set(name, value);
  }
  return paged;
}

/**
 * The address of the search endpoint that finds the same reviews; undefined if the query has a parameter that the
 * endpoint lacks: replies, texts or the order.
 */
export function searchAddress(parameters: URLSearchParams): string | undefined {
  const paged = pagedQuery(parameters);
  if (paged.has("reply") || paged.has("text") || paged.has(ORDER)) return undefined;
  return `${SEARCH_PATH}${paged.size === 0 ? "" : `?${paged}`}`;
}

function attempt<T>(read: () => T, issues: Issue[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    issues.push(...error.issues);
    return undefined;
  }
}

function issue(name: string, value: string, allowed: string): Issue {
  return { code: "invalid_value", path: [name], message: `${name} is ${quote(value)}, but must be ${allowed}` };
}

function distinct(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((one) => [one.path.join(), one])).values()];
}
