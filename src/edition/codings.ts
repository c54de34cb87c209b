/**
 * Compresses documents. Each content coding of a document is made once: when it is first requested, on the thread pool of
 * Node, or in the background after an edition is published, whichever comes first.
 */
import { promisify } from "node:util";
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import { type Document, lengthOf, piecesOf } from "./document.ts";

/** The supported content codings, in order of preference (RFC 9110 §8.4.1, RFC 8878 for zstd). */
export const CODINGS = ["br", "zstd", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The compressed bytes, or null if compression does not make the document smaller. */
export type Coded = Uint8Array | null;

/** Smaller documents are not compressed: the headers would cost more than it saves. */
const LEAST_BYTES = 512;
/** The same limit for a document that is rendered for one request. */
const LEAST_ASSEMBLED_BYTES = 1024;
/** Larger documents are compressed at a low level, so that it takes seconds and not minutes. */
const LARGE_BYTES = 4_000_000;
/** The chunk size of the output. The default of 16 KiB would cost thousands of callbacks for a large body. */
const CHUNK_BYTES = 128 * 1024;

/** Compresses the body of a document in a coding. */
export type Encode = (body: Uint8Array, coding: Coding) => Promise<Uint8Array>;

const made = new WeakMap<Document, Map<Coding, Coded | Promise<Coded>>>();

/** The document in a coding, or the promise of it while it is being compressed. */
export function codedBody(
  document: Document,
  coding: Coding,
  encode: Encode = encoderOf(document),
): Coded | Promise<Coded> {
  const length = lengthOf(piecesOf(document));
  if (length < (isOfEdition(document) ? LEAST_BYTES : LEAST_ASSEMBLED_BYTES)) return null;
  const codings = made.get(document) ?? new Map<Coding, Coded | Promise<Coded>>();
  made.set(document, codings);
  const known = codings.get(coding);
  if (known !== undefined) return known;
  const making = encode(document.body, coding).then((bytes) => {
    const coded = bytes.byteLength < length || !isOfEdition(document) ? bytes : null;
    codings.set(coding, coded);
    return coded;
  });
  making.catch(() => codings.delete(coding));
  codings.set(coding, making);
  return making;
}

/** The codings of large documents that readers have asked for, as `/path coding`: few documents are large. */
const askedFor = new Set<string>();

/** The same for a reader, so that the coding is prepared for the next readers of this document, too. */
export function askedBody(document: Document, coding: Coding): Coded | Promise<Coded> {
  if (isOfEdition(document) && isLarge(document.body)) askedFor.add(`${document.path} ${coding}`);
  return codedBody(document, coding);
}

/** A large document's coding takes seconds and megabytes: besides the preferred one, those are made that are asked for. */
function isPrepared({ path, body }: Document, coding: Coding): boolean {
  return !isLarge(body) || coding === CODINGS[0] || askedFor.has(`${path} ${coding}`);
}

/** Reuses the codings of another document with the same bytes. */
export function adoptCodings(document: Document, same: Document): void {
  const codings = made.get(same);
  if (codings !== undefined) made.set(document, codings);
}

/** What prepares the codings of an edition waits for. */
export interface Preparation {
  /** Aborted when the codings are no longer needed. */
  readonly signal: AbortSignal;
  /** Resolves when there is time for large documents, which take seconds each. */
  readonly whenQuiet?: () => Promise<unknown>;
  /** Waits for a coding, and then for as long as others shall have the thread to themselves. */
  readonly paced?: (coding: Promise<unknown>) => Promise<unknown>;
  /** Compresses small documents; without it, the thread pool does. */
  readonly encodeSmall?: Encode;
}

/**
 * Makes the codings of the documents one by one, small documents first, until `signal` is aborted: all of small ones, and
 * those of large ones that readers ask for.
 */
export async function prepareCodings(documents: Iterable<Document>, preparation: Preparation): Promise<void> {
  const { signal, whenQuiet, paced = (coding) => coding, encodeSmall } = preparation;
  const bySize = [...documents].sort((a, b) => a.body.byteLength - b.body.byteLength);
  let isQuiet = whenQuiet === undefined;
  for (const document of bySize) {
    if (!isQuiet && isLarge(document.body)) {
      await whenQuiet?.();
      isQuiet = true;
    }
    for (const coding of CODINGS) {
      if (signal.aborted) return;
      if (!isPrepared(document, coding)) continue;
      const coded = codedBody(document, coding, isLarge(document.body) ? undefined : encodeSmall);
      if (coded instanceof Promise) await paced(coded);
    }
  }
}

/** Whether compressing a document takes seconds. */
export function isLarge(body: Uint8Array): boolean {
  return body.byteLength > LARGE_BYTES;
}

/** Whether the document is part of an edition. Others are rendered for one request and have no path. */
function isOfEdition({ path }: Document): boolean {
  return path !== "";
}

function encoderOf(document: Document): Encode {
  const isLight = !isOfEdition(document) || isLarge(document.body);
  return isLight ? async (body, coding) => await onPool(body, coding, true) : encodeOnPool;
}

/** Compresses the body of an edition's small document on the thread pool. */
export async function encodeOnPool(body: Uint8Array, coding: Coding): Promise<Uint8Array> {
  return await onPool(body, coding, false);
}

/**
 * Larger bodies are not compressed on the calling thread: what comes meanwhile would wait for it, and this much takes
 * some twenty milliseconds. Zstandard would also give other bytes than on the thread pool for 256 KiB, and for larger
 * multiples of 128 KiB, so that one tag would stand for both.
 */
export const MOST_ENCODED_HERE = 256 * 1024 - 1;

/** The same bytes, compressed on the calling thread: up to {@link MOST_ENCODED_HERE}. */
export function encodeHere(body: Uint8Array, coding: Coding): Uint8Array {
  if (coding === "gzip") return gzipSync(body, gzipOptions(body, false));
  if (coding === "zstd") return zstdCompressSync(body, zstdOptions(body, false));
  return brotliCompressSync(body, brotliOptions(body, false));
}

function onPool(body: Uint8Array, coding: Coding, isLight: boolean): Promise<Uint8Array> {
  if (coding === "gzip") return compressGzip(body, gzipOptions(body, isLight));
  if (coding === "zstd") return compressZstd(body, zstdOptions(body, isLight));
  return compressBrotli(body, brotliOptions(body, isLight));
}

const compressGzip = promisify<Uint8Array, ZlibOptions, Uint8Array>(gzip);
const compressBrotli = promisify<Uint8Array, BrotliOptions, Uint8Array>(brotliCompress);
const compressZstd = promisify<Uint8Array, ZstdOptions, Uint8Array>(zstdCompress);

function gzipOptions(body: Uint8Array, isLight: boolean): ZlibOptions {
  return { ...chunksFor(body), level: isLight ? 4 : 8 };
}

function zstdOptions(body: Uint8Array, isLight: boolean): ZstdOptions {
  const params = { [constants.ZSTD_c_compressionLevel]: isLight ? 3 : 9 };
  return { ...chunksFor(body), params, pledgedSrcSize: body.byteLength }; // else the bytes differ between the ways
}

function brotliOptions(body: Uint8Array, isLight: boolean): BrotliOptions {
  return {
    ...chunksFor(body),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: isLight ? 4 : 7,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  };
}

function chunksFor(body: Uint8Array): { chunkSize?: number } {
  return body.byteLength > CHUNK_BYTES ? { chunkSize: CHUNK_BYTES } : {};
}
