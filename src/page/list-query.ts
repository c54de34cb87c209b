/** The review list's query: that of the search endpoint, with pages of its own length. */
import { type Filter, parseFilterQuery, unknownParameters } from "../filter.ts";
import { FILTER_NAMES as NAMES } from "../filter-names.ts";
import { SEARCH_PATH } from "../interface.ts";

/** Reviews per page. */
export const PAGE_LENGTH = 20;

/** The parameter of the order. */
export const ORDER = "sort";

/** The filters of the list, in the order of its addresses: those of the search without order and page. */
const FILTER_NAMES = NAMES.filter((name) => name !== ORDER && name !== "limit" && name !== "offset");

/**
 * Parses the query by the same rules as the search endpoint.
 * @throws Invalid with all issues at once.
 */
export function parseListQuery(parameters: URLSearchParams): Filter {
  const given = new URLSearchParams(parameters);
  if ((given.get("limit") ?? "") === "") given.set("limit", String(PAGE_LENGTH));
  return parseFilterQuery(given);
}

/** Parameters with which advertisements and newsletters mark the links that lead to a page. */
const OF_LINKS = /^(?:utm|mtm|pk|mc|hsa|gad|_)_?|clid$|braid$|^(?:ref|srsltid|igshid?|si)$/;

/** The parameters that are none of the list's, except those that are about the link to it. */
export function foreignParameters(parameters: URLSearchParams): string[] {
  return unknownParameters(parameters).filter((name) => !OF_LINKS.test(name));
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

/** The address of the search endpoint that finds the same reviews. */
export function searchAddress(parameters: URLSearchParams): string {
  const paged = pagedQuery(parameters);
  return `${SEARCH_PATH}${paged.size === 0 ? "" : `?${paged}`}`;
}
