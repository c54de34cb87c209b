/**
 * Answers GET and HEAD of documents: 200, or 304 if the client already has the bytes (RFC 9110 §13), in the content
 * coding that it prefers (§12.5.3). The headers are made once for each document and coding.
 */
import { calendarDateFault } from "../calendar-date.ts";
import { codedBody, isCompressible } from "../edition/codings.ts";
import { type Document, isOfEdition, lengthOf, piecesOf } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { isTopic, topicLink } from "../edition/topic.ts";
import {
  ABOUT_PATH,
  AI_CATALOG_PATH,
  CHANGES_PATH,
  COMMON_HEADERS,
  LIST_PATH,
  listAddress,
  PROVENANCE_PATH,
  SERVER_CARD_PATH,
} from "../interface.ts";
import { type Choice, chooseCoding, refusesIdentity } from "./accept-encoding.ts";
import { entityTag, isNotModified, type Preconditions } from "./conditional.ts";
import { EMBED_HEADERS, pageHeaders } from "./page-headers.ts";
import { routeOf } from "./route-names.ts";

/** The parts of a request that decide the answer; null where a header is absent. */
export interface DocumentRequest extends Preconditions {
  /** GET or HEAD. */
  readonly method: string;
  readonly acceptEncoding: string | null;
}

export interface DocumentAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; none for HEAD and 304. */
  readonly pieces: readonly Uint8Array[];
}

/** A document in one coding, with the headers of both answers. */
interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  readonly notModifiedHeaders: Readonly<Record<string, string>>;
  readonly pieces: readonly Uint8Array[];
}

/** A document at its address, with the representations that were asked for. */
export interface ReadyDocument {
  readonly document: Document;
  readonly settings: DocumentSettings;
  readonly representations: Map<string, Representation>;
  /** The route by which its answers are counted. */
  readonly route: string;
}

export interface DocumentSettings {
  readonly baseUrl: string;
  readonly cacheControl: string;
  readonly lastModified: Date;
  /** The path that was asked for: documents that are rendered on request have none of their own. */
  readonly path: string;
  /** Value of the Link header, if it does not follow from the path. */
  readonly link?: string | undefined;
}

export function readyDocument(document: Document, settings: DocumentSettings): ReadyDocument {
  return { document, settings, representations: new Map(), route: routeOf(settings.path) };
}

/**
 * Compression of a body up to this size is awaited. A larger one is sent uncompressed until it is ready, unless the
 * client refuses that.
 */
const MAX_AWAITED_BYTES = 1_000_000;

/** The answer to a request; a promise if the coding must be made first. */
export function answerDocument(
  ready: ReadyDocument,
  request: DocumentRequest,
  now: () => Date,
): DocumentAnswer | Promise<DocumentAnswer> {
  const { document, settings, representations } = ready;
  const coding = chooseCoding(request.acceptEncoding);
  const made = representations.get(coding);
  // A document made on request is not compressed only to say 304: its coding is certain in advance.
  if (
    made === undefined &&
    !isOfEdition(document) &&
    isNotModified(request, document.tag, settings.lastModified, now)
  ) {
    const headers = notModifiedHeadersOf(ready, isCompressible(document) ? coding : "identity");
    return { status: 304, headers, pieces: [] };
  }
  const representation = made ?? representationOf(ready, coding, request.acceptEncoding);
  return representation instanceof Promise
    ? representation.then((made) => answerWith(made, ready, request, now))
    : answerWith(representation, ready, request, now);
}

function answerWith(
  { headers, notModifiedHeaders, pieces }: Representation,
  { document, settings }: ReadyDocument,
  request: DocumentRequest,
  now: () => Date,
): DocumentAnswer {
  const isHeld = request.ifNoneMatch === headers.ETag; // nearly all that send a tag send this one
  if (isHeld || isNotModified(request, document.tag, settings.lastModified, now))
    return { status: 304, headers: notModifiedHeaders, pieces: [] };
  return { status: 200, headers, pieces: request.method === "HEAD" ? [] : pieces };
}

/** The document in the coding, or as it is. */
function representationOf(
  ready: ReadyDocument,
  coding: Choice,
  acceptEncoding: string | null,
): Representation | Promise<Representation> {
  const { document, representations } = ready;
  if (coding === "identity") return represent(ready, coding, piecesOf(document));
  const coded = codedBody(document, coding);
  const identity = () => representations.get("identity") ?? represent(ready, "identity", piecesOf(document));
  const whenCoded = (bytes: Uint8Array | null) => (bytes === null ? identity() : represent(ready, coding, [bytes]));
  if (!(coded instanceof Promise)) return whenCoded(coded);
  const isAwaited =
    !isOfEdition(document) || lengthOf(piecesOf(document)) <= MAX_AWAITED_BYTES || refusesIdentity(acceptEncoding);
  return isAwaited ? coded.then(whenCoded) : identity();
}

function notModifiedHeadersOf({ document, settings }: ReadyDocument, coding: Choice): Record<string, string> {
  return {
    ...COMMON_HEADERS,
    ETag: entityTag(document, coding),
    "Last-Modified": settings.lastModified.toUTCString(),
    "Cache-Control": isCard(document) ? CARD_CACHE_CONTROL : settings.cacheControl,
    Vary: "Accept-Encoding",
    ...headersOfKind(document, settings),
  };
}

function represent(ready: ReadyDocument, coding: Choice, pieces: readonly Uint8Array[]): Representation {
  const notModifiedHeaders = notModifiedHeadersOf(ready, coding);
  const headers = {
    ...notModifiedHeaders,
    "Content-Type": ready.document.mediaType,
    "Content-Length": String(lengthOf(pieces)),
    ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
  };
  const representation = { headers, notModifiedHeaders, pieces };
  ready.representations.set(coding, representation);
  return representation;
}

/** Directories fetch the cards; they may cache them for an hour. */
const CARD_CACHE_CONTROL = "public, max-age=3600";

function isCard({ path }: Document): boolean {
  return path === SERVER_CARD_PATH || path === AI_CATALOG_PATH;
}

function headersOfKind({ path, mediaType }: Document, settings: DocumentSettings): Record<string, string> {
  const page = pageOf(settings.path);
  const link =
    settings.link ?? (isTopic(path) ? topicLink(settings.baseUrl, path) : page && pageLink(settings.baseUrl, page));
  return {
    ...(link === undefined ? {} : { Link: link }),
    ...(mediaType.startsWith("text/html") ? pageHeaders(path) : {}),
    ...(path.startsWith("/embed/") ? EMBED_HEADERS : {}),
  };
}

/** The page with the content of a JSON document. Topics name theirs inside: their Link header is that of the hub. */
const PAGE_OF: ReadonlyMap<string, string> = new Map([
  ["/insights.json", "/"],
  [PROVENANCE_PATH, ABOUT_PATH],
  ["/.well-known/openapi.json", "/docs"],
  [SERVER_CARD_PATH, "/docs#mcp-guide"],
  [AI_CATALOG_PATH, "/docs#mcp-guide"],
]);

function pageOf(path: string): string | undefined {
  if (path.startsWith(CHANGES_PATH)) return LIST_PATH;
  const id = SINGLE.exec(path)?.[1];
  if (id !== undefined) return `/reviews/${id.toUpperCase()}`;
  const date = sinceDate(path);
  return date === undefined ? PAGE_OF.get(path) : listAddress(new URLSearchParams({ since: date }));
}

/** A Link header that names the page with the content of a JSON document. */
export function pageLink(baseUrl: string, path: string): string {
  return `<${baseUrl}${path}>; rel="alternate"; type="text/html"`;
}

const SINCE = /^\/api\/reviews\/since\/(\d{4}-\d{2}-\d{2})$/;

const SINGLE = /^\/api\/reviews\/([0-9a-z]{26})$/i;

/** The day in an address of the incremental endpoint, which may not exist; undefined for other addresses. */
function sinceDate(path: string): string | undefined {
  return SINCE.exec(path)?.[1];
}

const lastModified = new WeakMap<Edition, Date>();

/**
 * When an edition was made, or first answered from if that was earlier: a change that was committed while a clock was
 * ahead must not give a Last-Modified in the future (RFC 9110 §8.8.2.1).
 */
export function lastModifiedOf(edition: Edition, now: () => Date): Date {
  const before = lastModified.get(edition);
  if (before !== undefined) return before;
  const [revisedAt, firstAnsweredAt] = [edition.revisedAt, now()];
  const date = revisedAt > firstAnsweredAt ? firstAnsweredAt : revisedAt;
  lastModified.set(edition, date);
  return date;
}

/** The parts of Node's request that are read. Repeated headers are joined with commas. */
interface IncomingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The methods of Node's response that are used. */
interface OutgoingAnswer {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(piece: Uint8Array): unknown;
  end(piece?: Uint8Array): unknown;
}

/**
 * Answers a request for a document: true if it has, and false if the request is for something else or needs the checks of
 * the routes. A promise says so later.
 */
export type DocumentHandler = (incoming: IncomingRequest, outgoing: OutgoingAnswer) => boolean | Promise<boolean>;

export interface DocumentHandlerParts {
  readonly edition: () => Edition | undefined;
  readonly baseUrl: string;
  readonly cacheControl: string;
  readonly now: () => Date;
  /** Called after each answer with its route, status and duration. */
  readonly onAnswer: (route: string, status: number, seconds: number) => void;
}

/** Documents that stay ready while the edition is current: anyone can ask for any date. */
const MAX_READY_ADDRESSES = 2_000;

/** Makes the handler that answers from the current edition. */
export function makeDocumentHandler(parts: DocumentHandlerParts): DocumentHandler {
  /** Weak: a former edition is not kept until the next request. */
  const readyOf = new WeakMap<Edition, Map<string, ReadyDocument>>();

  function readyAt(edition: Edition, address: string): ReadyDocument | undefined {
    const byAddress = readyOf.getOrInsertComputed(edition, () => new Map());
    const before = byAddress.get(address);
    if (before !== undefined) return before;
    const document = documentAt(edition, address);
    if (document === undefined) return undefined;
    const { baseUrl, cacheControl, now } = parts;
    const settings = { baseUrl, cacheControl, lastModified: lastModifiedOf(edition, now), path: address };
    const ready = readyDocument(document, settings);
    const mayStay = isOfEdition(document) || document.isCached === true;
    if (mayStay && byAddress.size < MAX_READY_ADDRESSES) byAddress.set(address, ready);
    return ready;
  }

  return (incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const edition = parts.edition();
    if (edition === undefined || (method !== "GET" && method !== "HEAD") || !isPlain(headers)) return false;
    const startedAt = performance.now();
    const ready = readyAt(edition, url);
    if (ready === undefined) return false;
    const request = {
      method,
      acceptEncoding: headerValue(headers["accept-encoding"]),
      ifNoneMatch: headerValue(headers["if-none-match"]),
      ifModifiedSince: headerValue(headers["if-modified-since"]),
    };
    const send = ({ status, headers, pieces }: DocumentAnswer): true => {
      outgoing.writeHead(status, headers);
      for (let index = 0; index < pieces.length - 1; index++) outgoing.write(pieces[index] as Uint8Array);
      outgoing.end(pieces.at(-1));
      parts.onAnswer(ready.route, status, (performance.now() - startedAt) / 1000);
      return true;
    };
    const answer = answerDocument(ready, request, parts.now);
    return answer instanceof Promise ? answer.then(send) : send(answer);
  };
}

function documentAt(edition: Edition, address: string): Document | undefined {
  const document = edition.document(address);
  if (document !== undefined) return document;
  const date = sinceDate(address);
  return date === undefined || calendarDateFault(date) !== undefined ? undefined : edition.since(date);
}

/** Hosts that need no check. Any other may be invalid and have its request refused. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** Whether a request has no body, and a host that needs no check. */
function isPlain(headers: IncomingRequest["headers"]): boolean {
  const { host } = headers;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return !hasBody && typeof host === "string" && PLAIN_HOST.test(host);
}

function headerValue(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}
