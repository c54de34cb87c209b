/** Answers: a document as a response or as 304, and errors in the one shape that they have (interface §2). */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { Coding, Document } from "../edition/document.ts";
import { isTopic, topicLink } from "../edition/topic.ts";
import type { Issue } from "../issue.ts";
import { chooseCoding } from "./accept-encoding.ts";
import { entityTag, isHeld } from "./conditional.ts";

/** On every public response. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Last-Modified, Link, Mcp-Session-Id, MCP-Protocol-Version",
  "X-Content-Type-Options": "nosniff",
};

export interface Freshness {
  readonly revisedAt: Date;
  readonly cacheControl: string;
  readonly baseUrl: string;
  readonly now: Date;
  /** Headers that belong to the kind of document, such as a page's policy. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * A GET or HEAD answered with a document, or with 304 when the reader proves it already holds the bytes. At once where
 * the coding is at hand, later where it has yet to be made.
 */
export function respond(request: Request, document: Document, freshness: Freshness): Response | Promise<Response> {
  const { headers } = request;
  const choice = chooseCoding(headers.get("Accept-Encoding"));
  const coding = choice === "none" ? "identity" : choice;
  const ready = readyRepresentation(document, coding);
  if (ready !== undefined) return answer(request, document, ready, freshness);
  return codeOnDemand(document, coding as Coding).then((bytes) =>
    answer(request, document, { coding, bytes }, freshness),
  );
}

function answer(
  request: Request,
  document: Document,
  { coding, bytes }: Representation,
  freshness: Freshness,
): Response {
  const { held, full } = headersOf(document, coding, bytes, freshness);
  const preconditions = {
    ifNoneMatch: request.headers.get("If-None-Match"),
    ifModifiedSince: request.headers.get("If-Modified-Since"),
  };
  if (isHeld(preconditions, document.tag, freshness.revisedAt, freshness.now))
    return new Response(null, { status: 304, headers: held });
  return new Response(request.method === "HEAD" ? null : (bytes as Uint8Array<ArrayBuffer>), { headers: full });
}

interface Representation {
  readonly coding: string;
  readonly bytes: Uint8Array;
}

interface AnswerHeaders {
  readonly held: Record<string, string>;
  readonly full: Record<string, string>;
}

/** The headers of each representation, written once: a document belongs to one edition, and they change with neither. */
const written = new WeakMap<Uint8Array, AnswerHeaders>();

function headersOf(document: Document, coding: string, bytes: Uint8Array, freshness: Freshness): AnswerHeaders {
  const known = written.get(bytes);
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
    "Content-Length": String(bytes.byteLength),
    ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
  };
  written.set(bytes, { held, full });
  return { held, full };
}

/** An error in JSON, `issues` naming what of the input was at fault. */
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

/** Codings made on demand, for documents that are assembled when asked for. */
const made = new WeakMap<Document, Map<Coding, Promise<Uint8Array>>>();

/** Below this many bytes an answer assembled on demand goes out as it is. */
const WORTH_CODING = 1024;

/** The representation that is at hand, or undefined when the coding has yet to be made. */
function readyRepresentation(document: Document, coding: Coding | "identity"): Representation | undefined {
  const plain = { coding: "identity", bytes: document.body };
  if (coding === "identity") return plain;
  const ready = document.coded[coding];
  if (ready !== undefined) return { coding, bytes: ready };
  const isPrinted = document.path !== "";
  return isPrinted || document.body.byteLength < WORTH_CODING ? plain : undefined;
}

async function codeOnDemand(document: Document, coding: Coding): Promise<Uint8Array> {
  const codings = made.get(document) ?? new Map<Coding, Promise<Uint8Array>>();
  made.set(document, codings);
  const known = codings.get(coding) ?? CODERS[coding](document.body);
  codings.set(coding, known);
  return await known;
}

/** On the platform's thread pool, pressed lightly: somebody waits for it. */
const CODERS: Readonly<Record<Coding, (body: Uint8Array) => Promise<Uint8Array>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (body) => promisify(zstdCompress)(body),
  gzip: (body) => promisify(gzip)(body, { level: 4 }),
};
