/**
 * Answers plain GETs and HEADs of documents with headers and bodies that are ready. Nearly all requests are of this kind, and
 * making a Request, a Response and two header maps costs more than the answer itself. A request that is unusual in any
 * way is left to the routes, which give the same answer: `document-answers.test.ts` compares the two.
 */
import { calendarDateFault } from "../calendar-date.ts";
import { type Document, lengthOf } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { isNotModified, type Preconditions } from "./conditional.ts";
import { freshnessOf, sinceDate } from "./freshness.ts";
import { type Freshness, headersOf, representationOf } from "./respond.ts";
import { routeOf } from "./route-names.ts";
import type { RouteParts } from "./routes.ts";

/** The parts of a request that are read, as Node's server provides them. */
export interface PlainRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
}

/** The methods of a response that are used. */
interface PlainAnswer {
  writeHead(status: number, headers: string[]): PlainAnswer;
  write(piece: Uint8Array): unknown;
  end(body?: Uint8Array): unknown;
}

/** A document in one coding: the headers of a 304 and of a 200, as alternating names and values, and the body. */
interface Ready {
  readonly tag: string;
  readonly freshness: Freshness;
  readonly held: string[];
  readonly full: string[];
  readonly body: readonly Uint8Array[];
  /** Whether the next requests are answered with it, too. */
  readonly isRemembered: boolean;
  /** The answers as bytes. */
  whole: Timed | undefined;
  unmodified: Timed | undefined;
}

/** An answer as bytes that hold the time, to the second. */
interface Timed extends AnswerBytes {
  readonly second: number;
}

/** What answers a request for as long as the edition is the same. */
interface Decided {
  readonly ready: Ready;
  /** Undefined if it depends on today, as it does with a date: how one of two digits for its year is read. */
  readonly status: 200 | 304 | undefined;
}

interface PlainHeaders extends Preconditions {
  readonly acceptEncoding: string | null;
}

/** How long an idle connection stays open, in seconds. */
export const KEEP_ALIVE_SECONDS = 75;

/**
 * Answers remembered for an edition, by path and Accept-Encoding, and the bytes that they may hold as copies: few
 * combinations occur in practice, but anyone can ask with many.
 */
const [MOST_REMEMBERED, MOST_COPIED_BYTES] = [2_000, 16_000_000];

/** What a plain request asks for. */
export interface Asked {
  readonly url: string;
  readonly route: string;
  readonly headers: PlainHeaders;
}

/** A response as bytes: its head, and the pieces of its body: none if there is none or `head` includes it. */
export interface AnswerBytes {
  readonly head: Uint8Array;
  readonly body: readonly Uint8Array[];
}

export interface DocumentAnswers {
  /** Answers a request when it is plain and its response is ready, and returns whether it did. */
  answer(request: PlainRequest, answer: PlainAnswer): boolean;
  /** What a request asks for, if it is plain and leaves the connection open. */
  asked(request: PlainRequest): Asked | undefined;
  /** The bytes that answer a plain request, which counts as answered; undefined when they are not ready. */
  bytesOf(asked: Asked): AnswerBytes | undefined;
}

/** Makes answers from the current edition. */
export function makeDocumentAnswers(
  parts: Pick<RouteParts, "edition" | "baseUrl" | "cacheControl" | "now" | "onAnswer">,
): DocumentAnswers {
  let current: Edition | undefined;
  let remembered = new Map<string, Ready>();
  let decisions = new Map<Asked, Decided>();
  let copiedBytes = 0;

  function readyOf(edition: Edition, path: string, acceptEncoding: string | null): Ready | undefined {
    if (edition !== current) [current, remembered, decisions, copiedBytes] = [edition, new Map(), new Map(), 0];
    const key = acceptEncoding === null ? path : `${path} ${acceptEncoding}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const document = documentAt(edition, path);
    if (document === undefined) return undefined;
    const representation = representationOf(document, acceptEncoding);
    if (representation instanceof Promise) return undefined;
    const { coding, pieces, isFinal } = representation;
    const length = lengthOf(pieces);
    const freshness = freshnessOf(document, edition, { ...parts, path });
    const { held, full } = headersOf(document, coding, length, freshness);
    const copied = length <= SMALL_BODY_BYTES ? length : 0;
    const isRemembered = isFinal && remembered.size < MOST_REMEMBERED && copiedBytes + copied <= MOST_COPIED_BYTES;
    const ready: Ready = {
      tag: document.tag,
      freshness,
      held: flat(held),
      full: flat(full),
      body: pieces,
      isRemembered,
      whole: undefined,
      unmodified: undefined,
    };
    if (isRemembered) {
      remembered.set(key, ready);
      copiedBytes += copied;
    }
    return ready;
  }

  function decide(ready: Ready, headers: PlainHeaders): 200 | 304 {
    if (!isConditional(headers)) return 200;
    return isNotModified(headers, ready.tag, ready.freshness.revisedAt, parts.now()) ? 304 : 200;
  }

  function answer(request: PlainRequest, answer: PlainAnswer): boolean {
    const { method, url = "", httpVersion } = request;
    const edition = parts.edition();
    if ((method !== "GET" && method !== "HEAD") || httpVersion !== "1.1" || edition === undefined) return false;
    const startedAt = performance.now();
    const headers = plainHeaders(request.rawHeaders);
    const ready = headers && readyOf(edition, url, headers.acceptEncoding);
    if (headers === undefined || ready === undefined) return false;
    const status = decide(ready, headers);
    if (status === 304) answer.writeHead(304, ready.held).end();
    else {
      answer.writeHead(200, ready.full);
      for (const piece of ready.body.slice(0, -1)) answer.write(piece);
      answer.end(ready.body.at(-1));
    }
    parts.onAnswer(routeOf(url), status, (performance.now() - startedAt) / 1000);
    return true;
  }

  function asked({ url = "", rawHeaders }: PlainRequest): Asked | undefined {
    const headers = plainHeaders(rawHeaders);
    return headers === undefined || !isKeptAlive(rawHeaders) ? undefined : { url, route: routeOf(url), headers };
  }

  function decisionOf(edition: Edition, asked: Asked): Decided | undefined {
    const known = edition === current ? decisions.get(asked) : undefined;
    if (known !== undefined) return known;
    const { url, headers } = asked;
    const ready = readyOf(edition, url, headers.acceptEncoding);
    if (ready === undefined) return undefined;
    const decided = { ready, status: headers.ifModifiedSince === null ? decide(ready, headers) : undefined };
    if (!ready.isRemembered) return decided;
    if (decisions.size >= MOST_REMEMBERED) decisions.clear(); // heads that nobody sends any more keep none out
    decisions.set(asked, decided);
    return decided;
  }

  function bytesOf(asked: Asked): AnswerBytes | undefined {
    const startedAt = performance.now();
    const edition = parts.edition();
    const decided = edition && decisionOf(edition, asked);
    if (decided === undefined) return undefined;
    const { ready, status = decide(ready, asked.headers) } = decided;
    const bytes = wholeAnswer(ready, status, parts.now());
    parts.onAnswer(asked.route, status, (performance.now() - startedAt) / 1000);
    return bytes;
  }

  return { answer, asked, bytesOf };
}

/**
 * A body up to this size is copied behind its head once a second, and written with it as one piece: two pieces in one
 * system call cost more than the copying.
 */
const SMALL_BODY_BYTES = 131_072;

/** A response as Node's server writes it on a connection that stays open. */
function wholeAnswer(ready: Ready, status: 200 | 304, now: Date): AnswerBytes {
  const second = Math.floor(now.getTime() / 1000);
  const known = status === 304 ? ready.unmodified : ready.whole;
  if (known?.second === second) return known;
  const headers = status === 304 ? ready.held : ready.full;
  let text = status === 304 ? "HTTP/1.1 304 Not Modified\r\n" : "HTTP/1.1 200 OK\r\n";
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  text += `Date: ${now.toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n`;
  const body = status === 304 ? [] : ready.body;
  const length = lengthOf(body);
  const isSmall = length <= SMALL_BODY_BYTES;
  // Memory of its own: what is kept of Node's pool keeps 64 kB.
  const head = Buffer.allocUnsafeSlow(text.length + (isSmall ? length : 0));
  let end = head.write(text, "latin1");
  for (const piece of isSmall ? body : []) {
    head.set(piece, end);
    end += piece.byteLength;
  }
  const bytes = { second, head, body: isSmall ? [] : body };
  if (status === 304) ready.unmodified = bytes;
  else ready.whole = bytes;
  return bytes;
}

function isKeptAlive(rawHeaders: readonly string[]): boolean {
  return rawHeaders.every((name, index) => {
    return index % 2 === 1 || name.toLowerCase() !== "connection" || rawHeaders[index + 1] === "keep-alive";
  });
}

function documentAt(edition: Edition, path: string): Document | undefined {
  const document = edition.document(path);
  if (document !== undefined) return document;
  const date = sinceDate(path);
  return date === undefined || calendarDateFault(date) !== undefined ? undefined : edition.since(date);
}

function isConditional({ ifNoneMatch, ifModifiedSince }: Preconditions): boolean {
  return ifNoneMatch !== null || ifModifiedSince !== null;
}

function flat(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat();
}

/**
 * The headers that decide, or undefined when the request is not plain: it has a body, an expectation, no host or one
 * that must be checked, or one of these headers twice.
 */
function plainHeaders(raw: readonly string[]): PlainHeaders | undefined {
  let host: string | null = null;
  let acceptEncoding: string | null = null;
  let ifNoneMatch: string | null = null;
  let ifModifiedSince: string | null = null;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    if (!LENGTHS.has(name.length)) continue; // no relevant header has this length: saves converting it to lower case
    const value = raw[index + 1] ?? "";
    switch (name.toLowerCase()) {
      case "host":
        if (host !== null) return undefined;
        host = value;
        break;
      case "accept-encoding":
        if (acceptEncoding !== null) return undefined;
        acceptEncoding = value;
        break;
      case "if-none-match":
        if (ifNoneMatch !== null) return undefined;
        ifNoneMatch = value;
        break;
      case "if-modified-since":
        if (ifModifiedSince !== null) return undefined;
        ifModifiedSince = value;
        break;
      case "content-length":
      case "transfer-encoding":
      case "expect":
      case "upgrade":
        return undefined;
    }
  }
  return host !== null && PLAIN_HOST.test(host) ? { acceptEncoding, ifNoneMatch, ifModifiedSince } : undefined;
}

/** Hosts that need no check. Any other may be invalid and have its request refused. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

const LENGTHS = new Set(
  [
    "host",
    "accept-encoding",
    "if-none-match",
    "if-modified-since",
    "content-length",
    "transfer-encoding",
    "expect",
    "upgrade",
  ].map(({ length }) => length),
);
