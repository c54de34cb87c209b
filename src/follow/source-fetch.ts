/**
 * Fetches a followed address into a file, within 60 seconds and 200 MB. Every connection goes to a vetted address, after
 * a redirect too.
 */
import type { FileHandle } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { Client } from "undici";
import { errorCode, hostOf, type OwnWords, ownWords } from "../lib/own-words.ts";
import { writeWhole } from "../lib/private-file.ts";
import { mayReach } from "../outbound/address-class.ts";
import { retryAfterSeconds } from "../outbound/retry-after.ts";
import { NoConnection, PrivateAddress } from "../outbound/socket-opening.ts";
import type { Connector } from "../outbound/vetted-connection.ts";

export interface SourceRequest {
  readonly url: string;
  /** Sent to the origin of `url` only. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** The validators of the last response. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly signal: AbortSignal;
}

/** The result: nothing new, or content, which is in the file. */
export type Fetched =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "content";
      readonly etag: string | null;
      readonly lastModified: string | null;
    };

export interface FetchParts {
  readonly connect: Connector;
  readonly now: () => Date;
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

const DEFAULT_DEADLINE_MS = 60_000;
const DEFAULT_MAX_BYTES = 200_000_000;
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_HEADERS_BYTES = 16 * 1024;

/** Why nothing was fetched, and the wait that the server requests. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  /** A sentence for the owner, of which nothing comes from the other server but a host. */
  readonly reason: OwnWords;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: OwnWords,
    options: { readonly cause?: unknown; readonly retryAfterSeconds?: number | undefined } = {},
  ) {
    super(reason, { cause: options.cause });
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Fetches into an empty file. @throws SourceFault with the reason if it fails. */
export async function fetchSource(request: SourceRequest, file: FileHandle, parts: FetchParts): Promise<Fetched> {
  const { deadlineMs = DEFAULT_DEADLINE_MS } = parts;
  const timeout = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  const first = new URL(request.url);
  const route: Route = { isPublic: false };
  let url = first;
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await exchange(url, first, { request, file, route, signal, parts });
      if (!("location" in answer)) return answer;
      url = redirected(url, answer.location);
    }
  } catch (error) {
    if (timeout.aborted) throw new SourceFault(ownWords`It did not answer in full within ${deadlineMs / 1000} seconds`);
    if (error instanceof PrivateAddress && route.isPublic) throw redirectedInside(url);
    throw toSourceFault(error, url, first);
  }
  throw new SourceFault(ownWords`It redirects more than ${MAX_REDIRECTS} times`);
}

/**
 * The way of a fetch over its redirects. Once an address of it was public, the next must be public too: SOURCES_ALLOW
 * lets the owner's own sources into a network, not strangers who redirect there.
 */
interface Route {
  isPublic: boolean;
}

interface ExchangeParts {
  readonly request: SourceRequest;
  readonly file: FileHandle;
  readonly route: Route;
  readonly signal: AbortSignal;
  readonly parts: FetchParts;
}

/** One request and its answer, or the target of a redirect. */
async function exchange(
  url: URL,
  first: URL,
  { request, file, route, signal, parts }: ExchangeParts,
): Promise<Fetched | { readonly location: string }> {
  const client = openClient(url, route, parts.connect);
  try {
    const { statusCode, headers, body } = await client.request({
      method: "GET",
      path: url.pathname + url.search,
      headers: headersOf(request, url.origin === first.origin),
      signal,
    });
    const header = (name: string) => [headers[name]].flat()[0];
    body.on("error", () => {}); // reading reports the fault; an unread body is abandoned
    if (statusCode === 304) return { kind: "unchanged" };
    const location = header("location");
    if (REDIRECT_STATUSES.has(statusCode) && location !== undefined) return { location };
    if (statusCode !== 200) {
      const wait = retryAfterSeconds(header("retry-after"), parts.now());
      throw new SourceFault(ownWords`It answered with ${statusCode}${meaningOf(statusCode)}`, {
        retryAfterSeconds: wait,
      });
    }
    await save(body, file, {
      encoding: header("content-encoding"),
      maxBytes: parts.maxBytes ?? DEFAULT_MAX_BYTES,
      signal,
    });
    return { kind: "content", etag: validator(header("etag")), lastModified: validator(header("last-modified")) };
  } finally {
    await client.destroy().catch(() => {});
  }
}

/** No address is paused or limited: sources are few. */
const OPEN_GATE = { isPaused: () => false, claim: () => true };

function openClient(url: URL, route: Route, connect: Connector): Client {
  return new Client(url.origin, {
    maxHeaderSize: MAX_HEADERS_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ({ hostname, port, protocol }, callback) => {
      const target = { hostname, port: Number(port || (protocol === "http:" ? 80 : 443)), protocol };
      connect({ ...target, publicOnly: route.isPublic }, OPEN_GATE).then(
        ({ address, socket }) => {
          route.isPublic ||= mayReach(address, []);
          callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
    },
  });
}

function redirectedInside(url: URL): SourceFault {
  return new SourceFault(
    ownWords`It redirects from a public address to ${hostOf(url)}, which has a private or local address; that is never followed. If it is meant, write that address into business.yaml`,
  );
}

function headersOf({ etag, lastModified, secretHeaders }: SourceRequest, isFirstOrigin: boolean) {
  return {
    "User-Agent": "goodword",
    Accept: "*/*",
    "Accept-Encoding": "gzip, br",
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
    ...(isFirstOrigin ? secretHeaders : {}),
  };
}

/** A validator, unless a server might refuse every later request for its size or its characters. */
function validator(value: string | undefined): string | null {
  return value !== undefined && /^[\x20-\x7e]{1,1000}$/.test(value) ? value : null;
}

function redirected(from: URL, location: string): URL {
  const url = URL.parse(location, from);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new SourceFault(ownWords`It redirects to an address that is not http or https`);
  if (from.protocol === "https:" && url.protocol === "http:")
    throw new SourceFault(ownWords`It redirects from https to plain http (${hostOf(url)}), which is not followed`);
  return url;
}

const DECODERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

/** Writes the body to a file, decoded. Both the coded and the decoded size are bounded. */
async function save(
  body: AsyncIterable<Buffer>,
  file: FileHandle,
  { encoding, maxBytes, signal }: { encoding: string | undefined; maxBytes: number; signal: AbortSignal },
): Promise<void> {
  const coding = (encoding ?? "identity").trim().toLowerCase();
  const isPlain = coding === "identity" || coding === "";
  const decode = DECODERS[coding as keyof typeof DECODERS];
  if (!isPlain && decode === undefined)
    throw new SourceFault(ownWords`Its Content-Encoding is none of gzip, deflate, br and zstd`);
  const limit = async function* (chunks: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new SourceFault(ownWords`It holds more than ${Math.round(maxBytes / 1e6)} MB`);
      yield chunk;
    }
  };
  const target = async (chunks: AsyncIterable<Buffer>) => {
    let position = 0;
    for await (const chunk of chunks) {
      await writeWhole(file, chunk, position);
      position += chunk.length;
    }
  };
  if (isPlain) await pipeline(body, limit, target, { signal });
  else await pipeline(body, limit, decode(), limit, target, { signal });
}

function meaningOf(status: number): OwnWords {
  const meanings: Readonly<Record<number, OwnWords>> = {
    401: ownWords` (a key is needed: see header in business.yaml)`,
    403: ownWords` (access is refused)`,
    404: ownWords` (nothing is there)`,
    410: ownWords` (it is gone for good)`,
    429: ownWords` (too many requests)`,
  };
  return meanings[status] ?? (status >= 500 ? ownWords` (a fault of that server)` : ownWords``);
}

function toSourceFault(error: unknown, url: URL, first: URL): unknown {
  if (error instanceof SourceFault) return error;
  if (error instanceof PrivateAddress) {
    const who = url.origin === first.origin ? ownWords`It` : ownWords`It redirects to ${hostOf(url)}, which`;
    const allowing = isIPv4(error.host)
      ? ownWords`${hostOf(error)}/32`
      : ownWords`127.0.0.1/32 (or the address that it has)`;
    return new SourceFault(
      ownWords`${who} has a private or local address, and these are refused. If that is meant, write the line SOURCES_ALLOW=${allowing} into the file goodword.env in the server's folder, and start the server again`,
      { cause: error },
    );
  }
  return new SourceFault(whyNotFetched(error), { cause: error });
}

function whyNotFetched(error: unknown): OwnWords {
  if (error instanceof NoConnection) return error.reason;
  const code = errorCode(error);
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET") return ownWords`The connection was closed early`;
  if (code?.startsWith("Z_") || code?.startsWith("ERR_BROTLI")) return ownWords`Its content is damaged`;
  return code === undefined ? ownWords`It could not be fetched` : ownWords`It could not be fetched (${code})`;
}
