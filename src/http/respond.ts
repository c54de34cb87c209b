/** Answers: a document as a response or as 304, and errors in the one shape that they have (contract §2). */
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
}

/**
 * A GET or HEAD answered with a document, or with 304 when the reader proves it already holds the bytes. `extra`
 * headers belong to the kind of document, such as a page's policy.
 */
export async function respond(
  request: Request,
  document: Document,
  { revisedAt, cacheControl, baseUrl, now, ...rest }: Freshness & { readonly extra?: Readonly<Record<string, string>> },
): Promise<Response> {
  const representation = await represent(document, request.headers.get("Accept-Encoding"));
  const headers: Record<string, string> = {
    ...COMMON_HEADERS,
    ETag: entityTag(document, representation.coding),
    "Last-Modified": revisedAt.toUTCString(),
    "Cache-Control": cacheControl,
    Vary: "Accept-Encoding",
    ...rest.extra,
  };
  if (isTopic(document.path)) headers.Link = topicLink(baseUrl, document.path);
  const preconditions = {
    ifNoneMatch: request.headers.get("If-None-Match"),
    ifModifiedSince: request.headers.get("If-Modified-Since"),
  };
  if (isHeld(preconditions, document.tag, revisedAt, now)) return new Response(null, { status: 304, headers });
  headers["Content-Type"] = document.mediaType;
  headers["Content-Length"] = String(representation.bytes.byteLength);
  if (representation.coding !== "identity") headers["Content-Encoding"] = representation.coding;
  return new Response(request.method === "HEAD" ? null : (representation.bytes as Uint8Array<ArrayBuffer>), {
    headers,
  });
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

async function represent(
  document: Document,
  acceptEncoding: string | null,
): Promise<{ coding: string; bytes: Uint8Array }> {
  const choice = chooseCoding(acceptEncoding);
  if (choice === "identity" || choice === "none") return { coding: "identity", bytes: document.body };
  const ready = document.coded[choice];
  if (ready !== undefined) return { coding: choice, bytes: ready };
  if (document.path !== "" || document.body.byteLength < WORTH_CODING)
    return { coding: "identity", bytes: document.body };
  return { coding: choice, bytes: await codeOnDemand(document, choice) };
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
