/** Makes responses: a document, 304, and errors (interface §2). */
import { askedBody, type Coded } from "../edition/codings.ts";
import { unshared } from "../edition/column/shared-memory.ts";
import { type Document, lengthOf, piecesOf } from "../edition/document.ts";
import { isTopic, topicLink } from "../edition/topic.ts";
import { COMMON_HEADERS } from "../interface.ts";
import type { Issue } from "../issue.ts";
import { chooseCoding, refusesIdentity } from "./accept-encoding.ts";
import { entityTag, isNotModified } from "./conditional.ts";

/** Maximum length of an address: its path and query. */
export const MAX_URL_BYTES = 8 * 1024;

export interface Freshness {
  readonly revisedAt: Date;
  readonly cacheControl: string;
  readonly baseUrl: string;
  readonly now: Date;
  /** Headers for this kind of document, such as a page's policy. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * Compression of a body up to this size is awaited. A larger one is sent uncompressed until it is ready, unless the
 * client refuses that.
 */
const WAITED_FOR_BYTES = 1_000_000;

/**
 * Answers GET or HEAD with a document, or with 304 if the client already has the bytes. The response is a promise if
 * its coding must be made first.
 */
export function respond(request: Request, document: Document, freshness: Freshness): Response | Promise<Response> {
  const representation = representationOf(document, request.headers.get("Accept-Encoding"));
  return representation instanceof Promise
    ? representation.then((made) => answer(request, document, made, freshness))
    : answer(request, document, representation, freshness);
}

/** The document in the coding that the client prefers, or a promise of it if it must be made first. */
export function representationOf(
  document: Document,
  acceptEncoding: string | null,
): Representation | Promise<Representation> {
  const choice = chooseCoding(acceptEncoding);
  const coding = choice === "none" ? "identity" : choice;
  const plain = { coding: "identity", pieces: piecesOf(document), isFinal: true };
  if (coding === "identity") return plain;
  const represented = (coded: Coded) => (coded === null ? plain : { coding, pieces: [coded], isFinal: true });
  const coded = askedBody(document, coding);
  if (!(coded instanceof Promise)) return represented(coded);
  const isOfEdition = document.path !== "";
  const isAwaited = !isOfEdition || lengthOf(plain.pieces) <= WAITED_FOR_BYTES || refusesIdentity(acceptEncoding);
  return isAwaited ? coded.then(represented) : { ...plain, isFinal: false };
}

function answer(
  request: Request,
  document: Document,
  { coding, pieces }: Representation,
  freshness: Freshness,
): Response {
  const { held, full } = headersOf(document, coding, lengthOf(pieces), freshness);
  const preconditions = {
    ifNoneMatch: request.headers.get("If-None-Match"),
    ifModifiedSince: request.headers.get("If-Modified-Since"),
  };
  if (isNotModified(preconditions, document.tag, freshness.revisedAt, freshness.now))
    return new Response(null, { status: 304, headers: held });
  return new Response(request.method === "HEAD" ? null : unshared(joined(pieces)), { headers: full });
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = pieces;
  return first === undefined || others.length > 0 ? Buffer.concat(pieces) : first;
}

interface Representation {
  readonly coding: string;
  readonly pieces: readonly Uint8Array[];
  /** False if the uncompressed bytes replace a coding that is still being made. */
  readonly isFinal: boolean;
}

interface AnswerHeaders {
  readonly held: Record<string, string>;
  readonly full: Record<string, string>;
}

/** Cached headers of each representation. They never change, because a document belongs to one edition. */
const written = new WeakMap<Document, Map<string, AnswerHeaders>>();

/** The headers of a document in a coding, for 304 and for 200. */
export function headersOf(document: Document, coding: string, length: number, freshness: Freshness): AnswerHeaders {
  const codings = written.get(document) ?? new Map<string, AnswerHeaders>();
  const known = codings.get(coding);
  if (known !== undefined) return known;
  const held: Record<string, string> = {
    ...COMMON_HEADERS,
    ETag: entityTag(document, coding),
    "Last-Modified": freshness.revisedAt.toUTCString(),
    "Cache-Control": freshness.cacheControl,
    Vary: "Accept-Encoding",
    ...(isTopic(document.path) ? { Link: topicLink(freshness.baseUrl, document.path) } : {}),
    ...freshness.extra,
  };
  const full = {
    ...held,
    "Content-Type": document.mediaType,
    "Content-Length": String(length),
    ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
  };
  written.set(document, codings.set(coding, { held, full }));
  return { held, full };
}

/** An error in JSON. `issues` names the faults of the input. */
export function refuse(
  status: number,
  error: string,
  { issues, headers }: { readonly issues?: readonly Issue[]; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const body = issues === undefined ? { error } : { error, issues };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...COMMON_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}
