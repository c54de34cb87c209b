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
import { type Document, isOfEdition, lengthOf, piecesOf } from "./document.ts";

/** The supported content codings, in order of preference (RFC 9110 §8.4.1, RFC 8878 for zstd). */
export const CODINGS = ["br", "zstd", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The compressed bytes, or null if compression does not make the document smaller. */
export type Coded = Uint8Array | null;

/** Smaller documents are not compressed: the headers would cost more than it saves. */
const MIN_BYTES = 512;
/** The same limit for a document that is made on request. */
const MIN_ASSEMBLED_BYTES = 1024;
/** Larger documents that nothing caches are not compressed: every request would do it again. */
const MAX_UNCACHED_BYTES = 1_000_000;
/** Larger documents are compressed at a low level, so that it takes seconds and not minutes. */
const LARGE_BYTES = 4_000_000;
/** The chunk size of the output. The default of 16 KiB would cost thousands of callbacks for a large body. */
const CHUNK_BYTES = 128 * 1024;

const made = new WeakMap<Document, Map<Coding, Coded | Promise<Coded>>>();

/** Whether the document is compressed for clients that accept a coding. */
export function isCompressible(document: Document): boolean {
  const length = lengthOf(piecesOf(document));
  if (isOfEdition(document)) return length >= MIN_BYTES;
  return length >= MIN_ASSEMBLED_BYTES && (document.isCached === true || length <= MAX_UNCACHED_BYTES);
}

/** The document in a coding, or the promise of it while it is being compressed on the thread pool. */
export function codedBody(document: Document, coding: Coding): Coded | Promise<Coded> {
  if (!isCompressible(document)) return null;
  const codings = codingsOf(document);
  const coded = codings.get(coding);
  if (coded !== undefined) return coded;
  const isLight = !isOfEdition(document) || document.body.byteLength > LARGE_BYTES;
  const making = onPool(document.body, coding, isLight).then((bytes) => {
    const coded = isOfEdition(document) ? smaller(bytes, document.body) : bytes;
    codings.set(coding, coded);
    return coded;
  });
  making.catch(() => codings.delete(coding));
  codings.set(coding, making);
  return making;
}

/** Gives a document codings that were made elsewhere. */
export function addCodings(document: Document, codings: ReadonlyMap<Coding, Coded>): void {
  for (const [coding, coded] of codings) codingsOf(document).set(coding, coded);
}

/** Reuses the codings of another document with the same bytes. */
export function adoptCodings(document: Document, same: Document): void {
  const codings = made.get(same);
  if (codings !== undefined) made.set(document, codings);
}

/**
 * Larger bodies are compressed on the thread pool, when they are first asked for: from 256 KiB on, pooled and synchronous
 * Zstandard produce different bytes, which must not share a tag.
 */
export const MAX_BYTES_COMPRESSED_EARLY = 256 * 1024 - 1;

/** Whether an edition's document is compressed before anyone asks for it. */
export function isCompressedEarly({ byteLength }: Uint8Array): boolean {
  return byteLength >= MIN_BYTES && byteLength <= MAX_BYTES_COMPRESSED_EARLY;
}

/** The body of an edition's document in every coding, compressed on the calling thread. */
export function compress(body: Uint8Array): Map<Coding, Coded> {
  const coded: Readonly<Record<Coding, Uint8Array>> = {
    br: brotliCompressSync(body, brotliOptions(body, false)),
    zstd: zstdCompressSync(body, zstdOptions(body, false)),
    gzip: gzipSync(body, gzipOptions(body, false)),
  };
  // Copies, because Node returns small results as parts of a buffer that others share.
  return new Map(CODINGS.map((coding) => [coding, smaller(new Uint8Array(coded[coding]), body)]));
}

/** Compresses the documents that are not compressed early, in the preferred coding, one after another. */
export async function compressLarge(documents: Iterable<Document>): Promise<void> {
  for (const document of documents) {
    if (document.body.byteLength > MAX_BYTES_COMPRESSED_EARLY) await codedBody(document, CODINGS[0]);
  }
}

function codingsOf(document: Document): Map<Coding, Coded | Promise<Coded>> {
  return made.getOrInsertComputed(document, () => new Map());
}

function smaller(coded: Uint8Array, body: Uint8Array): Coded {
  return coded.byteLength < body.byteLength ? coded : null;
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
  return { ...chunksFor(body), params, pledgedSrcSize: body.byteLength }; // without it, the bytes differ between the thread and the pool
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
