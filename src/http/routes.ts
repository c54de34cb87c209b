/** The routes of the interface, as a function from Request to Response. */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { calendarDateFault } from "../calendar-date.ts";
import { type Document, JSON_TYPE, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { idFault } from "../edition/review-index.ts";
import type { Steps } from "../edition/steps.ts";
import { HUB_PATH } from "../edition/topic.ts";
import { parseFilterQuery, unknownParameters } from "../filter.ts";
import { CHANGES_PATH, COMMON_HEADERS, LIST_PATH, listAddress, RENDERED_PATHS, SEARCH_PATH } from "../interface.ts";
import { Invalid, quote } from "../issue.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { networkOf } from "../outbound/address-class.ts";
import { renderAssets } from "../page/asset/asset-files.ts";
import { pagedQuery } from "../page/list-query.ts";
import {
  answerDocument,
  type DocumentAnswer,
  type DocumentHandlerParts,
  type DocumentSettings,
  lastModifiedOf,
  pageLink,
  type ReadyDocument,
  readyDocument,
} from "./answer-document.ts";
import { inSlices, type LoadShedding } from "./load-shedding.ts";
import { listPage, reviewPage, shownError, wantsPage } from "./page-answers.ts";
import { otherSpelling } from "./path-spellings.ts";
import { refuse, refuseBusy } from "./refusal.ts";
import { requestId } from "./request-id.ts";
import { routeOf } from "./route-names.ts";

/** The settings and services of the routes. MCP and the hub have handlers of their own. */
export interface RouteParts extends DocumentHandlerParts {
  /** Whether the store does not answer, so that nothing newer can be served. */
  readonly isStoreAway?: () => boolean;
  /** Whether the store accepts no changes, so that the hub waits. */
  readonly isStoreReadOnly?: () => boolean;
  readonly mcp: McpEndpoint;
  readonly hub: (request: Request, clientAddress: string) => Promise<Response>;
  readonly clientAddress: (context: Context) => string;
  /** `/metrics`; undefined if it has a separate port. */
  readonly metrics?: () => Promise<Response>;
  /** Queues costly requests, and refuses those that would wait too long. */
  readonly shedding?: LoadShedding;
  readonly onFault: (error: unknown, request: Request, requestId: string) => void;
  /** The answer of `/readyz`; undefined if it is that of the edition. */
  readonly readiness?: () => object;
}

/** Maximum length of an address: its path and query. */
const MAX_URL_BYTES = 8 * 1024;

/** Maximum length of an address in a Link header. A query can triple when it is encoded, and clients limit headers. */
const MAX_LINKED_BYTES = 4 * 1024;

/** Why a server is ready in part. */
export const STORE_AWAY =
  "The store does not answer: documents are served as they were last, changes and the hub wait for it";
export const STORE_READ_ONLY =
  "The store accepts no changes: documents are served and follow it, the hub and followed sources wait";

type Answer = (edition: Edition, context: Context) => Document | Response | Promise<Document | Response>;

/** Style sheets and icons in the default colour, for the page shown while the server is starting. */
const STARTING_ASSETS = new Map(renderAssets().map((document) => [document.path, document]));

/**
 * Makes the routes. HEAD works wherever GET does, OPTIONS everywhere. A wrong method gets 405 with Allow, an unknown
 * address 404.
 */
export function makeRoutes(parts: RouteParts): (request: Request, bindings?: object) => Response | Promise<Response> {
  const routes = new Hono();
  const pause = parts.shedding?.yieldTurn ?? (() => setImmediate());

  function serve(
    methods: "GET" | "POST",
    path: string,
    answer: (context: Context) => Response | Promise<Response>,
  ): void {
    const allow = methods === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
    routes.on(methods, path, answer);
    routes.options(path, ({ req }) => preflight(allow, req.raw));
    routes.all(path, ({ req }) =>
      refuse(405, `${req.path} does not take ${req.method}, but ${allow}`, { headers: { Allow: allow } }),
    );
  }

  /** An answer that waits for its turn, and is refused with 503 if that would take too long. */
  function costly(
    answer: (context: Context) => Response | Promise<Response>,
  ): (context: Context) => Response | Promise<Response> {
    const { shedding } = parts;
    if (shedding === undefined) return answer;
    return (context) => {
      const turn = shedding.admit(networkOf(parts.clientAddress(context)));
      if (turn === true) return answer(context);
      return Promise.resolve(turn).then((mayBeAnswered) => (mayBeAnswered ? answer(context) : refuseBusy()));
    };
  }

  async function answerMcp(context: Context): Promise<Response> {
    const { shedding, mcp } = parts;
    if (shedding === undefined) return await mcp(context.req.raw);
    const client = networkOf(parts.clientAddress(context));
    const freeBody = shedding.holdBody(client);
    if (freeBody === undefined) return refuseBusy();
    try {
      const take = <Result>(steps: Steps<Result>) => inSlices(steps, pause);
      return await mcp(context.req.raw, { turn: () => shedding.admit(client), take });
    } finally {
      freeBody();
    }
  }

  function read(path: string, answer: Answer, { isCostly = false } = {}): void {
    const respond = (context: Context) => {
      const edition = parts.edition();
      if (edition === undefined) return starting(path);
      const made = answer(edition, context);
      if (made instanceof Promise) return made.then((document) => deliver(context.req.raw, edition, document));
      return deliver(context.req.raw, edition, made);
    };
    serve("GET", path, isCostly ? costly(respond) : respond);
  }

  function deliver(request: Request, edition: Edition, answer: Document | Response): Response | Promise<Response> {
    if (answer instanceof Response) return answer;
    const { baseUrl, cacheControl, now } = parts;
    const path = pathOf(request.url);
    const link = path === SEARCH_PATH ? listLink(baseUrl, request.url) : undefined;
    const lastModified = lastModifiedOf(edition, now);
    const ready = readyDocument(answer, { baseUrl, cacheControl, lastModified, path, link });
    return deliverReady(request, ready, now);
  }

  serve("POST", "/mcp", answerMcp);
  serve("POST", HUB_PATH, async (context) =>
    withCommonHeaders(await parts.hub(context.req.raw, parts.clientAddress(context))),
  );
  read(SEARCH_PATH, (edition, { req }) => searchReviews(edition, new URL(req.url).searchParams, pause), {
    isCostly: true,
  });
  read("/api/reviews/since/:date", (edition, { req }) => reviewsSince(edition, req.param("date") ?? ""));
  read(CHANGES_PATH, () => answerChanges(parts), { isCostly: true });
  read(`${CHANGES_PATH}/:cursor`, (_, { req }) => answerChanges(parts, req.param("cursor")), { isCostly: true });
  read("/api/reviews/:id", (edition, { req }) => singleReview(edition, req.param("id") ?? "", req.url));
  read(
    "/reviews/:id",
    (edition, { req }) => {
      const id = req.param("id") ?? "";
      const isOther = edition.review(id) === undefined && edition.single(id) !== undefined;
      return isOther ? moved(`/reviews/${id.toUpperCase()}`, req.url) : reviewPage(edition, id);
    },
    { isCostly: true },
  );
  read(LIST_PATH, (edition, { req }) => listPage(edition, new URL(req.url).searchParams, pause), { isCostly: true });
  read("/:part{sitemap-[0-9]+\\.xml}", (edition, { req }) => edition.document(req.path) ?? notFound(req.path));
  for (const path of RENDERED_PATHS) read(path, (edition) => edition.document(path) ?? notFound(path));

  serve("GET", "/healthz", () => processStatus(200, { status: "ok" }));
  serve("GET", "/readyz", () => {
    if (parts.readiness !== undefined) return processStatus(200, parts.readiness());
    const edition = parts.edition();
    if (edition === undefined) return notReady();
    const { revision } = edition;
    const isAway = parts.isStoreAway?.() === true;
    if (!isAway && parts.isStoreReadOnly?.() !== true) return processStatus(200, { status: "ready", revision });
    return processStatus(200, { status: "degraded", revision, reason: isAway ? STORE_AWAY : STORE_READ_ONLY });
  });
  const { metrics } = parts;
  if (metrics !== undefined) serve("GET", "/metrics", async () => withCommonHeaders(await metrics()));

  routes.notFound(({ req }) => {
    const spelling = otherSpelling(req.path);
    if (spelling !== undefined) return moved(spelling, req.url);
    return wantsPage(req.raw, req.path) ? notFoundForPeople(req.path) : notFound(req.path);
  });
  routes.onError((error, context) => {
    const { id, headers } = requestId(
      (context.env as { outgoing?: Parameters<typeof requestId>[0] } | undefined)?.outgoing,
    );
    parts.onFault(error, context.req.raw, id);
    return refuse(500, `Something went wrong; the server's log says what, for request ${id}`, { headers });
  });
  return (request, bindings) => {
    const start = performance.now();
    const path = pathOf(request.url);
    const counted = (response: Response) => {
      parts.onAnswer(routeOf(path), response.status, (performance.now() - start) / 1000);
      return response;
    };
    const shown = (response: Response) => {
      const page = shownError(request, path, response, { edition: parts.edition() });
      return page instanceof Promise ? page.then(counted) : counted(page);
    };
    const response = isTooLong(request)
      ? refuse(414, `The address is longer than ${MAX_URL_BYTES} bytes`, { headers: { Connection: "close" } })
      : routes.fetch(request, bindings);
    return response instanceof Promise ? response.then(shown) : shown(response);
  };
}

/** Answers GET and HEAD with a document that no edition holds. */
export function deliverDocument(
  request: Request,
  document: Document,
  settings: DocumentSettings,
  now: () => Date,
): Response | Promise<Response> {
  return deliverReady(request, readyDocument({ ...document, path: "" }, settings), now);
}

function deliverReady(request: Request, ready: ReadyDocument, now: () => Date): Response | Promise<Response> {
  const answered = answerDocument(ready, documentRequest(request), now);
  return answered instanceof Promise ? answered.then(responseOf) : responseOf(answered);
}

function documentRequest({ method, headers }: Request) {
  return {
    method,
    acceptEncoding: headers.get("Accept-Encoding"),
    ifNoneMatch: headers.get("If-None-Match"),
    ifModifiedSince: headers.get("If-Modified-Since"),
  };
}

/** `Response` takes one piece of unshared memory as it is. Anything else is streamed, because it would have to be copied. */
function bodyOf(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | ReadableStream | null {
  const [first, ...others] = pieces;
  if (first === undefined) return null;
  const isTaken = others.length === 0 && first.buffer instanceof ArrayBuffer;
  return isTaken ? (first as Uint8Array<ArrayBuffer>) : ReadableStream.from(pieces);
}

function responseOf({ status, headers, pieces }: DocumentAnswer): Response {
  return new Response(bodyOf(pieces), { status, headers });
}

/** The Link header of a search: the page with the same reviews. */
function listLink(baseUrl: string, url: string): string | undefined {
  const list = listAddress(pagedQuery(new URL(url).searchParams));
  return list.length > MAX_LINKED_BYTES ? undefined : pageLink(baseUrl, list);
}

/** Whether the path and query are longer than an address may be. */
function isTooLong({ url }: Request): boolean {
  return url.length > MAX_URL_BYTES && url.length - url.indexOf("/", url.indexOf("//") + 2) > MAX_URL_BYTES;
}

/** Redirects permanently to the canonical address, with the query of the one asked for (RFC 9110 §15.4.9). */
export function moved(path: string, url: string): Response {
  return new Response(null, { status: 308, headers: { ...COMMON_HEADERS, Location: path + new URL(url).search } });
}

/** The path of an absolute URL, without parsing the rest. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end === -1 ? undefined : end);
}

const ALLOWED_HEADERS =
  "Accept, Authorization, Content-Type, If-Modified-Since, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Session-Id, MCP-Protocol-Version";

/** What a preflight may name: header names, separated by commas. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Answers OPTIONS, including CORS preflights: any web page may read everything public, with any header. */
export function preflight(allow: string, { headers: asked }: Request): Response {
  const named = asked.get("Access-Control-Request-Headers") ?? "";
  const headers = {
    ...COMMON_HEADERS,
    Allow: allow,
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": HEADER_NAMES.test(named) ? named : ALLOWED_HEADERS,
    "Access-Control-Max-Age": "86400",
    Vary: "Access-Control-Request-Headers",
  };
  return new Response(null, { status: 204, headers });
}

/** Before the first edition, only the assets of the starting page are served. */
function starting(path: string): Response {
  const asset = STARTING_ASSETS.get(path);
  if (asset === undefined) return notReady();
  const headers = { ...COMMON_HEADERS, "Content-Type": asset.mediaType, "Cache-Control": "no-store" };
  return new Response(asset.body as Uint8Array<ArrayBuffer>, { headers });
}

function notReady(): Response {
  return refuse(503, "Still starting: ask again in a second", {
    headers: { "Retry-After": "1" },
  });
}

function notFound(path: string): Response {
  return refuse(404, `Nothing is at ${path.slice(0, 200)}; /.well-known/openapi.json lists all addresses`);
}

/** The same for people, whose error page links to pages. */
function notFoundForPeople(path: string): Response {
  return refuse(404, `Nothing is at ${path.slice(0, 200)}`);
}

/** A response about the state of the process. It is never cached. */
function processStatus(status: number, body: object): Response {
  const headers = { ...COMMON_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers });
}

function withCommonHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

/** The result of a search, made in slices with a `pause` after each. */
function searchReviews(
  edition: Edition,
  parameters: URLSearchParams,
  pause: () => Promise<void>,
): Document | Response | Promise<Document> {
  try {
    return inSlices(edition.searchSteps(parseFilterQuery(parameters), unknownParameters(parameters)), pause);
  } catch (error) {
    if (error instanceof Invalid) return refuse(400, "The search has invalid parameters", { issues: error.issues });
    throw error;
  }
}

/** Every process serves a change within two seconds of its commit. */
const [MAX_LAG_MS, LAG_POLL_MS] = [3_000, 50];

/** What is new to a copy. If another process has given it a newer edition, this one will have that soon. */
async function answerChanges({ edition, isStoreAway }: RouteParts, cursor?: string): Promise<Document | Response> {
  const deadline = performance.now() + MAX_LAG_MS;
  for (;;) {
    const answer = edition()?.changes(cursor) ?? "ahead";
    if (typeof answer !== "string") return answer;
    if (answer === "ahead" && isStoreAway?.() === true) return refuseBehind();
    if (answer === "unknown" || performance.now() > deadline) return refuseCursor(cursor);
    await wait(LAG_POLL_MS);
  }
}

function refuseBehind(): Response {
  const error = "Your copy is newer than what this server has, and its store does not answer: try again in 10 seconds";
  return refuse(503, error, { headers: { "Retry-After": "10" } });
}

function refuseCursor(cursor: unknown): Response {
  const message = `cursor is ${quote(cursor)}, but must be one that this publication gave in the last 400 days, and not before its store was restored: begin anew at ${CHANGES_PATH}, with an empty copy`;
  return refuse(410, "The cursor is unknown", { issues: [{ code: "unknown_cursor", path: ["cursor"], message }] });
}

function reviewsSince(edition: Edition, date: string): Document | Response {
  const fault = calendarDateFault(date);
  if (fault === undefined) return edition.since(date);
  const message = `date is ${quote(date)}, but must be a real day, YYYY-MM-DD: ${fault}`;
  return refuse(400, "The date is invalid", { issues: [{ code: "invalid_date", path: ["date"], message }] });
}

/** One review as a document; a redirect from another spelling of a longer address; 410 if it was withdrawn or removed, 404 if there was none. */
function singleReview(edition: Edition, id: string, url: string): Document | Response {
  const found = edition.single(id);
  const spelling = otherSpelling(pathOf(url));
  if (spelling !== undefined) return moved(spelling, url);
  if (found !== undefined) return makeDocument("", JSON_TYPE, JSON.stringify(found));
  if (edition.isGone(id.toUpperCase()))
    return refuse(410, `The review ${quote(id)} was taken out and is no longer published`);
  return refuse(404, `No review has the id ${quote(id)}: ${idFault(id)}`);
}
