/** Responses for people: pages rendered on request, and error pages. */

import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { COMMON_HEADERS, LIST_PATH } from "../interface.ts";
import { Invalid, quote } from "../issue.ts";
import { unshared } from "../lib/shared-memory.ts";
import { renderErrorPage } from "../page/error-page.ts";
import { canonicalQuery, foreignParameters } from "../page/list-query.ts";
import { renderReviewPage } from "../page/review-page.ts";
import { renderReviewsFault, reviewsPageSteps } from "../page/reviews-page.ts";
import { inSlices } from "./load-shedding.ts";
import { pageHeaders } from "./page-headers.ts";
import { refuse } from "./refusal.ts";

/** The page of a review; 410 if it was withdrawn or removed, 404 if there was none. */
export function reviewPage(edition: Edition, id: string): Document | Response {
  const page = renderReviewPage(edition, id);
  if (page !== undefined) return onDemand(page);
  if (edition.isGone(id)) return refuse(410, `The review ${quote(id)} was taken out and is no longer published`);
  return refuse(404, `No review has the id ${quote(id)}`);
}

/**
 * The list of reviews for the query of its address: the rendered document when the query is empty. Otherwise it is made
 * in slices, with a `pause` after each.
 */
export function listPage(
  edition: Edition,
  query: URLSearchParams,
  pause: () => Promise<void>,
): Document | Response | Promise<Document> {
  const isOwn = canonicalQuery(query).size > 0 || query.has("offset") || query.has("limit");
  const isWhole = !isOwn && foreignParameters(query).length === 0;
  const rendered = isWhole ? edition.document(LIST_PATH) : undefined;
  if (rendered !== undefined) return rendered;
  try {
    const page = inSlices(reviewsPageSteps(edition, query), pause); // an invalid query is noticed before any pause
    return page instanceof Promise ? page.then(onDemand) : onDemand(page);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return asResponse(renderReviewsFault(edition, query, error.issues), 400, {}, pageHeaders(LIST_PATH));
  }
}

/** A document that is not part of an edition. It has no path, and its codings are made when it is sent. */
function onDemand(document: Document): Document {
  return { ...document, path: "" };
}

/** Addresses for programs, where errors are JSON even for browsers (interface §2). */
const PROGRAM_PATHS = /^\/(?:api|mcp|\.well-known)(?:\/|$)/;

/**
 * Whether an error at this address is shown as a page: Accept names text/html, and the address is not one for programs.
 */
export function wantsPage(request: Request, path: string): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return /text\/html(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept) && !PROGRAM_PATHS.test(path);
}

interface ErrorWords {
  readonly edition?: Edition | undefined;
  /** The status whose words the page has. */
  readonly explainedAs?: number;
  /** Renders another page than that of a business. */
  readonly render?: () => Document;
}

/** A response as it is sent: an error is a page for those who want one. */
export function shownError(
  request: Request,
  path: string,
  response: Response,
  words: ErrorWords = {},
): Response | Promise<Response> {
  const isJson = response.headers.get("Content-Type") === "application/json";
  return response.status >= 400 && isJson && wantsPage(request, path)
    ? errorAsPage(response, words, request)
    : response;
}

/** Renders an error as a page, with the headers of the original response. */
async function errorAsPage(
  response: Response,
  { edition, explainedAs, render }: ErrorWords,
  request: Request,
): Promise<Response> {
  const body = await response.text(); // empty for HEAD
  const { error } = (body === "" ? { error: "" } : JSON.parse(body)) as { error: string };
  const page = render?.() ?? renderErrorPage(edition, response.status, error, explainedAs);
  const copied = ["Allow", "Retry-After"].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const headers = { ...Object.fromEntries(copied), ...pageHeaders(page.path) };
  const answer = asResponse(page, response.status, { Vary: "Accept" }, headers);
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}

function asResponse(page: Document, status: number, ...headers: readonly Readonly<Record<string, string>>[]): Response {
  return new Response(unshared(page.body), {
    status,
    headers: Object.assign(
      { ...COMMON_HEADERS, "Content-Type": page.mediaType, "Cache-Control": "no-store" },
      ...headers,
    ),
  });
}
